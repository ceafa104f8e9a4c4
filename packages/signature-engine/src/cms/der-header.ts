import { oid } from '../der/der-writer.ts'
import { contentTypes } from './oids.ts'

/**
 * Identifier and length bytes of a DER value whose content is written elsewhere. On the signing path, hence case by
 * case, and in Node's buffer pool: `Buffer.of` costs several times as much.
 */
export function derHeader(tag: number, length: number): Buffer {
  const header = Buffer.allocUnsafe(headerLength(length))
  header[0] = tag
  const octets = header.length - 2
  if (octets === 0) header[1] = length
  else {
    header[1] = 0x80 | octets
    header.writeUIntBE(length, 2, octets)
  }
  return header
}

/** Bytes of the header of a value of this length. */
export function headerLength(length: number): number {
  if (length < 0x80) return 2
  if (length < 0x100) return 3
  if (length < 0x10000) return 4
  let octets = 3
  for (let rest = Math.floor(length / 0x1000000); rest > 0; rest = Math.floor(rest / 0x100)) octets++
  return 2 + octets
}

const DATA = oid(contentTypes.data)

/** EncapsulatedContentInfo of plain data, up to the first byte of a content of this length. */
export function encapsulatedHeader(length: number): Buffer {
  const octets = derHeader(0x04, length)
  const tagged = derHeader(0xa0, octets.length + length)
  const whole = derHeader(0x30, DATA.length + tagged.length + octets.length + length)
  return Buffer.concat([whole, DATA, tagged, octets])
}
