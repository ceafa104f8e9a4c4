import { refuseDer } from '../der/errors.ts'
import { tags } from '../der/tags.ts'

/**
 * Serial numbers of a revocation list, found without an object per entry: large authorities list more than a hundred
 * thousand. An open-addressed table of offsets into the list's own bytes, four bytes a slot, at most half full: a lookup
 * compares bytes in place.
 */
export class CrlIndex {
  readonly #bytes: Uint8Array
  readonly #slots: Uint32Array
  readonly #mask: number
  readonly size: number

  /** Indexes the entries between `from` and `to`, the content of revokedCertificates. */
  constructor(bytes: Uint8Array, from: number, to: number) {
    const offsets = entryOffsets(bytes, from, to)
    this.#bytes = bytes
    this.size = offsets.length
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, offsets.length * 2))))
    this.#mask = this.#slots.length - 1
    for (const offset of offsets) this.#add(offset)
  }

  /** Offset of the entry of this serial number; undefined when it is not listed. */
  offsetOf(serialNumber: Uint8Array): number | undefined {
    const bytes = this.#bytes
    let slot = hash(serialNumber, 0, serialNumber.length) & this.#mask
    for (let entry = this.#slots[slot]!; entry !== 0; entry = this.#slots[slot]!) {
      const { start, end } = serialAt(bytes, entry, bytes.length)
      if (sameBytes(serialNumber, bytes, start, end)) return entry
      slot = (slot + 1) & this.#mask
    }
    return undefined
  }

  // Zero marks an empty slot; no entry begins at byte zero, where the list's own header is.
  #add(offset: number): void {
    const { start, end } = serialAt(this.#bytes, offset, this.#bytes.length)
    let slot = hash(this.#bytes, start, end) & this.#mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask
    this.#slots[slot] = offset
  }
}

/** Smallest entry: header, a serial number of one byte, a UTCTime. */
const SMALLEST_ENTRY = 2 + 3 + 15

function entryOffsets(bytes: Uint8Array, from: number, to: number): Uint32Array {
  const offsets = new Uint32Array(Math.ceil((to - from) / SMALLEST_ENTRY))
  let count = 0
  for (let at = from; at < to; ) {
    if (bytes[at] !== tags.sequence || count === offsets.length) throw refuseDer('der.bad-value', entryAt(at))
    const content = contentStart(bytes, at, to)
    const end = content + lengthAt(bytes, at)
    if (end > to) throw refuseDer('der.truncated', { offset: at })
    serialAt(bytes, at, end)
    offsets[count++] = at
    at = end
  }
  return offsets.subarray(0, count)
}

const entryAt = (offset: number) => ({ expected: 'entry of a revocation list', offset })

/** The bytes of the serial number in the entry at this offset. */
function serialAt(bytes: Uint8Array, entry: number, limit: number): { start: number; end: number } {
  const integer = contentStart(bytes, entry, limit)
  if (bytes[integer] !== tags.integer) throw refuseDer('der.bad-value', entryAt(entry))
  const start = contentStart(bytes, integer, limit)
  const end = start + lengthAt(bytes, integer)
  if (end > limit || end === start) throw refuseDer('der.bad-value', entryAt(entry))
  return { start, end }
}

// Entries are short: a length takes one byte, or two or three with extensions.
function contentStart(bytes: Uint8Array, at: number, limit: number): number {
  const first = bytes[at + 1] ?? 0x80
  const start = first < 0x80 ? at + 2 : at + 2 + (first & 0x7f)
  if (first === 0x80 || first > 0x83 || start > limit) throw refuseDer('der.bad-length', { offset: at })
  return start
}

function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at + 1]!
  if (first < 0x80) return first
  let length = 0
  for (let index = 0; index < (first & 0x7f); index++) length = length * 256 + bytes[at + 2 + index]!
  return length
}

/** FNV-1a: serial numbers are random or counted up, and both spread well. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5
  for (let at = start; at < end; at++) value = Math.imul(value ^ bytes[at]!, 0x01000193)
  return (value ^ (value >>> 15)) >>> 0
}

function sameBytes(wanted: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== wanted.length) return false
  for (let at = 0; at < wanted.length; at++) if (wanted[at] !== bytes[start + at]) return false
  return true
}
