import { requireArguments } from '../errors/arguments.ts'
import { tlv } from './der-writer.ts'
import { refuseDer } from './errors.ts'
import { tags } from './tags.ts'

const MAX_DEPTH = 64
/** Strings in pieces that are strings in pieces: OpenSSL reads as many. What only one reader accepts proves nothing. */
const MAX_STRING_DEPTH = 6
/** Streaming writers split a gigabyte into some hundred thousand pieces; more values than this come from an attack. */
const MAX_VALUES = 1_000_000

/**
 * Converts BER of old tools and streaming writers (indefinite lengths, strings in pieces, long-form lengths) to
 * definite minimal lengths. Bytes that are so already are returned unchanged: certificates and signed attributes inside
 * keep their exact encoding. SETs are not sorted, because that would change what others signed.
 */
export function fromBer(bytes: Uint8Array): Uint8Array {
  requireArguments('fromBer', { bytes: [bytes, 'bytes'] })
  return needsNoChange(bytes, 0, bytes.length, 0) ? bytes : new BerReader(bytes).read()
}

// One pass that builds nothing: usually the input is DER already.
function needsNoChange(bytes: Uint8Array, from: number, to: number, depth: number): boolean {
  for (let at = from; at < to; ) {
    const { constructed, contentStart, length, minimal, isString } = header(bytes, at, to)
    if (length === undefined || !minimal || (constructed && isString)) return false
    if (constructed && !needsNoChange(bytes, contentStart, contentStart + length, limited(depth))) return false
    at = contentStart + length
  }
  return true
}

class BerReader {
  readonly #bytes: Uint8Array
  #at = 0
  #values = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  read(): Buffer {
    const value = this.#value(this.#bytes.length, 0)
    if (this.#at !== this.#bytes.length) throw refuseDer('der.trailing', { offset: this.#at })
    return value
  }

  #value(limit: number, depth: number, strings = 0): Buffer {
    if (++this.#values > MAX_VALUES) throw refuseDer('der.too-many', { limit: MAX_VALUES })
    const { tag, constructed, contentStart, length, isString } = header(this.#bytes, this.#at, limit)
    this.#at = contentStart
    if (!constructed) return tlv(tag, this.#take(length ?? this.#refuseIndefinite(contentStart)))
    if (isString && strings >= MAX_STRING_DEPTH) throw refuseDer('der.too-deep', { limit: MAX_STRING_DEPTH })
    const within = isString ? strings + 1 : 0
    const members =
      length === undefined ? this.#untilEnd(limit, depth, within) : this.#upTo(contentStart + length, depth, within)
    // Concatenated first: a call cannot take a million arguments.
    return isString ? joined(tag & ~0x20, members) : tlv(tag, Buffer.concat(members))
  }

  #take(length: number): Buffer {
    const start = this.#at
    this.#at += length
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, length)
  }

  #upTo(end: number, depth: number, strings: number): Buffer[] {
    const members: Buffer[] = []
    while (this.#at < end) members.push(this.#value(end, limited(depth), strings))
    return members
  }

  #untilEnd(limit: number, depth: number, strings: number): Buffer[] {
    const members: Buffer[] = []
    while (!(this.#at + 2 <= limit && this.#bytes[this.#at] === 0 && this.#bytes[this.#at + 1] === 0)) {
      members.push(this.#value(limit, limited(depth), strings))
    }
    this.#at += 2
    return members
  }

  #refuseIndefinite(offset: number): never {
    throw refuseDer('der.bad-length', { offset }) // a primitive value has no end marker
  }
}

interface Header {
  readonly tag: number
  readonly constructed: boolean
  readonly contentStart: number
  /** Undefined: indefinite. */
  readonly length: number | undefined
  readonly minimal: boolean
  readonly isString: boolean
}

function header(bytes: Uint8Array, at: number, limit: number): Header {
  const tag = bytes[at]
  const first = bytes[at + 1]
  if (at + 2 > limit || tag === undefined || first === undefined) throw refuseDer('der.truncated', { offset: at })
  if ((tag & 0x1f) === 0x1f) throw refuseDer('der.bad-tag', { offset: at })
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  const contentStart = at + 2 + lengthBytes
  const constructed = (tag & 0x20) !== 0
  const isString = constructed && (tag === 0x24 || tag === 0x23)
  if (first === 0x80) return { tag, constructed, contentStart, length: undefined, minimal: true, isString }
  const length = lengthBytes === 0 ? first : numberAt(bytes, at + 2, lengthBytes)
  if (lengthBytes > 6 || contentStart + length > limit) throw refuseDer('der.truncated', { offset: at })
  const minimal = lengthBytes === 0 || (bytes[at + 2] !== 0 && length >= 0x80)
  return { tag, constructed, contentStart, length, minimal, isString }
}

function numberAt(bytes: Uint8Array, start: number, count: number): number {
  let value = 0
  for (let at = start; at < start + count; at++) value = value * 256 + (bytes[at] ?? 0)
  return value
}

/** The pieces of a string in pieces, each of which is a string of the same type (X.690 §8.6.4, §8.7.3). */
function joined(tag: number, pieces: readonly Buffer[]): Buffer {
  const contents = pieces.map((piece) => contentsOf(piece, tag))
  if (tag === tags.octetString) return tlv(tag, Buffer.concat(contents))
  // Of a BIT STRING each piece counts its unused bits in front; only the last may have any.
  const unused = contents.at(-1)?.subarray(0, 1) ?? Buffer.of(0)
  return tlv(tag, unused, Buffer.concat(contents.map((content) => content.subarray(1))))
}

// The content of a piece without its own header. Nested pieces were joined already.
function contentsOf(piece: Buffer, tag: number): Buffer {
  if (piece[0] !== tag) throw refuseDer('der.bad-tag', { offset: 0 })
  const { contentStart, length } = header(piece, 0, piece.length)
  return piece.subarray(contentStart, contentStart + (length ?? 0))
}

function limited(depth: number): number {
  if (depth >= MAX_DEPTH) throw refuseDer('der.too-deep', { limit: MAX_DEPTH })
  return depth + 1
}
