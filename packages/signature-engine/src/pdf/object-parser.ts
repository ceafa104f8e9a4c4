import { commonName, nameHash } from './common-names.ts'
import { damaged, tooComplex } from './errors.ts'
import { limits } from './limits.ts'
import type { PdfDict, PdfName, PdfObject, PdfString } from './pdf-object.ts'

const REGULAR = 0
const WHITE = 1
const DELIMITER = 2

/** ISO 32000-1 §7.2.2: every byte is white space, a delimiter, or regular. */
const CLASS = new Uint8Array(256)
for (const byte of [0, 9, 10, 12, 13, 32]) CLASS[byte] = WHITE
for (const char of '()<>[]{}/%') CLASS[char.charCodeAt(0)] = DELIMITER

/** Value of a hexadecimal digit, 255 for any other byte. */
const HEX = new Uint8Array(256).fill(255)
for (let digit = 0; digit < 16; digit++) {
  HEX[digit.toString(16).charCodeAt(0)] = digit
  HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit
}

const CR = 13
const LF = 10
const ESCAPES: Readonly<Record<number, number>> = { 110: 10, 114: 13, 116: 9, 98: 8, 102: 12 }

/** How many bytes of a number token are read: no file needs a longer number. */
const LONGEST_NUMBER = 64

export const isWhite = (byte: number | undefined): boolean => byte !== undefined && CLASS[byte] === WHITE

/**
 * Reads PDF objects from bytes at a moving position. Working on bytes and a position, without tokens in between, makes
 * opening a file cost only microseconds: the signing path reads just four objects.
 */
export class ObjectParser {
  readonly bytes: Buffer
  /** Whether the bytes are the file itself, so that positions of strings are file offsets. */
  private readonly inFile: boolean
  /** Where in the file the first of the bytes stands, when they are a part of it. */
  readonly base: number
  pos: number
  private depth = 0

  constructor(bytes: Uint8Array, pos: number, inFile: boolean, base = 0) {
    this.bytes = asBuffer(bytes)
    this.pos = pos
    this.inFile = inFile
    this.base = base
  }

  /** The position in the file. */
  get place(): number {
    return this.base + this.pos
  }

  /** Reads one object; references stay references. */
  value(): PdfObject {
    this.skipWhite()
    const byte = this.bytes[this.pos]
    switch (byte) {
      case 0x2f:
        return this.name()
      case 0x3c:
        return this.bytes[this.pos + 1] === 0x3c ? this.dict() : this.hexString()
      case 0x28:
        return this.literalString()
      case 0x5b:
        return this.array()
      default:
        return startsNumber(byte) ? this.numberOrRef() : this.keywordValue()
    }
  }

  /** Reads a dictionary whose `<<` is at the position. */
  dict(): PdfDict {
    const start = this.pos
    this.enter()
    this.pos += 2
    const entries = new Map<string, PdfObject>()
    let count = 0
    for (;;) {
      this.skipWhite()
      const byte = this.bytes[this.pos]
      if (byte === 0x3e && this.bytes[this.pos + 1] === 0x3e) break
      if (byte !== 0x2f) throw this.damaged(this.pos, 'a dictionary key is not a name')
      const key = this.nameText()
      if (++count > limits.elements) throw tooComplex('too many dictionary entries')
      entries.set(key, this.value())
      // Readers disagree on which of two equal keys counts: the one a signer saw need not be the one a viewer shows.
      if (entries.size < count) throw this.damaged(start, `the dictionary has the key ${key} twice`)
    }
    this.pos += 2
    this.depth--
    return entries
  }

  /** Skips white space and comments. */
  skipWhite(): void {
    const { bytes } = this
    for (;;) {
      const byte = bytes[this.pos]
      if (byte === undefined) return
      if (byte === 0x25) this.skipComment()
      else if (CLASS[byte] === WHITE) this.pos++
      else return
    }
  }

  /** Reads an unsigned integer, or returns undefined and does not move. */
  unsigned(): number | undefined {
    const { bytes } = this
    let at = this.pos
    let value = 0
    for (let byte = bytes[at]; byte !== undefined && byte >= 0x30 && byte <= 0x39; byte = bytes[++at]) {
      value = value * 10 + (byte - 0x30)
    }
    if (at === this.pos || at - this.pos > 15 || this.isRegular(at)) return undefined
    this.pos = at
    return value
  }

  /** Skips a keyword when it is at the position. */
  keyword(text: string): boolean {
    for (let i = 0; i < text.length; i++) {
      if (this.bytes[this.pos + i] !== text.charCodeAt(i)) return false
    }
    if (this.isRegular(this.pos + text.length)) return false
    this.pos += text.length
    return true
  }

  private isRegular(at: number): boolean {
    const byte = this.bytes[at]
    return byte !== undefined && CLASS[byte] === REGULAR
  }

  private skipComment(): void {
    for (let byte = this.bytes[this.pos]; byte !== undefined && byte !== CR && byte !== LF; )
      byte = this.bytes[++this.pos]
  }

  private enter(): void {
    if (++this.depth > limits.nesting) throw tooComplex('objects are nested too deeply')
  }

  private array(): PdfObject {
    this.enter()
    this.pos++
    const elements: PdfObject[] = []
    for (;;) {
      this.skipWhite()
      if (this.bytes[this.pos] === 0x5d) break
      if (this.pos >= this.bytes.length) throw this.damaged(this.pos, 'an array does not end')
      if (elements.length >= limits.elements) throw tooComplex('too many array elements')
      elements.push(this.value())
    }
    this.pos++
    this.depth--
    return elements
  }

  private name(): PdfName {
    return { kind: 'name', name: this.nameText() }
  }

  private nameText(): string {
    const { bytes } = this
    const start = ++this.pos
    let at = start
    let hash = 0
    let escaped = false
    for (let byte = bytes[at]; byte !== undefined && CLASS[byte] === REGULAR; byte = bytes[++at]) {
      if (byte === 0x23) escaped = true
      hash = nameHash(hash, byte)
    }
    this.pos = at
    const common = commonName(bytes, start, at, hash)
    if (common !== undefined) return common
    const text = bytes.toString('latin1', start, at)
    return escaped
      ? text.replace(/#([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : text
  }

  private numberOrRef(): PdfObject {
    const number = this.number()
    if (!Number.isSafeInteger(number) || number < 0) return number
    const after = this.pos
    if (isWhite(this.bytes[after])) {
      this.skipWhite()
      const gen = this.unsigned()
      if (gen !== undefined && isWhite(this.bytes[this.pos])) {
        this.skipWhite()
        if (this.bytes[this.pos] === 0x52 && this.keyword('R')) return { kind: 'ref', num: number, gen }
      }
    }
    this.pos = after
    return number
  }

  private number(): number {
    const start = this.pos
    const plain = this.unsigned()
    if (plain !== undefined) return plain
    while (this.isRegular(this.pos)) this.pos++
    const text = this.bytes.toString('latin1', start, Math.min(this.pos, start + LONGEST_NUMBER))
    if (this.pos - start > LONGEST_NUMBER || !/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text)) {
      throw this.damaged(start, 'a number cannot be read')
    }
    return Number(text)
  }

  private keywordValue(): PdfObject {
    if (this.keyword('null')) return null
    if (this.keyword('true')) return true
    if (this.keyword('false')) return false
    throw this.damaged(this.pos, this.pos >= this.bytes.length ? 'the file ends inside an object' : 'no object is here')
  }

  private hexString(): PdfString {
    const { bytes } = this
    const start = this.pos
    const close = bytes.indexOf(0x3e, start)
    if (close < 0) throw this.damaged(start, 'a hexadecimal string does not end')
    const plain = plainHex(bytes, start + 1, close)
    if (plain) {
      this.pos = close + 1
      return this.string(plain, true, start)
    }
    const out = new Uint8Array((close - start) >> 1)
    let digits = 0
    for (let at = start + 1; at < close; at++) {
      const digit = HEX[bytes[at]!]!
      if (digit === 255) {
        if (isWhite(bytes[at])) continue
        throw this.damaged(at, 'a hexadecimal string holds another character')
      }
      out[digits >> 1] = digits & 1 ? out[digits >> 1]! | digit : digit << 4
      digits++
    }
    this.pos = close + 1
    return this.string(out.subarray(0, (digits + 1) >> 1), true, start)
  }

  private literalString(): PdfString {
    const { bytes } = this
    const start = this.pos
    const out: number[] = []
    let open = 1
    let at = start + 1
    for (;;) {
      let byte = bytes[at++]
      if (byte === undefined) throw this.damaged(start, 'a string does not end')
      if (byte === 0x28) open++
      else if (byte === 0x29 && --open === 0) break
      else if (byte === CR) {
        // §7.3.4.2: an end of line within a string is one line feed, however it is written.
        if (bytes[at] === LF) at++
        byte = LF
      } else if (byte === 0x5c) {
        const escaped = bytes[at++]
        if (escaped === undefined) throw this.damaged(start, 'a string does not end')
        if (escaped >= 0x30 && escaped <= 0x37) {
          byte = escaped - 0x30
          for (let more = 0; more < 2 && bytes[at]! >= 0x30 && bytes[at]! <= 0x37; more++) {
            byte = (byte << 3) + bytes[at++]! - 0x30
          }
        } else if (escaped === CR || escaped === LF) {
          if (escaped === CR && bytes[at] === LF) at++
          continue
        } else byte = ESCAPES[escaped] ?? escaped
      }
      out.push(byte & 255)
    }
    this.pos = at
    return this.string(Uint8Array.from(out), false, start)
  }

  private string(bytes: Uint8Array, hex: boolean, start: number): PdfString {
    if (!this.inFile) return { kind: 'string', bytes, hex }
    return { kind: 'string', bytes, hex, start: this.base + start, end: this.base + this.pos }
  }

  private damaged(at: number, reason: string) {
    return damaged(this.base + at, reason)
  }
}

/** Short strings cost less digit by digit than as text. */
const PLAIN_FROM = 64

/**
 * The bytes of a long hexadecimal string that contains only digits, as signatures do; the runtime parses those twenty
 * times faster. It stops at anything else, so a result that is too short must be parsed the slow way.
 */
function plainHex(bytes: Buffer, start: number, end: number): Uint8Array | undefined {
  if (end - start < PLAIN_FROM || (end - start) % 2 !== 0) return undefined
  const plain = Buffer.from(bytes.toString('latin1', start, end), 'hex')
  return plain.length === (end - start) / 2 ? plain : undefined
}

const startsNumber = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e)

/** The same bytes as a buffer, which converts them to text faster than any loop. */
export const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
