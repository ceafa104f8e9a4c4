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
  /** Offsets of entries that may have a critical extension or tell their issuer; a few others may be among them. */
  readonly remarkable: readonly number[]

  /** Indexes the entries between `from` and `to`, the content of revokedCertificates. */
  constructor(bytes: Uint8Array, from: number, to: number) {
    const { offsets, remarkable } = scanEntries(bytes, from, to)
    this.remarkable = remarkable
    this.#bytes = bytes
    this.size = offsets.length
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, offsets.length * 2))))
    this.#mask = this.#slots.length - 1
    for (const offset of offsets) this.#add(offset)
  }

  /** Offsets of the entries with this serial number: an indirect list may have one of each issuer. */
  *offsetsOf(serialNumber: Uint8Array): Generator<number> {
    const bytes = this.#bytes
    let slot = hash(serialNumber, 0, serialNumber.length) & this.#mask
    for (let entry = this.#slots[slot]!; entry !== 0; entry = this.#slots[slot]!) {
      const { start, end } = serialAt(bytes, entry, bytes.length)
      if (sameBytes(serialNumber, bytes, start, end)) yield entry
      slot = (slot + 1) & this.#mask
    }
  }

  // Zero marks an empty slot; no entry begins at byte zero, where the list's own header is.
  #add(offset: number): void {
    const bytes = this.#bytes
    const integer = afterHeader(bytes, offset)
    const start = afterHeader(bytes, integer)
    let slot = hash(bytes, start, start + lengthAt(bytes, integer)) & this.#mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & this.#mask
    this.#slots[slot] = offset
  }
}

/** Smallest entry: header, a serial number of one byte, a UTCTime. */
const SMALLEST_ENTRY = 2 + 3 + 15

/** The offsets of all entries, and of those that may be remarkable, in one pass. */
function scanEntries(bytes: Uint8Array, from: number, to: number): { offsets: Uint32Array; remarkable: number[] } {
  const offsets = new Uint32Array(Math.ceil((to - from) / SMALLEST_ENTRY))
  const remarkable: number[] = []
  let count = 0
  for (let at = from; at < to; ) {
    if (bytes[at] !== tags.sequence || count === offsets.length) throw refuseDer('der.bad-value', entryAt(at))
    const content = contentStart(bytes, at, to)
    const end = content + lengthAt(bytes, at)
    if (end > to) throw refuseDer('der.truncated', { offset: at })
    const time = serialAt(bytes, at, end).end
    if (isRemarkable(bytes, time + 2 + bytes[time + 1]!, end)) remarkable.push(at)
    offsets[count++] = at
    at = end
  }
  return { offsets: offsets.subarray(0, count), remarkable }
}

/** Whether these extensions are a reason (2.5.29.21) that is not critical, as those of nearly every entry are. */
const isReasonAlone = (bytes: Uint8Array, from: number, to: number): boolean =>
  to - from === 14 && bytes[from + 5] === 3 && bytes[from + 8] === 0x15 && bytes[from + 9] === tags.octetString

// A BOOLEAN that is true, or the identifier 2.5.29.29 (certificateIssuer), anywhere in the extensions of the entry.
function isRemarkable(bytes: Uint8Array, from: number, to: number): boolean {
  if (from >= to || isReasonAlone(bytes, from, to)) return false
  for (let at = from; at + 2 < to; at++) {
    if (bytes[at] === 0x01 && bytes[at + 1] === 0x01 && bytes[at + 2] !== 0) return true
    if (bytes[at] === 0x55 && bytes[at + 1] === 0x1d && bytes[at + 2] === 0x1d) return true
  }
  return false
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

/** Where the content begins, in what was scanned already. */
function afterHeader(bytes: Uint8Array, at: number): number {
  const first = bytes[at + 1]!
  return at + 2 + (first < 0x80 ? 0 : first & 0x7f)
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
