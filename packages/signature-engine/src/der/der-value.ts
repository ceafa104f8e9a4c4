import { requireArguments } from '../errors/arguments.ts'
import { refuseDer } from './errors.ts'
import { tags } from './tags.ts'

/** Members of one constructed value; certificates and signatures have tens, an attack has millions. */
const MAX_MEMBERS = 100_000

/**
 * One value of a DER encoding, read in place: nothing is copied, the original bytes are always available (`raw`), and
 * members are read only on demand. Lengths must be definite and minimal; anything else is refused, never repaired.
 */
export class DerValue {
  readonly source: Uint8Array
  readonly tag: number
  readonly start: number
  readonly contentStart: number
  readonly end: number

  constructor(source: Uint8Array, start: number, limit: number) {
    const tag = source[start]
    if (start + 2 > limit || tag === undefined) throw refuseDer('der.truncated', { offset: start })
    // Tag numbers above 30 take several bytes; no supported structure has one.
    if ((tag & 0x1f) === 0x1f) throw refuseDer('der.bad-tag', { offset: start })
    const first = source[start + 1]!
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f
    const contentStart = start + 2 + lengthBytes
    this.source = source
    this.tag = tag
    this.start = start
    this.contentStart = contentStart
    this.end =
      contentStart + (lengthBytes === 0 ? definite(first, start) : longLength(source, start, lengthBytes, limit))
    if (this.end > limit) throw refuseDer('der.truncated', { offset: start })
  }

  /** Tag, length and content, in their original bytes. */
  get raw(): Buffer {
    return view(this.source, this.start, this.end)
  }

  get content(): Buffer {
    return view(this.source, this.contentStart, this.end)
  }

  get length(): number {
    return this.end - this.contentStart
  }

  /** This value; refused if it has another tag. */
  expect(tag: number): this {
    if (this.tag !== tag) throw this.#unexpected(tagName(tag))
    return this
  }

  /** The members of a constructed value. */
  members(): DerValue[] {
    const members: DerValue[] = []
    for (let at = this.contentStart; at < this.end; ) {
      const member = new DerValue(this.source, at, this.end)
      if (members.length >= MAX_MEMBERS) throw refuseDer('der.too-many', { limit: MAX_MEMBERS })
      members.push(member)
      at = member.end
    }
    return members
  }

  /** A reader over the members of this SEQUENCE, in their order. */
  sequence(): DerMembers {
    return new DerMembers(this.expect(tags.sequence))
  }

  /** A reader over the members, for any tag (implicitly tagged structures). */
  inside(): DerMembers {
    if ((this.tag & 0x20) === 0) throw this.#unexpected('a constructed value')
    return new DerMembers(this)
  }

  /** The single value inside an explicit tag. */
  unwrap(): DerValue {
    const inside = this.inside()
    const value = inside.next()
    inside.end()
    return value
  }

  /** The content of an INTEGER, big-endian two's complement, as it stands. */
  integer(): Buffer {
    this.expect(tags.integer)
    if (this.length === 0) throw this.bad('INTEGER')
    return this.content
  }

  /** A non-negative INTEGER (or ENUMERATED) that fits a number. */
  smallInteger(): number {
    if (this.tag !== tags.integer && this.tag !== tags.enumerated) throw this.#unexpected('INTEGER')
    if (this.length === 0 || this.length > 6 || this.source[this.contentStart]! >= 0x80) throw this.bad('small INTEGER')
    return this.content.readUIntBE(0, this.length)
  }

  boolean(): boolean {
    this.expect(tags.boolean)
    if (this.length !== 1) throw this.bad('BOOLEAN')
    return this.source[this.contentStart] !== 0
  }

  /** An OBJECT IDENTIFIER in dotted form. */
  oid(): string {
    this.expect(tags.oid)
    return dotted(this)
  }

  /** The bytes of an OCTET STRING. */
  octets(): Buffer {
    return this.expect(tags.octetString).content
  }

  /** The bytes of a BIT STRING that holds whole bytes. */
  bits(): Buffer {
    this.expect(tags.bitString)
    if (this.length === 0 || this.source[this.contentStart] !== 0) throw this.bad('BIT STRING of whole bytes')
    return view(this.source, this.contentStart + 1, this.end)
  }

  /** The positions set in a named-bit BIT STRING; bit 0 is the leftmost. */
  namedBits(): Set<number> {
    this.expect(tags.bitString)
    if (this.length === 0 || this.length > 9) throw this.bad('BIT STRING of named bits')
    const bytes = view(this.source, this.contentStart + 1, this.end)
    const set = new Set<number>()
    for (let bit = 0; bit < bytes.length * 8; bit++) if (bytes[bit >> 3]! & (0x80 >> (bit & 7))) set.add(bit)
    return set
  }

  /** The text of any character string type of X.680 that certificates use. */
  text(): string {
    const decode = textDecoders[this.tag]
    if (!decode) throw this.#unexpected('a character string')
    return decode(this.content)
  }

  isText(): boolean {
    return this.tag in textDecoders
  }

  /** UTCTime or GeneralizedTime; fractions of a second are read to the millisecond. */
  time(): Date {
    const time = this.tag === tags.utcTime ? utcTime(this.content) : generalizedTime(this.expect(tags.generalizedTime))
    if (time === undefined || Number.isNaN(time.getTime())) throw this.bad('time')
    return time
  }

  bad(expected: string) {
    return refuseDer('der.bad-value', { expected, offset: this.start })
  }

  #unexpected(expected: string) {
    return refuseDer('der.unexpected', { expected, found: tagName(this.tag), offset: this.start })
  }
}

/** Reads the members of one structure in order; what is left at `end()` is refused. */
export class DerMembers {
  readonly #parent: DerValue
  #at: number

  constructor(parent: DerValue) {
    this.#parent = parent
    this.#at = parent.contentStart
  }

  get done(): boolean {
    return this.#at >= this.#parent.end
  }

  /** The tag of the next member, or undefined behind the last. */
  get nextTag(): number | undefined {
    return this.done ? undefined : this.#parent.source[this.#at]
  }

  next(tag?: number): DerValue {
    if (this.done) throw refuseDer('der.truncated', { offset: this.#parent.start })
    const value = new DerValue(this.#parent.source, this.#at, this.#parent.end)
    if (tag !== undefined) value.expect(tag)
    this.#at = value.end
    return value
  }

  /** The next member when it has this tag. */
  optional(tag: number): DerValue | undefined {
    return this.nextTag === tag ? this.next() : undefined
  }

  rest(): DerValue[] {
    const values: DerValue[] = []
    while (!this.done) {
      if (values.length >= MAX_MEMBERS) throw refuseDer('der.too-many', { limit: MAX_MEMBERS })
      values.push(this.next())
    }
    return values
  }

  /** The structure must end here. */
  end(): void {
    if (!this.done) throw refuseDer('der.trailing', { offset: this.#at })
  }
}

/** The one value these bytes hold; trailing bytes are refused. */
export function readDer(bytes: Uint8Array): DerValue {
  requireArguments('readDer', { bytes: [bytes, 'bytes'] })
  const value = new DerValue(bytes, 0, bytes.length)
  if (value.end !== bytes.length) throw refuseDer('der.trailing', { offset: value.end })
  return value
}

/** The value at the start of these bytes, whatever follows it (padding of a PDF signature, further certificates). */
export function readFirstDer(bytes: Uint8Array, start = 0): DerValue {
  requireArguments('readFirstDer', { bytes: [bytes, 'bytes'] })
  return new DerValue(bytes, start, bytes.length)
}

/** The members of a constructed value, each with its own tag and length. */
export const membersOf = (constructed: Uint8Array): Buffer[] =>
  readFirstDer(constructed)
    .members()
    .map(({ raw }) => raw)

/** The bytes after tag and length. */
export const contentOf = (value: Uint8Array): Buffer => readFirstDer(value).content

const view = (source: Uint8Array, start: number, end: number): Buffer =>
  Buffer.from(source.buffer, source.byteOffset + start, end - start)

function definite(first: number, offset: number): number {
  if (first >= 0x80) throw refuseDer('der.bad-length', { offset }) // 0x80 is BER's indefinite form
  return first
}

// X.690 §10.1: the shortest form. Six length bytes describe more than any file; more is an attack or garbage.
function longLength(source: Uint8Array, start: number, lengthBytes: number, limit: number): number {
  if (lengthBytes > 6) throw refuseDer('der.bad-length', { offset: start })
  if (start + 2 + lengthBytes > limit) throw refuseDer('der.truncated', { offset: start })
  let length = 0
  for (let at = start + 2; at < start + 2 + lengthBytes; at++) length = length * 256 + source[at]!
  if (source[start + 2] === 0 || length < 0x80) throw refuseDer('der.bad-length', { offset: start })
  return length
}

function dotted(value: DerValue): string {
  const arcs: bigint[] = []
  let arc = 0n
  let complete = false
  // Arcs of UUIDs have 128 bits; 64 bytes leave room for every identifier in use.
  if (value.length === 0 || value.length > 64) throw value.bad('OBJECT IDENTIFIER')
  for (const byte of value.content) {
    arc = (arc << 7n) | BigInt(byte & 0x7f)
    complete = byte < 0x80
    if (!complete) continue
    arcs.push(arc)
    arc = 0n
  }
  if (!complete) throw value.bad('OBJECT IDENTIFIER')
  const head = arcs[0]!
  const first = head < 40n ? 0n : head < 80n ? 1n : 2n
  return [first, head - first * 40n, ...arcs.slice(1)].join('.')
}

const latin1 = (bytes: Buffer): string => bytes.toString('latin1')
const utf16 = (bytes: Buffer): string =>
  Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')

const textDecoders: Readonly<Record<number, (bytes: Buffer) => string>> = {
  [tags.utf8String]: (bytes) => bytes.toString('utf8'),
  [tags.numericString]: latin1,
  [tags.printableString]: latin1,
  [tags.teletexString]: latin1,
  [tags.ia5String]: latin1,
  [tags.visibleString]: latin1,
  [tags.bmpString]: utf16,
}

const UTC_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?Z$/
const GENERALIZED_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:[.,](\d{1,9}))?Z$/

// RFC 5280 §4.1.2.5.1: two digits below 50 are of this century.
function utcTime(content: Buffer): Date | undefined {
  const match = UTC_TIME.exec(content.toString('latin1'))
  if (!match) return undefined
  const year = Number(match[1])
  return utc(year < 50 ? 2000 + year : 1900 + year, match, 0)
}

function generalizedTime(value: DerValue): Date | undefined {
  const match = GENERALIZED_TIME.exec(value.content.toString('latin1'))
  if (!match) return undefined
  return utc(Number(match[1]), match, Number((match[7] ?? '').padEnd(3, '0').slice(0, 3)))
}

function utc(
  year: number,
  [, , month, day, hour, minute, second = '00']: RegExpExecArray,
  ms: number,
): Date | undefined {
  const at = new Date(Date.UTC(year, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), ms))
  // A 31st of February would roll over into March.
  return at.getUTCMonth() === Number(month) - 1 && at.getUTCHours() === Number(hour) ? at : undefined
}

const tagName = (tag: number): string =>
  Object.entries(tags).find(([, value]) => value === tag)?.[0] ?? `tag 0x${tag.toString(16).padStart(2, '0')}`
