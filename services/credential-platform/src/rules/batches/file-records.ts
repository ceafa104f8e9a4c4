// A file of rows as it is read: piece by piece, each record by itself, so that a file of any size needs the memory of
// its longest row. Quotes, separators and line ends are the same bytes in UTF-8 and in Windows-1252.
import type { BatchFormat } from '../../contract/vocabulary.ts'

/** One record: the bytes without its line end, and where it stands in the file. */
export interface FileRecord {
  readonly bytes: Buffer
  readonly start: number
  /** Where the next one begins. */
  readonly end: number
}

/** A record that is longer than any row may be; in CSV mostly a quote that is never closed. */
export class RecordTooLong extends Error {
  override readonly name = 'RecordTooLong'
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const QUOTE = 0x22

interface Reading {
  /** Lines of CSV may go on inside quotes, lines of JSON do not. */
  readonly form: BatchFormat
  /** Bytes of the longest record. */
  readonly longest: number
  /** Offset of the first piece in the file, where a record begins. */
  readonly from?: number
}

/** Cuts a file into its records, piece by piece; blank lines are records as well. */
export class RecordSplitter {
  readonly #longest: number
  readonly #lineEnd: (piece: Buffer, from: number) => number
  #held: Buffer[] = []
  #size = 0
  #start: number

  constructor({ form, longest, from = 0 }: Reading) {
    this.#longest = longest
    this.#start = from
    this.#lineEnd = form === 'Csv' ? quotedLineEnds() : (piece, at) => piece.indexOf(LINE_FEED, at)
  }

  /** The records that end in the next piece. */
  *take(given: Uint8Array): Generator<FileRecord, void, undefined> {
    const piece = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    let begun = 0
    for (let at = this.#lineEnd(piece, 0); at >= 0; at = this.#lineEnd(piece, at + 1)) {
      yield this.#record(piece.subarray(begun, at), 1)
      begun = at + 1
    }
    this.#hold(piece.subarray(begun))
  }

  /** What follows the last line end. */
  *end(): Generator<FileRecord, void, undefined> {
    if (this.#size > 0) yield this.#record(Buffer.alloc(0), 0)
  }

  #hold(rest: Buffer): void {
    this.#size += rest.length
    if (this.#size > this.#longest) throw new RecordTooLong('A record is longer than accepted.')
    if (rest.length > 0) this.#held.push(rest)
  }

  #record(rest: Buffer, lineEnd: number): FileRecord {
    const whole = this.#held.length === 0 ? rest : Buffer.concat([...this.#held, rest])
    const record = { bytes: withoutReturn(whole), start: this.#start, end: this.#start + whole.length + lineEnd }
    this.#held = []
    this.#size = 0
    this.#start = record.end
    return record
  }
}

/** Finds line ends outside quotes; a doubled quote closes and opens. The state goes on from piece to piece. */
function quotedLineEnds(): (piece: Buffer, from: number) => number {
  let isQuoted = false
  return (piece, from) => {
    for (let at = from; at < piece.length; at++) {
      if (piece[at] === QUOTE) isQuoted = !isQuoted
      else if (piece[at] === LINE_FEED && !isQuoted) return at
    }
    return -1
  }
}

const withoutReturn = (bytes: Buffer): Buffer =>
  bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, bytes.length - 1) : bytes

export type FileEncoding = 'utf-8' | 'windows-1252'

/** Spreadsheets in Brazil still write Windows-1252: what is no UTF-8 is taken for it. Told of each piece in turn. */
export class EncodingWatch {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })
  #isUtf8 = true

  take(piece: Uint8Array): void {
    this.#try(() => this.#decoder.decode(piece, { stream: true }))
  }

  /** After the last piece. */
  end(): FileEncoding {
    this.#try(() => this.#decoder.decode())
    return this.#isUtf8 ? 'utf-8' : 'windows-1252'
  }

  #try(decode: () => unknown): void {
    if (!this.#isUtf8) return
    try {
      decode()
    } catch {
      // Nothing of the text is wanted, only whether there is one.
      this.#isUtf8 = false
    }
  }
}

/** A record as text; a mark at the beginning of the file is not part of it. */
export const decoderOf = (encoding: FileEncoding): ((bytes: Uint8Array) => string) => {
  const decoder = new TextDecoder(encoding)
  return (bytes) => decoder.decode(bytes)
}

export type Delimiter = ';' | ',' | '\t'

const delimiters: readonly Delimiter[] = [';', ',', '\t']

/** The one that the header has most often; names of columns have none of them. */
export function delimiterOf(header: string): Delimiter {
  const counts = delimiters.map((delimiter) => header.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}

/** The cells of a line of CSV (RFC 4180), without blanks around them; undefined where its quotes are wrong. */
export function cellsOf(line: string, delimiter: Delimiter): readonly string[] | undefined {
  const cells: string[] = []
  let at = 0
  for (;;) {
    const cell = line[at] === '"' ? quotedCell(line, at) : plainCell(line, at, delimiter)
    if (cell === undefined) return undefined
    cells.push(cell.value)
    if (cell.end === line.length) return cells
    if (line[cell.end] !== delimiter) return undefined
    at = cell.end + 1
  }
}

interface Cell {
  readonly value: string
  readonly end: number
}

function plainCell(line: string, from: number, delimiter: Delimiter): Cell {
  const found = line.indexOf(delimiter, from)
  const end = found < 0 ? line.length : found
  return { value: line.slice(from, end).trim(), end }
}

function quotedCell(line: string, from: number): Cell | undefined {
  let end = from + 1
  for (;;) {
    end = line.indexOf('"', end)
    if (end < 0) return undefined
    if (line[end + 1] !== '"') break
    end += 2
  }
  return {
    value: line
      .slice(from + 1, end)
      .replaceAll('""', '"')
      .trim(),
    end: end + 1,
  }
}

/** A cell as CSV has it. */
export const csvCell = (value: string): string =>
  /["\r\n;,\t]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
