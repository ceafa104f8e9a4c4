import type { Hash } from 'node:crypto'
import { type DigestName, digestAlgorithms } from '../crypto/algorithms.ts'
import { startDigest } from '../crypto/digest.ts'
import { refusePades } from './errors.ts'

/**
 * Appended bytes with a gap for the signature. The gap is counted from the start of the appended bytes and runs from
 * the `<` of /Contents to after its `>`: exactly what /ByteRange leaves out.
 */
export interface HoledRevision {
  readonly appended: Buffer
  readonly holeStart: number
  readonly holeEnd: number
}

/**
 * The same without the digits, until the signature is available: `<` and `>` are adjacent, and storing, sealing and
 * hashing the revision costs nothing for a gap that is mostly larger than all the rest.
 */
export interface ClosedRevision {
  readonly appended: Uint8Array
  /** Offset of the `<` in the appended bytes. */
  readonly holeStart: number
  /** Bytes for the signature: two digits each. */
  readonly room: number
}

/** The room for a signature in a gap, in bytes: two digits each, without the two brackets. */
export const roomIn = ({ holeStart, holeEnd }: HoledRevision): number => (holeEnd - holeStart - 2) >> 1

/**
 * Digest of everything but the gap. `carried` is the state after hashing exactly the document's bytes in an earlier
 * pass; it is copied, never changed, and saves most of the work.
 */
export function digestAroundHole(
  document: Uint8Array,
  { appended, holeStart, holeEnd }: HoledRevision,
  algorithm: DigestName,
  carried?: Hash,
): Buffer {
  const hash = carried ? carried.copy() : startDigest(algorithm).update(document)
  const digest = hash.update(appended.subarray(0, holeStart)).update(appended.subarray(holeEnd)).digest()
  if (digest.length !== digestAlgorithms[algorithm].bytes)
    throw refusePades('pades.digest-state', { digest: algorithm })
  return digest
}

/** Writes the signature into the gap of appended bytes; the rest of the room stays zero. */
export function fillHole(appended: Buffer, hole: HoledRevision, signature: Uint8Array): void {
  const reserved = roomIn(hole)
  if (signature.length > reserved) throw refusePades('pades.hole-too-small', { needed: signature.length, reserved })
  appended.write(toHex(signature), hole.holeStart + 1, 'latin1')
}

/** The document, if requested, and the revision after it with its gap opened and the signature's pieces inside. */
export function withSignature(
  document: Uint8Array | null,
  { appended, holeStart, room }: ClosedRevision,
  signature: readonly Uint8Array[],
): Buffer {
  const start = document ? document.length : 0
  const digitsEnd = start + holeStart + 1 + 2 * room
  requireRoom(signature, room)
  // Every byte is written below, so none needs to be cleared first.
  const output = Buffer.allocUnsafe(start + appended.length + 2 * room)
  if (document) output.set(document)
  output.set(appended.subarray(0, holeStart + 1), start)
  let at = start + holeStart + 1
  for (const piece of signature) at = writeDigits(output, at, piece)
  output.fill(ZERO_DIGIT, at, digitsEnd)
  output.set(appended.subarray(holeStart + 1), digitsEnd)
  return output
}

function requireRoom(signature: readonly Uint8Array[], reserved: number): void {
  let needed = 0
  for (const piece of signature) needed += piece.length
  if (needed > reserved) throw refusePades('pades.hole-too-small', { needed, reserved })
}

const ZERO_DIGIT = 0x30

/** Pieces from this size on are certificates, the same in all signatures of a key: their digits are cached. */
const KEPT_FROM = 1024
const keptDigits = new WeakMap<Uint8Array, Buffer>()

/** Writes bytes as hexadecimal digits and returns where they end. */
function writeDigits(output: Buffer, at: number, bytes: Uint8Array): number {
  if (bytes.length < KEPT_FROM) output.write(toHex(bytes), at, 'latin1')
  else output.set(digitsOf(bytes), at)
  return at + 2 * bytes.length
}

function digitsOf(bytes: Uint8Array): Buffer {
  let digits = keptDigits.get(bytes)
  if (!digits) {
    digits = Buffer.from(toHex(bytes), 'latin1')
    keptDigits.set(bytes, digits)
  }
  return digits
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
