// How PKCS#12 files encrypt their contents under a password (RFC 7292 appendix B, RFC 8018).
import forge from 'node-forge'
import { type Binary, type Node, numberOf, octets, oidOf, parts } from './asn1.ts'
import { KeyProblem } from './key-problem.ts'

const PBES2 = '1.2.840.113549.1.5.13'

const ciphers: Readonly<Record<string, { readonly name: forge.cipher.Algorithm; readonly keyBytes: number }>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'AES-CBC', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'AES-CBC', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'AES-CBC', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: '3DES-CBC', keyBytes: 24 },
}

type Hash = 'SHA-1' | 'SHA-256' | 'SHA-384' | 'SHA-512'

const hmacs: Readonly<Record<string, Hash>> = {
  '1.2.840.113549.2.7': 'SHA-1',
  '1.2.840.113549.2.9': 'SHA-256',
  '1.2.840.113549.2.10': 'SHA-384',
  '1.2.840.113549.2.11': 'SHA-512',
}

const INTEGER = 2

/** Decrypts with a password; throws when it is wrong. */
export async function decrypt(algorithm: Node, encrypted: Binary, password: string): Promise<Binary> {
  const cipher = await cipherOf(algorithm, password)
  cipher.update(forge.util.createBuffer(encrypted))
  if (!cipher.finish()) throw new KeyProblem('wrong-password')
  return cipher.output.getBytes()
}

async function cipherOf(algorithm: Node, password: string): Promise<forge.cipher.BlockCipher> {
  const [oid, parameters] = parts(algorithm)
  if (oidOf(oid) === PBES2) return modernCipher(parameters, password)
  try {
    // The legacy schemes: 3DES and RC2 with the key derivation of PKCS#12.
    return oldCiphers.getCipher(oidOf(oid), parameters, password)
  } catch (cause) {
    throw new KeyProblem('unsupported', { cause })
  }
}

/** A part of the library that its types omit. */
const oldCiphers = (
  forge.pki as unknown as {
    pbe: { getCipher(oid: string, parameters: Node | undefined, password: string): forge.cipher.BlockCipher }
  }
).pbe

async function modernCipher(parameters: Node | undefined, password: string): Promise<forge.cipher.BlockCipher> {
  const [derivation, scheme] = parts(parameters)
  const [schemeOid, iv] = parts(scheme)
  const known = ciphers[oidOf(schemeOid)]
  if (!known) throw new KeyProblem('unsupported')
  const key = await deriveKey(parts(derivation)[1], password, known.keyBytes)
  const cipher = forge.cipher.createDecipher(known.name, key)
  cipher.start({ iv: octets(iv) })
  return cipher
}

async function deriveKey(parameters: Node | undefined, password: string, keyBytes: number): Promise<Binary> {
  const [salt, rounds, ...more] = parts(parameters)
  const prf = more.find(({ type }) => Number(type) !== INTEGER)
  const hash = prf ? hmacs[oidOf(parts(prf)[0])] : 'SHA-1'
  if (!hash) throw new KeyProblem('unsupported')
  const derivation = { salt: octets(salt), iterations: numberOf(rounds), hash }
  return crypto.subtle ? deriveNatively(derivation, password, keyBytes) : deriveSlowly(derivation, password, keyBytes)
}

interface Derivation {
  readonly salt: Binary
  readonly iterations: number
  readonly hash: Hash
}

/** With WebCrypto: newer files use hundreds of thousands of iterations. */
async function deriveNatively({ salt, iterations, hash }: Derivation, password: string, keyBytes: number) {
  const text = new TextEncoder().encode(password)
  const base = await crypto.subtle.importKey('raw', text, 'PBKDF2', false, ['deriveBits'])
  const parameters = { name: 'PBKDF2', salt: bytesOf(salt), iterations, hash }
  return binaryOf(new Uint8Array(await crypto.subtle.deriveBits(parameters, base, keyBytes * 8)))
}

/** Browsers provide no WebCrypto to pages served over plain http. */
const deriveSlowly = ({ salt, iterations, hash }: Derivation, password: string, keyBytes: number): Binary =>
  forge.pkcs5.pbkdf2(
    forge.util.encodeUtf8(password),
    salt,
    iterations,
    keyBytes,
    forge.md[hash.toLowerCase().replace('-', '') as 'sha1' | 'sha256' | 'sha384' | 'sha512'].create(),
  )

const bytesOf = (binary: Binary) => Uint8Array.from(binary, (character) => character.charCodeAt(0))

export const binaryOf = (bytes: Uint8Array): Binary => forge.util.binary.raw.encode(bytes)
