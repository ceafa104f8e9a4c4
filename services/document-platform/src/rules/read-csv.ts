// A table of participants as spreadsheet programs write it: RFC 4180 with a header, commas, semicolons or tabs between
// cells.
import { refuse } from './refuse.ts'

export interface CsvTable {
  readonly columns: readonly string[]
  readonly rows: readonly CsvRow[]
}

export interface CsvRow {
  /** Line of the file in which it begins; the header is line 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** The table of a file; refuses one whose header or quotes cannot be read. */
export function readCsv(bytes: Uint8Array): CsvTable {
  const text = decoded(bytes)
  const [header, ...rows] = recordsOf(text, delimiterOf(text)).filter(({ cells }) => cells.some((cell) => cell !== ''))
  const columns = (header?.cells ?? []).map((cell) => cell.trim())
  if (columns.length === 0) throw wrong(1, 'The file is empty.')
  if (columns.includes('')) throw wrong(1, 'A column has no name.')
  if (new Set(columns).size < columns.length) throw wrong(1, 'Two columns have the same name.')
  return { columns, rows }
}

const wrong = (line: number, reason: string) => refuse('InvalidParticipantsFile', { line, reason })

/** Spreadsheets in Brazil still write Latin-1; what is no UTF-8 is taken for it. */
function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  }
}

const delimiters = [',', ';', '\t'] as const

/** The one that occurs most often in the header. */
function delimiterOf(text: string): string {
  const header = /^[^\r\n]*/.exec(text)![0]
  const counts = delimiters.map((delimiter) => header.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}

function recordsOf(text: string, delimiter: string): readonly CsvRow[] {
  const records: CsvRow[] = []
  let at = 0
  let line = 1
  while (at < text.length) {
    const cells: string[] = []
    const begun = line
    for (;;) {
      const cell = text[at] === '"' ? quotedCell(text, at, line) : plainCell(text, at, delimiter)
      cells.push(cell.value)
      line += cell.lines
      at = cell.end
      if (text[at] !== delimiter) break
      at += 1
    }
    if (at < text.length && text[at] !== '\r' && text[at] !== '\n') throw wrong(line, 'Something follows a quote.')
    at += text.startsWith('\r\n', at) ? 2 : 1
    records.push({ line: begun, cells })
    line += 1
  }
  return records
}

interface Cell {
  readonly value: string
  /** Where it ends in the text. */
  readonly end: number
  /** Line breaks inside it. */
  readonly lines: number
}

function plainCell(text: string, from: number, delimiter: string): Cell {
  let end = from
  while (end < text.length && text[end] !== delimiter && text[end] !== '\r' && text[end] !== '\n') end += 1
  return { value: text.slice(from, end).trim(), end, lines: 0 }
}

function quotedCell(text: string, from: number, line: number): Cell {
  let end = from + 1
  for (;;) {
    end = text.indexOf('"', end)
    if (end < 0) throw wrong(line, 'A quote is not closed.')
    if (text[end + 1] !== '"') break
    end += 2
  }
  const value = text.slice(from + 1, end).replaceAll('""', '"')
  return { value, end: end + 1, lines: value.split('\n').length - 1 }
}
