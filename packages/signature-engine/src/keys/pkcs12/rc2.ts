// RC2 of RFC 2268, decryption only. OpenSSL 3 keeps it in a legacy provider that Node does not load, and yet most .pfx
// files in use encrypt their certificates with its 40-bit form. It protects nothing; it only has to be read.

/** PITABLE of RFC 2268 §2: a permutation of the bytes, from the digits of pi. */
const pi = Buffer.from(
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2' +
    '179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82' +
    '54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626' +
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7' +
    '08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec' +
    'c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731' +
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9' +
    '0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad',
  'hex',
)

const BLOCK = 8
const rotations = [1, 2, 3, 5] as const

/** Decrypts CBC and removes the PKCS#7 padding; undefined when the padding is wrong. */
export function decryptRc2Cbc(
  ciphertext: Uint8Array,
  key: Uint8Array,
  effectiveBits: number,
  iv: Uint8Array,
): Buffer | undefined {
  if (ciphertext.length === 0 || ciphertext.length % BLOCK !== 0) return undefined
  const words = expandKey(key, effectiveBits)
  const plain = Buffer.from(ciphertext)
  for (let at = 0; at < plain.length; at += BLOCK) {
    decryptBlock(plain, at, words)
    const before = at === 0 ? iv : ciphertext.subarray(at - BLOCK, at)
    for (let i = 0; i < BLOCK; i++) plain[at + i]! ^= before[i]!
  }
  words.fill(0)
  return withoutPadding(plain)
}

/** RFC 2268 §2: 64 words of 16 bits. */
function expandKey(key: Uint8Array, effectiveBits: number): Uint16Array {
  const bytes = new Uint8Array(128)
  bytes.set(key)
  for (let i = key.length; i < 128; i++) bytes[i] = pi[(bytes[i - 1]! + bytes[i - key.length]!) & 0xff]!
  const effectiveBytes = Math.ceil(effectiveBits / 8)
  const mask = 0xff >> (8 * effectiveBytes - effectiveBits)
  bytes[128 - effectiveBytes] = pi[bytes[128 - effectiveBytes]! & mask]!
  for (let i = 127 - effectiveBytes; i >= 0; i--) bytes[i] = pi[bytes[i + 1]! ^ bytes[i + effectiveBytes]!]!
  return Uint16Array.from({ length: 64 }, (_, i) => bytes[2 * i]! | (bytes[2 * i + 1]! << 8))
}

/** RFC 2268 §4.4: five, six and five mixing rounds backwards, with a mashing round between. */
function decryptBlock(bytes: Buffer, at: number, words: Uint16Array): void {
  const r = [0, 2, 4, 6].map((offset) => bytes.readUInt16LE(at + offset))
  let next = 63
  const unmix = (rounds: number) => {
    for (let round = 0; round < rounds; round++) for (let i = 3; i >= 0; i--) unmixWord(r, i, words[next--]!)
  }
  const unmash = () => {
    for (let i = 3; i >= 0; i--) r[i] = (r[i]! - words[r[(i + 3) & 3]! & 63]!) & 0xffff
  }
  unmix(5)
  unmash()
  unmix(6)
  unmash()
  unmix(5)
  r.forEach((word, i) => {
    bytes.writeUInt16LE(word, at + 2 * i)
  })
}

function unmixWord(r: number[], i: number, word: number): void {
  const [one, two, three] = [r[(i + 3) & 3]!, r[(i + 2) & 3]!, r[(i + 1) & 3]!]
  const rotated = ((r[i]! >>> rotations[i]!) | (r[i]! << (16 - rotations[i]!))) & 0xffff
  r[i] = (rotated - word - (one & two) - (~one & three)) & 0xffff
}

function withoutPadding(plain: Buffer): Buffer | undefined {
  const padding = plain.at(-1)!
  if (padding === 0 || padding > BLOCK) return undefined
  const end = plain.length - padding
  return plain.subarray(end).every((byte) => byte === padding) ? plain.subarray(0, end) : undefined
}
