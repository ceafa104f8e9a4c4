import { oid } from '../der/der-writer.ts'
import { contentTypes } from './oids.ts'

/** Identifier and length bytes of a DER value whose content is written elsewhere. On the signing path, hence by cases. */
export function derHeader(tag: number, length: number): Buffer {
  if (length < 0x80) return Buffer.of(tag, length)
  if (length < 0x100) return Buffer.of(tag, 0x81, length)
  if (length < 0x10000) return Buffer.of(tag, 0x82, length >> 8, length & 0xff)
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(length, 0, 6)
  const significant = bytes.subarray(bytes.findIndex((byte) => byte !== 0))
  return Buffer.concat([Buffer.of(tag, 0x80 | significant.length), significant])
}

const DATA = oid(contentTypes.data)

/** EncapsulatedContentInfo of plain data, up to the first byte of a content of this length. */
export function encapsulatedHeader(length: number): Buffer {
  const octets = derHeader(0x04, length)
  const tagged = derHeader(0xa0, octets.length + length)
  const whole = derHeader(0x30, DATA.length + tagged.length + octets.length + length)
  return Buffer.concat([whole, DATA, tagged, octets])
}
