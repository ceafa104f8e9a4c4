// The rows of a batch's file, from wherever the last round ended.
import type { FieldErrors } from '@chancela/service-kernel/errors'
import type { Context } from '../../context.ts'
import { CREATION_BYTES } from '../../contract/items.ts'
import type { BatchFormat, BatchKind, TranscriptType } from '../../contract/vocabulary.ts'
import { type Column, columnPath, columnsFor, isRemark, rowOf } from '../../rules/batches/columns.ts'
import {
  cellsOf,
  type Delimiter,
  decoderOf,
  type FileEncoding,
  type FileRecord,
  RecordSplitter,
} from '../../rules/batches/file-records.ts'
import { wrongData } from '../../rules/refuse.ts'
import type { BatchRow } from '../../store/document-tables.ts'
import type { RowContent } from './makers.ts'

/** How the file of a batch is read. */
export interface BatchReading {
  readonly encoding: FileEncoding
  readonly delimiter: Delimiter
  /** Names of the columns; none of lines of JSON. */
  readonly columns: readonly string[]
}

/** Blank, tab, quote, comma, semicolon, carriage return. */
const IDLE: ReadonlySet<number> = new Set(Buffer.from(' \t",;\r'))

/** Spreadsheets leave lines of separators behind the last row. */
const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => IDLE.has(byte))

function* filled(records: Iterable<FileRecord>): Generator<FileRecord, void, undefined> {
  for (const record of records) if (!isBlank(record.bytes)) yield record
}

/** Records with something in them, from an offset on. */
export async function* filledRecords(
  { blobs }: Pick<Context, 'blobs'>,
  { digest, format }: Pick<BatchRow, 'digest' | 'format'>,
  from: number,
): AsyncGenerator<FileRecord, void, undefined> {
  const pieces = await blobs.stream(digest, { start: from })
  const splitter = new RecordSplitter({ form: format, longest: CREATION_BYTES, from })
  for await (const piece of pieces) yield* filled(splitter.take(piece))
  yield* filled(splitter.end())
}

/** Rows as data. */
export interface RowReader {
  /** Refuses a row that cannot be read. */
  contentOf(record: FileRecord): RowContent
  /** Errors under the names that the file has. */
  fieldsOf(record: FileRecord, fields: FieldErrors): FieldErrors
}

interface ReaderAsked {
  readonly kind: BatchKind
  readonly format: BatchFormat
  readonly options: { readonly courseId?: string; readonly type?: TranscriptType }
  readonly reading: BatchReading
}

export const rowReader = (asked: ReaderAsked): RowReader =>
  asked.format === 'Csv' ? csvReader(asked) : jsonReader(asked)

/** Columns by name, remarks without one; every name that is none is refused at once, and so is one that comes twice. */
export function columnsOf({ kind, options, reading }: ReaderAsked): readonly (Column | undefined)[] {
  const columnOf = columnsFor({ kind, type: options.type, hasCourse: options.courseId !== undefined })
  const problems: Record<string, string[]> = {}
  const seen = new Set<string>()
  const columns = reading.columns.map((name) => {
    if (isRemark(name)) return undefined
    const found = seen.has(name) ? 'comes twice' : columnOf(name)
    seen.add(name)
    if (typeof found !== 'string') return found
    problems[name || 'file'] = [name ? found : 'has a column without a name']
    return undefined
  })
  if (Object.keys(problems).length > 0) throw wrongData(problems)
  return columns
}

const IN_DATA = /^data\./

function csvReader(asked: ReaderAsked): RowReader {
  const { encoding, delimiter, columns: names } = asked.reading
  const columns = columnsOf(asked)
  const decode = decoderOf(encoding)
  const cells = ({ bytes }: FileRecord) => cellsOf(decode(bytes), delimiter)
  return {
    contentOf(record) {
      const found = cells(record)
      if (!found) throw wrongData({ row: ['has a quote where none may be'] })
      if (found.slice(names.length).some((cell) => cell !== ''))
        throw wrongData({ row: ['has more cells than columns'] })
      const { registration = {}, ...data } = rowOf(columns, found)
      return { data, registration: registration as RowContent['registration'] }
    },
    fieldsOf(record, fields) {
      const found = cells(record) ?? []
      const entries = Object.entries(fields)
      return Object.fromEntries(
        entries.map(([path, texts]) => [columnPath(path.replace(IN_DATA, ''), names, found), texts]),
      )
    },
  }
}

const isNode = (value: unknown): value is RowContent['data'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const rowFields: Readonly<Record<BatchKind, readonly string[]>> = {
  Degree: ['data', 'registration'],
  Emission: ['data'],
  AcademicTranscript: ['data'],
}

function jsonReader({ kind, reading }: ReaderAsked): RowReader {
  const decode = decoderOf(reading.encoding)
  return {
    contentOf({ bytes }) {
      const row = parsed(decode(bytes))
      if (!isNode(row)) throw wrongData({ row: ['must be an object'] })
      const problems = Object.fromEntries([
        ...Object.keys(row)
          .filter((name) => !isRemark(name) && !rowFields[kind].includes(name))
          .map((name) => [name, ['is not known here']] as const),
        ...rowFields[kind].filter((name) => !isNode(row[name])).map((name) => [name, ['must be an object']] as const),
      ])
      if (Object.keys(problems).length > 0) throw wrongData(problems)
      return { data: row.data, registration: row.registration ?? {} } as RowContent
    },
    fieldsOf: (_record, fields) => fields,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What is no JSON is told of the row like anything else that is wrong with it.
    return undefined
  }
}
