import { derHeader, encapsulatedHeader } from '../cms/der-header.ts'
import { contentTypes } from '../cms/oids.ts'
import { readDer } from '../der/der-value.ts'
import { oid } from '../der/der-writer.ts'

/** What stands before and behind the content of an attached signature. */
export interface ContentFrame {
  readonly head: Buffer
  readonly tail: Buffer
}

const SIGNED_DATA = oid(contentTypes.signedData)
const DATA = oid(contentTypes.data)

/** The SignedData of a detached signature, cut where the content goes. */
function cut(detached: Buffer): { before: Buffer; after: Buffer } {
  const [, tagged] = readDer(detached).members()
  const [version, digests, encapsulated] = tagged!.unwrap().members()
  return {
    before: detached.subarray(version!.start, digests!.end),
    after: detached.subarray(encapsulated!.end),
  }
}

/** DER around a content of this length. */
export function derFrame(detached: Buffer, length: number): ContentFrame {
  const { before, after } = cut(detached)
  const encapsulated = encapsulatedHeader(length)
  const bodyLength = before.length + encapsulated.length + length + after.length
  const body = derHeader(0x30, bodyLength)
  const wrapper = derHeader(0xa0, body.length + bodyLength)
  const outer = derHeader(0x30, SIGNED_DATA.length + wrapper.length + body.length + bodyLength)
  return {
    head: Buffer.concat([outer, SIGNED_DATA, wrapper, body, before, encapsulated]),
    tail: Buffer.from(after),
  }
}

const INDEFINITE = 0x80
const END = Buffer.alloc(2)

/** BER with indefinite lengths: nothing needs to be known before the first byte goes out. */
export const berHead = (before: Buffer): Buffer =>
  Buffer.concat([
    Buffer.of(0x30, INDEFINITE),
    SIGNED_DATA,
    Buffer.of(0xa0, INDEFINITE, 0x30, INDEFINITE),
    before,
    Buffer.of(0x30, INDEFINITE),
    DATA,
    Buffer.of(0xa0, INDEFINITE, 0x24, INDEFINITE),
  ])

/** One piece of an OCTET STRING in pieces. */
export const berPiece = (bytes: Uint8Array): Uint8Array[] =>
  bytes.length > 0 ? [derHeader(0x04, bytes.length), bytes] : []

/** The ends of content, tag and EncapsulatedContentInfo; what follows them in the detached signature; three ends more. */
export const berTail = (detached: Buffer): Buffer => Buffer.concat([END, END, END, cut(detached).after, END, END, END])

/** Version and digest algorithms: all that the head has to know of a signature still to be made. */
export const beforeContent = (detached: Buffer): Buffer => cut(detached).before
