// A round of a batch: the next rows of its file become items. Rows, items and how far the batch is are written in one
// transaction, so that a process that is killed, or a second one, makes nothing twice and leaves nothing out.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { enqueueJob } from '@chancela/outbox/queue'
import { plus, SECOND } from '@chancela/service-kernel/clock'
import { Refusal } from '@chancela/service-kernel/errors'
import { type Db, isUniqueViolation } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import type { Context } from '../../context.ts'
import { SIGNING_QUEUE } from '../../parts/signing/desk.ts'
import type { FileRecord } from '../../rules/batches/file-records.ts'
import type { Caller } from '../../rules/rights.ts'
import { advanceBatch, BATCH_QUEUE, type BatchJob, findBatch, hasBacklog, moveBatch } from '../../store/batches.ts'
import type { BatchRow, BatchRowRow } from '../../store/document-tables.ts'
import { recordEvents } from '../../store/entity-events.ts'
import { standingIn } from '../../store/standings.ts'
import type { Tables } from '../../store/tables.ts'
import type { Issuing } from '../curriculums/curriculums.ts'
import { type Actor, actorOf } from '../items/item-changes.ts'
import { filledRecords, type RowReader, rowReader } from './file-rows.ts'
import { type BatchOptions, openPlace, type PreparedItem, type PrepareRow } from './makers.ts'
import type { RowErrors } from './read-batches.ts'

/** Most bytes of rows in one round, after the first. */
const ROUND_BYTES = 8_388_608
/** Rows whose bytes are stored at the same time. */
const LANES = 4
/** Documents that may wait for the signing worker before a batch makes more of them. */
const MOST_WAITING = 500
/** How often a row that fails for a reason nobody knows is tried. */
const TRIES = 3

export interface Round {
  /** How often this round was begun. */
  readonly attempt: number
  /** Completes the job in the transaction of the round. */
  complete(tx: Db<Tables>): Promise<void>
}

/** What became of a row; its item is inserted with it. */
interface Outcome {
  readonly record: FileRecord
  readonly item?: PreparedItem
  readonly errors?: RowErrors
}

export async function makeRound(issuing: Issuing, batchId: string, round: Round): Promise<void> {
  const { context } = issuing
  const batch = await begun(context, batchId)
  if (!batch) return
  if (await hasBacklog(context.store.db, SIGNING_QUEUE, MOST_WAITING, context.clock())) {
    await putOff(context, batch, round)
    return
  }
  const records = await nextRecords(context, batch)
  const outcomes = await outcomesOf(issuing, batch, records, round)
  await written(context, batch, outcomes, round)
}

/** Later: the signatures of other organizations do not wait for the documents of a whole batch. */
function putOff({ store, clock }: Context, { id }: BatchRow, { complete }: Round): Promise<unknown> {
  const now = clock()
  return store.transaction(async (tx) => {
    await complete(tx)
    const payload: BatchJob = { batchId: id }
    await enqueueJob(tx, BATCH_QUEUE, { payload, runAt: plus(now, SECOND) }, now)
  })
}

/** The batch, if there is anything left to do. That of a disabled organization is stopped. */
async function begun({ store, clock }: Context, batchId: string): Promise<BatchRow | undefined> {
  const batch = await findBatch(store.db, batchId)
  if (!batch || batch.finished_at !== null) return undefined
  const standing = await standingIn(store.db, batch.subscription_id)
  if (standing?.isDisabled !== false) {
    await moveBatch(store.db, batchId, 'cancel', clock())
    return undefined
  }
  if (batch.status === 'Created') await moveBatch(store.db, batchId, 'start', clock())
  return batch
}

async function nextRecords(context: Context, batch: BatchRow): Promise<readonly FileRecord[]> {
  const most = Math.min(context.settings.Batches.RowsPerRound, batch.rows - batch.next_row)
  const records: FileRecord[] = []
  let bytes = 0
  for await (const record of filledRecords(context, batch, batch.next_offset)) {
    records.push(record)
    bytes += record.bytes.length
    if (records.length >= most || bytes > ROUND_BYTES) break
  }
  return records
}

/** Makes the items. Between two rows others have their turn. */
async function outcomesOf(
  issuing: Issuing,
  batch: BatchRow,
  records: readonly FileRecord[],
  round: Round,
): Promise<readonly Outcome[]> {
  const options = JSON.parse(batch.options) as BatchOptions
  const reader = rowReader({ ...batch, options, reading: JSON.parse(batch.reading) })
  const prepare = openedPlace(issuing, batch, options)
  const outcomes: Outcome[] = []
  const waiting = records.entries()
  const lane = async () => {
    for (const [at, record] of waiting) {
      await nextTurn()
      outcomes[at] = await outcomeOf({ issuing, batch, reader, prepare, round }, record)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return outcomes
}

/** An institution, course or flow that is gone meanwhile is told of every row. */
function openedPlace(issuing: Issuing, { caller, kind }: BatchRow, options: BatchOptions): Promise<PrepareRow> {
  const place = openPlace(issuing, JSON.parse(caller) as Caller, kind, options)
  place.catch(() => {})
  return place
}

interface Making {
  readonly issuing: Issuing
  readonly batch: BatchRow
  readonly reader: RowReader
  readonly prepare: Promise<PrepareRow>
  readonly round: Round
}

async function outcomeOf({ issuing, batch, reader, prepare, round }: Making, record: FileRecord): Promise<Outcome> {
  const { clock, logger } = issuing.context
  try {
    const item = await (await prepare)(reader.contentOf(record), batch.id, clock())
    return { record, item }
  } catch (error) {
    if (error instanceof Refusal) return { record, errors: rowErrors(reader, record, error) }
    if (round.attempt < TRIES) throw error
    // One row that nobody foresaw must not hold the others up for ever.
    logger.error({ err: error, batch: batch.id }, 'a row of a batch failed')
    return { record, errors: { code: 'unexpected-error', errors: [] } }
  }
}

function rowErrors(reader: RowReader, record: FileRecord, { code, message, details }: Refusal): RowErrors {
  const { fields } = (details ?? {}) as { readonly fields?: Readonly<Record<string, string[]>> }
  const told = reader.fieldsOf(record, fields ?? { row: [message] })
  return { code, errors: Object.entries(told).map(([field, messages]) => ({ field, messages: [...messages] })) }
}

/** All at once; where one of them is refused only now, one after the other, and that one fails alone. */
async function written(context: Context, batch: BatchRow, outcomes: readonly Outcome[], round: Round): Promise<void> {
  try {
    await write(context, batch, outcomes, round)
    return
  } catch (error) {
    if (!(error instanceof Refusal) && !isUniqueViolation(error)) throw error
  }
  for (const [at, outcome] of outcomes.entries()) {
    const cursor = { ...batch, next_row: batch.next_row + at }
    const isLast = at === outcomes.length - 1
    if (!(await writeOne(context, cursor, outcome, isLast ? round : undefined))) return
  }
}

async function writeOne(context: Context, cursor: BatchRow, outcome: Outcome, round: Round | undefined) {
  try {
    return await write(context, cursor, [outcome], round)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const reader = rowReader({ ...cursor, options: JSON.parse(cursor.options), reading: JSON.parse(cursor.reading) })
    const { record } = outcome
    return write(context, cursor, [{ record, errors: rowErrors(reader, record, error) }], round)
  }
}

/** False where another process was faster, or the batch was stopped. */
function write(context: Context, batch: BatchRow, outcomes: readonly Outcome[], round?: Round): Promise<boolean> {
  const now = context.clock()
  return context.store.transaction(async (tx) => {
    const rows = outcomes.map((outcome, at) => rowOf(batch, batch.next_row + at + 1, outcome))
    const nextOffset = outcomes.at(-1)!.record.end
    if (!(await advanceBatch(tx, batch, { rows, nextOffset }, now))) return false
    for (const { item } of outcomes) await item?.insert(tx, now)
    const isOver = batch.next_row + rows.length >= batch.rows
    await round?.complete(tx)
    if (isOver) await finish(tx, batch, now)
    else if (round) await enqueueJob(tx, BATCH_QUEUE, { payload: { batchId: batch.id } satisfies BatchJob }, now)
    return true
  })
}

const rowOf = ({ id }: BatchRow, number: number, { item, errors }: Outcome): BatchRowRow => ({
  batch_id: id,
  number,
  status: item ? 'Done' : 'Failed',
  item_id: item?.id ?? null,
  errors: errors ? JSON.stringify(errors) : null,
})

async function finish(tx: Transaction<Tables>, { id, subscription_id, caller }: BatchRow, now: Date): Promise<void> {
  const row = await moveBatch(tx, id, 'finish', now)
  if (!row) return
  const data = { done: row.done, failed: row.failed }
  const actor: Actor = actorOf(JSON.parse(caller) as Caller)
  await recordEvents(
    tx,
    [{ subscription_id, type: 'BatchFinished', ...actor, entity_type: 'Batch', entity_id: id, data }],
    now,
  )
}
