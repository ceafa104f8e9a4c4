// What of a batch failed, in the form in which it came: to be corrected and sent again.
import { Readable } from 'node:stream'
import type { Context } from '../../context.ts'
import type { BatchKind } from '../../contract/vocabulary.ts'
import { cellsOf, csvCell, decoderOf } from '../../rules/batches/file-records.ts'
import type { Caller } from '../../rules/rights.ts'
import { failedAfter } from '../../store/batches.ts'
import type { BatchRow, BatchRowRow } from '../../store/document-tables.ts'
import { type BatchReading, filledRecords } from './file-rows.ts'
import { errorsOf, requiredBatch } from './read-batches.ts'

const AT_ONCE = 500

const ERRORS_COLUMN = '#erros'

/** The rows that failed so far, as a stream: the file may be large. */
export async function failedRows(context: Context, caller: Caller, kind: BatchKind, id: string) {
  const batch = await requiredBatch(context.store.db, caller, kind, id)
  return { format: batch.format, stream: Readable.from(lines(context, batch)) }
}

async function* lines(context: Context, batch: BatchRow): AsyncGenerator<string> {
  const reading = JSON.parse(batch.reading) as BatchReading
  const decode = decoderOf(reading.encoding)
  const { delimiter, columns } = reading
  const kept = columns.map((name, at) => (name === ERRORS_COLUMN ? undefined : at)).filter((at) => at !== undefined)
  if (batch.format === 'Csv')
    yield `\u{feff}${[...columns.filter((name) => name !== ERRORS_COLUMN), ERRORS_COLUMN].join(delimiter)}\r\n`
  const failed = failedIn(context, batch)
  let next = (await failed.next()).value
  let number = batch.format === 'Csv' ? -1 : 0
  for await (const { bytes } of filledRecords(context, batch, 0)) {
    number += 1
    if (!next) return
    if (number !== next.number) continue
    const line = decode(bytes)
    yield batch.format === 'Csv' ? csvLine(line, reading, kept, next) : jsonLine(line, next)
    next = (await failed.next()).value
  }
}

async function* failedIn({ store }: Context, { id }: BatchRow): AsyncGenerator<BatchRowRow> {
  let last = 0
  for (;;) {
    const rows = await failedAfter(store.db, id, last, AT_ONCE)
    yield* rows
    if (rows.length < AT_ONCE) return
    last = rows.at(-1)!.number
  }
}

const sentencesOf = (row: BatchRowRow): string => {
  const { code, errors = [] } = errorsOf(row) ?? {}
  return errors.length === 0
    ? (code ?? '')
    : errors.map(({ field, messages }) => `${field}: ${messages.join(' ')}`).join('\n')
}

/** The cells of the line as they came; a line whose quotes are wrong is one cell. */
function csvLine(
  line: string,
  { delimiter, columns }: BatchReading,
  kept: readonly number[],
  row: BatchRowRow,
): string {
  const cells = cellsOf(line, delimiter) ?? [line]
  const filled = columns.map((_, at) => cells[at] ?? '')
  return `${[...kept.map((at) => filled[at]!), sentencesOf(row)].map(csvCell).join(delimiter)}\r\n`
}

/** A line that is no object is given back under a remark. */
function jsonLine(line: string, row: BatchRowRow): string {
  const found = parsedLine(line)
  return `${JSON.stringify({ ...(found ?? { '#line': line }), '#errors': errorsOf(row)?.errors ?? [] })}\n`
}

function parsedLine(line: string): object | undefined {
  try {
    const found: unknown = JSON.parse(line)
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? found : undefined
  } catch {
    // It failed for that.
    return undefined
  }
}
