import { createCipheriv, hash, pbkdf2Sync, randomBytes } from 'node:crypto'
import { type Der, integer, nothing, octetString, oid, sequence } from '@chancela/signature-engine/der'
import forge from 'node-forge'
import type { Pkcs12Encryption } from './pkcs12-variants.ts'

export interface Encrypted {
  /** AlgorithmIdentifier with salt, rounds and so on: all a reader needs besides the password. */
  readonly algorithm: Der
  readonly content: Buffer
}

/** Encrypts with a password, in the way of each scheme. */
export const encryptions: Record<
  Exclude<Pkcs12Encryption, 'none'>,
  (plain: Uint8Array, password: string, iterations: number) => Encrypted
> = {
  'RC2-40': (plain, password, iterations) =>
    pkcs12Pbe('1.2.840.113549.1.12.1.6', password, iterations, 5, (key, iv) => rc2Cbc(plain, key, iv)),
  '3DES': (plain, password, iterations) =>
    pkcs12Pbe('1.2.840.113549.1.12.1.3', password, iterations, 24, (key, iv) => cbc('des-ede3-cbc', plain, key, iv)),
  'AES-256': pbes2,
}

/** RFC 7292 appendix B: what a derived value is for. */
export const derivedFor = { key: 1, iv: 2, mac: 3 } as const

/** RFC 7292 appendix B.2. The password is a BMPString that ends in two zero bytes. */
export function deriveByPkcs12(
  algorithm: 'sha1' | 'sha256',
  password: string,
  salt: Uint8Array,
  purpose: number,
  iterations: number,
  length: number,
): Buffer {
  const diversifier = Buffer.alloc(BLOCK, purpose)
  const input = Buffer.concat([filledBlocks(salt), filledBlocks(zeroEndedUtf16(password))])
  let derived = Buffer.alloc(0)
  while (derived.length < length) {
    let digest = hash(algorithm, Buffer.concat([diversifier, input]), 'buffer')
    for (let round = 1; round < iterations; round++) digest = hash(algorithm, digest, 'buffer')
    derived = Buffer.concat([derived, digest])
    addToEachBlock(input, filledBlocks(digest))
  }
  return derived.subarray(0, length)
}

/** Input block of SHA-1 and SHA-256, in bytes. */
const BLOCK = 64

/** PBE of PKCS#12: key and initialisation vector are both derived from the password. */
function pkcs12Pbe(
  scheme: string,
  password: string,
  iterations: number,
  keyLength: number,
  encrypt: (key: Buffer, iv: Buffer) => Buffer,
): Encrypted {
  const salt = randomBytes(8)
  const key = deriveByPkcs12('sha1', password, salt, derivedFor.key, iterations, keyLength)
  const iv = deriveByPkcs12('sha1', password, salt, derivedFor.iv, iterations, 8)
  const parameters = sequence(octetString(salt), integer(iterations))
  return { algorithm: sequence(oid(scheme), parameters), content: encrypt(key, iv) }
}

/** PBES2 of RFC 8018 §6.2: PBKDF2 with HMAC-SHA-256 over the UTF-8 password, AES-256 in CBC mode. */
function pbes2(plain: Uint8Array, password: string, iterations: number): Encrypted {
  const [salt, iv] = [randomBytes(16), randomBytes(16)]
  const key = pbkdf2Sync(Buffer.from(password, 'utf8'), salt, iterations, 32, 'sha256')
  const hmacWithSha256 = sequence(oid('1.2.840.113549.2.9'), nothing)
  const pbkdf2 = sequence(
    oid('1.2.840.113549.1.5.12'),
    sequence(octetString(salt), integer(iterations), hmacWithSha256),
  )
  const aes = sequence(oid('2.16.840.1.101.3.4.1.42'), octetString(iv))
  return {
    algorithm: sequence(oid('1.2.840.113549.1.5.13'), sequence(pbkdf2, aes)),
    content: cbc('aes-256-cbc', plain, key, iv),
  }
}

function cbc(cipherName: string, plain: Uint8Array, key: Buffer, iv: Buffer): Buffer {
  const cipher = createCipheriv(cipherName, key, iv)
  return Buffer.concat([cipher.update(plain), cipher.final()])
}

/** OpenSSL 3 keeps RC2 in its legacy provider, which Node does not load. */
function rc2Cbc(plain: Uint8Array, key: Buffer, iv: Buffer): Buffer {
  const binary = (bytes: Uint8Array) => forge.util.createBuffer(Buffer.from(bytes).toString('latin1'))
  const cipher = forge.rc2.createEncryptionCipher(binary(key), key.length * 8)
  cipher.start(binary(iv))
  cipher.update(binary(plain))
  cipher.finish()
  return Buffer.from(cipher.output.getBytes(), 'latin1')
}

const zeroEndedUtf16 = (password: string): Buffer => Buffer.from(`${password}\0`, 'utf16le').swap16()

/** The bytes, repeated until they fill whole blocks. */
const filledBlocks = (bytes: Uint8Array): Buffer => Buffer.alloc(Math.ceil(bytes.length / BLOCK) * BLOCK, bytes)

/** Each block of the input becomes block + digest + 1, as a big-endian number of its own size. */
function addToEachBlock(input: Buffer, digestBlock: Buffer): void {
  for (let start = 0; start < input.length; start += BLOCK) {
    let carry = 1
    for (let at = BLOCK - 1; at >= 0; at--) {
      carry += input[start + at]! + digestBlock[at]!
      input[start + at] = carry & 0xff
      carry >>= 8
    }
  }
}
