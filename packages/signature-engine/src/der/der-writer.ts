import { requireArguments } from '../errors/arguments.ts'

// A DER writer that cannot write what breaks signatures: SET OF is always sorted, times never have fractions, and an
// absent DEFAULT or OPTIONAL is left out (`undefined`). The structures built with it read like their ASN.1 modules.

/** One DER value: tag, length and content. */
export type Der = Buffer

type Optional = Der | undefined

// Looked at here and not by `requireArguments` alone: a signature writes hundreds of values.

function der(value: Uint8Array): Uint8Array {
  if (!(value instanceof Uint8Array)) requireArguments('the DER writer', { value: [value, 'bytes'] })
  return value
}

function written(text: string): string {
  if (typeof text !== 'string') requireArguments('the DER writer', { text: [text, 'text'] })
  return text
}

function identifier(dotted: string): string {
  requireArguments('oid', { dotted: [dotted, 'object identifier'] })
  return dotted
}

function moment(at: Date): Date {
  if (!(at instanceof Date)) requireArguments('the DER writer', { at: [at, 'moment'] })
  return at
}

export const sequence = (...members: Optional[]): Der => tlv(0x30, ...present(members))

/** X.690 §11.6: the members of a SET OF are sorted by their encodings. */
export const setOf = (...members: Der[]): Der =>
  tlv(0x31, ...members.toSorted((a, b) => Buffer.compare(der(a), der(b))))

/** `[n] EXPLICIT`: the value keeps its own tag inside. */
export const explicit = (tag: number, value: Der): Der => tlv(0xa0 | tag, value)

/** `[n] IMPLICIT`: the tag replaces the value's own; only the constructed bit is kept. */
export function implicit(tag: number, value: Der): Der {
  const retagged = Buffer.from(der(value))
  retagged[0] = 0x80 | (value[0]! & 0x20) | tag
  return retagged
}

/** A non-negative INTEGER, given as a number or as big-endian bytes. */
export function integer(value: number | Uint8Array): Der {
  const bytes = typeof value === 'number' ? Buffer.from(evenHex(value), 'hex') : Buffer.from(der(value))
  const firstUsed = bytes.findIndex((byte) => byte !== 0)
  const significant = firstUsed < 0 ? Buffer.of(0) : bytes.subarray(firstUsed)
  return significant[0]! >= 0x80 ? tlv(0x02, Buffer.of(0), significant) : tlv(0x02, significant)
}

export function enumerated(value: number): Der {
  requireArguments('enumerated', { value: [value, 'number'] })
  return tlv(0x0a, Buffer.of(value))
}

export const boolean = (value: boolean): Der => tlv(0x01, Buffer.of(value ? 0xff : 0))

export const nothing: Der = Buffer.of(0x05, 0)

export const octetString = (content: Uint8Array): Der => tlv(0x04, content)

export const bitString = (content: Uint8Array, unusedBits = 0): Der => tlv(0x03, Buffer.of(unusedBits), content)

/** A named-bit BIT STRING (key usage, failure info): bit 0 is the leftmost, trailing zero bits are dropped. */
export function namedBits(...positions: number[]): Der {
  for (const position of positions) requireArguments('namedBits', { position: [position, 'number'] })
  if (positions.length === 0) return bitString(Buffer.alloc(0))
  const last = Math.max(...positions)
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1)
  for (const position of positions) bytes[position >> 3]! |= 0x80 >> (position & 7)
  return bitString(bytes, 7 - (last & 7))
}

export function oid(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = identifier(dotted).split('.').map(Number)
  return tlv(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)))
}

export const utf8String = (text: string): Der => tlv(0x0c, Buffer.from(written(text), 'utf8'))
export const printableString = (text: string): Der => tlv(0x13, Buffer.from(written(text), 'latin1'))
export const ia5String = (text: string): Der => tlv(0x16, Buffer.from(written(text), 'latin1'))
export const bmpString = (text: string): Der => tlv(0x1e, Buffer.from(written(text), 'utf16le').swap16())

/** RFC 5280 §4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050 on. */
export const time = (at: Date): Der => (moment(at).getUTCFullYear() < 2050 ? utcTime(at) : generalizedTime(at))

const utcTime = (at: Date): Der => tlv(0x17, Buffer.from(digitsOf(at).slice(2)))

/** To the second: openssl and others refuse fractions in OCSP answers. */
export const generalizedTime = (at: Date): Der => tlv(0x18, Buffer.from(digitsOf(at)))

/** Any value by its identifier byte; the functions above are readable names for it. */
export function tlv(tag: number, ...content: Uint8Array[]): Der {
  if (typeof tag !== 'number') requireArguments('the DER writer', { tag: [tag, 'number'] })
  const length = content.reduce((sum, part) => sum + der(part).length, 0)
  return Buffer.concat([Buffer.of(tag), lengthOctets(length), ...content])
}

function lengthOctets(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const bytes = Buffer.from(evenHex(length), 'hex')
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes])
}

function base128(arc: number): number[] {
  const septets = [arc % 128]
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) septets.unshift(0x80 | (rest % 128))
  return septets
}

function evenHex(value: number): string {
  const hex = value.toString(16)
  return hex.length % 2 === 0 ? hex : `0${hex}`
}

const digitsOf = (at: Date): string => `${moment(at).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`

const present = (members: Optional[]): Der[] => members.filter((member) => member !== undefined)
