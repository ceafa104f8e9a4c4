// Cutting the file into records. Nothing after this can be trusted if it fails, because a shifted byte gives every
// later column another meaning; so a file with any violation here is read no further.

import type { Findings } from './findings.ts'
import { RECORD_BYTES } from './record-cursor.ts'

/** A file cut into records of exactly 240 bytes. */
export interface Frame {
  readonly delimited: boolean
  /** End of the last record: what follows is a tolerated newline and end-of-file mark. */
  readonly end: number
}

const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a
/** DOS end-of-file mark, still appended by old systems. */
const SUBSTITUTE = 0x1a
/** After this many bad records the file is something else; a hundred megabytes of newlines must not be scanned. */
const BAD_RECORDS_WALKED = 1_000

/** Checks the framing and the bytes of every record; the caller reads on only if nothing was refused. */
export function frameRecords(bytes: Buffer, findings: Findings): Frame {
  const { end, blankLines } = endOfRecords(bytes)
  const delimited = bytes.subarray(0, end).includes(LINE_FEED)
  if (end === 0) findings.add('file-empty', null, null)
  else if (isUtf16(bytes)) findings.add('file-utf16', 1, null)
  else if (isEbcdic(bytes)) findings.add('file-ebcdic', 1, null)
  else if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) findings.add('byte-order-mark', 1, [1, 3])
  else if (delimited) checkDelimitedRecords(bytes, end, findings)
  else if (bytes[RECORD_BYTES] === CARRIAGE_RETURN) findings.add('carriage-return-only', 1, null)
  else checkJoinedRecords(bytes, end, findings)
  if (blankLines > 0 && !findings.refused) findings.add('blank-lines-at-end', null, null, { found: blankLines })
  return { delimited, end }
}

/** Where the record after the one at `start` begins, in a file whose framing was accepted. */
export function nextRecord(bytes: Buffer, frame: Frame, start: number): number {
  const end = start + RECORD_BYTES
  if (!frame.delimited) return end
  return bytes[end] === CARRIAGE_RETURN ? end + 2 : end + 1
}

/** A byte order mark, or a zero beside each of the first characters, which a remittance has in ASCII. */
const isUtf16 = (bytes: Buffer): boolean =>
  [0xfffe, 0xfeff].includes(bytes.length < 2 ? 0 : bytes.readUInt16BE(0)) ||
  [0, 1].some((zero) => [0, 2, 4, 6].every((at) => bytes[at + zero] === 0 && isDigit(bytes[at + 1 - zero])))

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** EBCDIC writes the digits of bank, batch and record type as 0xF0 to 0xF9. */
const isEbcdic = (bytes: Buffer): boolean =>
  bytes.length >= 8 && bytes.subarray(0, 8).every((byte) => byte >= 0xf0 && byte <= 0xf9)

/** Blank lines at the end that are told and not counted as records. */
const BLANK_LINES = 10

function endOfRecords(bytes: Buffer): { readonly end: number; readonly blankLines: number } {
  const last = withoutNewline(bytes, bytes.length)
  let end = bytes[last - 1] === SUBSTITUTE ? withoutNewline(bytes, last - 1) : last
  let blankLines = 0
  while (blankLines < BLANK_LINES && bytes[end - 1] === LINE_FEED) {
    end = withoutNewline(bytes, end)
    blankLines++
  }
  return { end, blankLines }
}

function withoutNewline(bytes: Buffer, end: number): number {
  if (bytes[end - 1] !== LINE_FEED) return end
  return bytes[end - 2] === CARRIAGE_RETURN ? end - 2 : end - 1
}

function checkDelimitedRecords(bytes: Buffer, end: number, findings: Findings): void {
  const endings = { crlf: 0, lf: 0 }
  let record = 0
  for (let start = 0; start <= end; ) {
    record++
    const lineFeed = bytes.indexOf(LINE_FEED, start)
    const next = lineFeed === -1 || lineFeed >= end ? end : lineFeed
    const crlf = next < end && next > start && bytes[next - 1] === CARRIAGE_RETURN
    if (next < end) endings[crlf ? 'crlf' : 'lf']++
    checkRecord(bytes, start, crlf ? next - 1 : next, record, findings)
    if (findings.violations.count >= BAD_RECORDS_WALKED) return
    start = next + 1
  }
  if (endings.crlf > 0 && endings.lf > 0) findings.add('line-endings-mixed', null, null, endings)
}

function checkJoinedRecords(bytes: Buffer, end: number, findings: Findings): void {
  const found = end % RECORD_BYTES
  if (found !== 0) {
    const suspect = firstForeignRecord(bytes, end)
    findings.add('file-not-whole-records', suspect, null, { bytes: end, found, suspect })
    return
  }
  for (let start = 0; start < end; start += RECORD_BYTES) {
    checkRecord(bytes, start, start + RECORD_BYTES, start / RECORD_BYTES + 1, findings)
    if (findings.violations.count >= BAD_RECORDS_WALKED) return
  }
}

/** A missing or extra byte shifts all that follows, so the first record with another bank code shows where to look. */
function firstForeignRecord(bytes: Buffer, end: number): number {
  for (let start = RECORD_BYTES; start + RECORD_BYTES <= end; start += RECORD_BYTES) {
    if (bytes.compare(bytes, 0, 3, start, start + 3) !== 0) return start / RECORD_BYTES
  }
  return Math.ceil(end / RECORD_BYTES)
}

function checkRecord(bytes: Buffer, start: number, end: number, record: number, findings: Findings): void {
  const length = end - start
  if (length !== RECORD_BYTES) reportLength(bytes, start, end, record, findings)
  else if (!isPlain(bytes, start, end)) reportBytes(bytes, start, end, record, findings)
}

function reportLength(bytes: Buffer, start: number, end: number, record: number, findings: Findings): void {
  const found = end - start
  // Text of any size may sit in one "record" of a file that is no remittance: look for letters in a bounded part.
  const letters = found > RECORD_BYTES ? utf8Letters(bytes, start, Math.min(end, start + 2 * RECORD_BYTES)) : []
  if (found === 400) findings.add('record-length-cnab400', record, null, { found })
  else if (letters.length > 0) {
    findings.add('record-length-utf8', record, null, { found, letters: letters.length, at: letters[0]! - start + 1 })
  } else findings.add('record-length', record, null, { found })
}

// The one loop that sees every byte of the file: a table look-up and an OR per byte, one branch per record.
function isPlain(bytes: Buffer, start: number, end: number): boolean {
  let odd = 0
  for (let at = start; at < end; at++) odd |= oddBytes[bytes[at]!]!
  return odd === 0
}

/** Reports the first odd byte of each kind in the record; more would only repeat it. */
function reportBytes(bytes: Buffer, start: number, end: number, record: number, findings: Findings): void {
  const [utf8] = utf8Letters(bytes, start, end)
  const at = (offset: number): [number, number] => [offset - start + 1, offset - start + 1]
  const find = (odd: (byte: number) => boolean) => {
    const index = bytes.subarray(start, end).findIndex(odd)
    return index === -1 ? null : { columns: at(start + index), found: bytes[start + index]! }
  }
  const nul = find((byte) => byte === 0)
  if (nul) findings.add('nul-byte', record, nul.columns)
  const control = find((byte) => byte !== 0 && isControl(byte))
  if (control) findings.add('control-character', record, control.columns, { found: hex(control.found) })
  if (utf8 !== undefined) findings.add('letter-in-utf8', record, at(utf8))
  else {
    const stranger = find((byte) => byte >= 0x80 && !isLatin1Letter(byte))
    if (stranger) findings.add('byte-not-a-letter', record, stranger.columns, { found: hex(stranger.found) })
  }
}

const isControl = (byte: number): boolean => byte < 0x20 || byte === 0x7f

/** À to ÿ without the signs × and ÷, and the ordinals ª and º that addresses use. */
const isLatin1Letter = (byte: number): boolean =>
  (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) || byte === 0xaa || byte === 0xba

/** 1 for a byte that needs a closer look: a control character, or anything outside ASCII. */
const oddBytes = Uint8Array.from({ length: 256 }, (_, byte) => (isControl(byte) || byte >= 0x80 ? 1 : 0))

/** Offsets of the letters written in UTF-8: a lead byte with its continuation, a pair Latin-1 names do not spell. */
function utf8Letters(bytes: Buffer, start: number, end: number): number[] {
  const letters: number[] = []
  for (let at = start; at + 1 < end; at++) {
    const lead = bytes[at]!
    const continuation = bytes[at + 1]!
    if (lead >= 0xc2 && lead <= 0xf4 && continuation >= 0x80 && continuation <= 0xbf) letters.push(at)
  }
  return letters
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')
