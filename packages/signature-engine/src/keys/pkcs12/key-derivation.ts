import { hash, pbkdf2Sync } from 'node:crypto'
import { type DerValue, readDer } from '../../der/der-value.ts'
import { tags } from '../../der/tags.ts'
import type { DerivationBudget } from './derivation-budget.ts'
import { damaged, unsupported } from './errors.ts'

export type DerivationHash = 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512'

interface HashShape {
  /** Bytes of a digest. */
  readonly bytes: number
  /** Bytes of an input block. */
  readonly block: number
}

const shapes: Readonly<Record<DerivationHash, HashShape>> = {
  sha1: { bytes: 20, block: 64 },
  sha224: { bytes: 28, block: 64 },
  sha256: { bytes: 32, block: 64 },
  sha384: { bytes: 48, block: 128 },
  sha512: { bytes: 64, block: 128 },
}

export const digestBytes = (algorithm: DerivationHash): number => shapes[algorithm].bytes

/** HMAC algorithms (RFC 8018 §B.1.2). */
const hmacs: Readonly<Record<string, DerivationHash>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
}

/** RFC 7292 appendix B.3: what a derived value is for. */
export const derivedFor = { key: 1, iv: 2, mac: 3 } as const

export interface WideDerivation {
  readonly hash: DerivationHash
  readonly salt: Uint8Array
  readonly iterations: number
}

/** RFC 7292 appendix B.2: the derivation of PKCS#12's own, over a password of wide characters. */
export function deriveWide(
  { hash: algorithm, salt, iterations }: WideDerivation,
  password: Uint8Array,
  purpose: number,
  length: number,
  budget: DerivationBudget,
): Buffer {
  const { bytes, block } = shapes[algorithm]
  const diversifier = Buffer.alloc(block, purpose)
  const input = Buffer.concat([filledBlocks(salt, block), filledBlocks(password, block)])
  const derived: Buffer[] = []
  for (let made = 0; made < length; made += bytes) {
    budget.spend(iterations)
    let digest = hash(algorithm, Buffer.concat([diversifier, input]), 'buffer')
    for (let round = 1; round < iterations; round++) digest = hash(algorithm, digest, 'buffer')
    derived.push(digest)
    addToEachBlock(input, filledBlocks(digest, block), block)
  }
  input.fill(0)
  return Buffer.concat(derived).subarray(0, length)
}

/** The bytes, repeated until they fill whole blocks. */
const filledBlocks = (bytes: Uint8Array, block: number): Buffer =>
  bytes.length === 0 ? Buffer.alloc(0) : Buffer.alloc(Math.ceil(bytes.length / block) * block, bytes)

/** Each block of the input becomes block + digest + 1, as a big-endian number of its own size. */
function addToEachBlock(input: Buffer, digestBlock: Buffer, block: number): void {
  for (let start = 0; start < input.length; start += block) {
    let carry = 1
    for (let at = block - 1; at >= 0; at--) {
      carry += input[start + at]! + digestBlock[at]!
      input[start + at] = carry & 0xff
      carry >>= 8
    }
  }
}

interface NarrowDerivation {
  readonly hash: DerivationHash
  readonly salt: Uint8Array
  readonly iterations: number
  /** Given in the file only where the cipher leaves it open. */
  readonly keyLength: number | undefined
}

const PBKDF2 = '1.2.840.113549.1.5.12'

/** PBKDF2-params of RFC 8018 appendix A.2. */
export function readPbkdf2(identifier: DerValue): NarrowDerivation {
  const algorithm = identifier.sequence()
  const oid = algorithm.next().oid()
  if (oid !== PBKDF2) throw unsupported(`the key derivation ${oid}`)
  const fields = algorithm.next().sequence()
  const salt = fields.next().octets()
  const iterations = iterationsOf(fields.next())
  const keyLength = fields.optional(tags.integer)?.smallInteger()
  const prf = fields.done ? 'sha1' : hmacOf(fields.next())
  return { hash: prf, salt, iterations, keyLength }
}

/** PBKDF2, natively. */
export function deriveNarrow(
  { hash: algorithm, salt, iterations }: NarrowDerivation,
  password: Uint8Array,
  length: number,
  budget: DerivationBudget,
): Buffer {
  budget.spend(iterations * Math.ceil(length / shapes[algorithm].bytes))
  return pbkdf2Sync(password, salt, iterations, length, algorithm)
}

/** The hash of an HMAC's AlgorithmIdentifier. */
export function hmacOf(identifier: DerValue): DerivationHash {
  const oid = identifier.sequence().next().oid()
  const algorithm = hmacs[oid]
  if (!algorithm) throw unsupported(`the HMAC ${oid}`)
  return algorithm
}

export function iterationsOf(value: DerValue): number {
  const iterations = value.smallInteger()
  if (iterations < 1) throw damaged('a derivation of no rounds')
  return iterations
}

/** Salt and rounds, as the password encryption of PKCS#12 and PKCS#5 v1 keeps them. */
export function readSaltAndRounds(parameters: Uint8Array): { salt: Buffer; iterations: number } {
  const fields = readDer(parameters).sequence()
  return { salt: fields.next().octets(), iterations: iterationsOf(fields.next()) }
}
