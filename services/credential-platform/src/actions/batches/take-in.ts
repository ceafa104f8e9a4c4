// A file of rows is taken in: stored, looked through once, and left to the worker (credentials-platform facts 3).
import { enqueueJob } from '@chancela/outbox/queue'
import { BlobTooLarge } from '@chancela/service-kernel/blobs'
import { newRowId } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { BatchView } from '../../contract/batches.ts'
import { CREATION_BYTES } from '../../contract/items.ts'
import type { BatchFormat, BatchKind } from '../../contract/vocabulary.ts'
import {
  cellsOf,
  decoderOf,
  delimiterOf,
  EncodingWatch,
  type FileEncoding,
  RecordTooLong,
} from '../../rules/batches/file-records.ts'
import { refuse, wrongData } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import { BATCH_QUEUE, type BatchJob } from '../../store/batches.ts'
import type { BatchRow } from '../../store/document-tables.ts'
import type { Issuing } from '../curriculums/curriculums.ts'
import { once } from '../once.ts'
import { record } from '../tenants/acting.ts'
import { type BatchReading, columnsOf, filledRecords } from './file-rows.ts'
import { type BatchOptions, openPlace } from './makers.ts'
import { batchView } from './read-batches.ts'

/** What was sent. */
export interface BatchUpload {
  readonly kind: BatchKind
  readonly options: BatchOptions
  readonly format: BatchFormat
  readonly pieces: AsyncIterable<Uint8Array>
}

export async function takeIn(
  issuing: Issuing,
  caller: Caller,
  { kind, options, format, pieces }: BatchUpload,
  key: string | undefined,
  now: Date,
): Promise<BatchView> {
  const { context } = issuing
  // What holds for every row is refused before the file is read.
  await openPlace(issuing, caller, kind, options)
  const { digest, encoding } = await stored(context, pieces)
  const { reading, rows, begins } = await surveyed(context, { kind, format, options, digest, encoding })
  const at = now.toISOString()
  const row: BatchRow = {
    id: newRowId(now),
    subscription_id: caller.subscriptionId,
    institute_id: idOf(options.instituteId),
    kind,
    status: 'Created',
    digest,
    format,
    options: JSON.stringify(options),
    reading: JSON.stringify(reading),
    rows,
    next_row: 0,
    next_offset: begins,
    done: 0,
    failed: 0,
    created_by: caller.name,
    caller: JSON.stringify(caller),
    created_at: at,
    updated_at: at,
    finished_at: null,
  }
  const request = { caller, operation: `create${kind}Batch`, key, request: { options, format, digest } }
  return once(
    context,
    request,
    async (tx) => {
      await tx.insertInto('batch').values(row).execute()
      await enqueueJob(tx, BATCH_QUEUE, { payload: { batchId: row.id } satisfies BatchJob }, now)
      const entity = { type: 'Batch', id: row.id }
      await record(tx, caller, { type: 'BatchCreated', entity, data: { kind, rows } }, now)
      return batchView(row)
    },
    now,
  )
}

/** The file as it came, and what its letters are written in. */
async function stored({ blobs, settings }: Context, pieces: AsyncIterable<Uint8Array>) {
  const { MaxBytes: maxBytes } = settings.Batches
  const watch = new EncodingWatch()
  const watched = async function* () {
    for await (const piece of pieces) {
      watch.take(piece)
      yield piece
    }
  }
  try {
    const { digest } = await blobs.put(watched(), { maxBytes })
    return { digest, encoding: watch.end() }
  } catch (error) {
    if (error instanceof BlobTooLarge) throw refuse('request-too-large', { limit: maxBytes, unit: 'bytes' })
    throw error
  }
}

interface Surveyed {
  readonly kind: BatchKind
  readonly format: BatchFormat
  readonly options: BatchOptions
  readonly digest: string
  readonly encoding: FileEncoding
}

/** Reads the file through: its header, and how many rows it has. */
async function surveyed(context: Context, given: Surveyed) {
  const { MaxRows } = context.settings.Batches
  let reading: BatchReading | undefined = given.format === 'Json' ? plain(given.encoding) : undefined
  let begins = 0
  let rows = 0
  try {
    for await (const { bytes, end } of filledRecords(context, given, 0)) {
      if (reading) rows += 1
      else {
        reading = headerOf(bytes, given.encoding)
        columnsOf({ ...given, reading })
        begins = end
      }
      if (rows > MaxRows) throw refuse('request-too-large', { limit: MaxRows, unit: 'rows' })
    }
  } catch (error) {
    if (!(error instanceof RecordTooLong)) throw error
    const sentence = `has more than ${CREATION_BYTES} bytes; perhaps a quote is not closed`
    throw wrongData({ [`rows[${rows}]`]: [sentence] })
  }
  if (!reading || rows === 0) throw wrongData({ file: ['has no rows'] })
  return { reading, rows, begins }
}

const plain = (encoding: FileEncoding): BatchReading => ({ encoding, delimiter: ';', columns: [] })

function headerOf(bytes: Buffer, encoding: FileEncoding): BatchReading {
  const text = decoderOf(encoding)(bytes)
  const delimiter = delimiterOf(text)
  const columns = cellsOf(text, delimiter)
  // Workbooks and UTF-16 are no text in either encoding.
  if (!columns || bytes.includes(0)) throw wrongData({ file: ['must be CSV in UTF-8 or Windows-1252'] })
  const last = columns.findLastIndex((name) => name !== '')
  return { encoding, delimiter, columns: columns.slice(0, last + 1) }
}
