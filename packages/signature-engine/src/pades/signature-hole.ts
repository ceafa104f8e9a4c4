import { createHash, type Hash } from 'node:crypto'
import { type DigestName, digestAlgorithms } from '../crypto/algorithms.ts'
import { refusePades } from './errors.ts'

/**
 * Appended bytes with a hole for the signature. The hole is counted from the start of the appended bytes and runs from
 * the `<` of /Contents to behind its `>`: exactly what /ByteRange leaves out.
 */
export interface HoledRevision {
  readonly appended: Buffer
  readonly holeStart: number
  readonly holeEnd: number
}

/** The room for a signature in a hole, in bytes: two digits each, without the two brackets. */
export const roomIn = ({ holeStart, holeEnd }: HoledRevision): number => (holeEnd - holeStart - 2) >> 1

/**
 * Digest of everything but the hole. `carried` is the state after hashing exactly the document's bytes in an earlier
 * pass; it is copied, never changed, and saves the largest part of the work.
 */
export function digestAroundHole(
  document: Uint8Array,
  { appended, holeStart, holeEnd }: HoledRevision,
  algorithm: DigestName,
  carried?: Hash,
): Buffer {
  const hash = carried ? carried.copy() : createHash(algorithm).update(document)
  const digest = hash.update(appended.subarray(0, holeStart)).update(appended.subarray(holeEnd)).digest()
  if (digest.length !== digestAlgorithms[algorithm].bytes)
    throw refusePades('pades.digest-state', { digest: algorithm })
  return digest
}

/** Writes the signature into the hole of appended bytes; the rest of the room stays zero. */
export function fillHole(appended: Buffer, hole: HoledRevision, signature: Uint8Array): void {
  const reserved = roomIn(hole)
  if (signature.length > reserved) throw refusePades('pades.hole-too-small', { needed: signature.length, reserved })
  appended.write(toHex(signature), hole.holeStart + 1, 'latin1')
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
