// Batches, and what became of their rows.
import { type Db, insertRows, move } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import type { BatchKind, BatchRowStatus, BatchStatus } from '../contract/vocabulary.ts'
import { batchMoves } from '../rules/moves.ts'
import type { BatchRow, BatchRowRow } from './document-tables.ts'
import type { Tables } from './tables.ts'

export const BATCH_QUEUE = 'credential-batches'

export interface BatchJob {
  readonly batchId: string
}

/** Whether more jobs of a queue are due than this. */
export async function hasBacklog(db: Db<Tables>, queue: string, most: number, now: Date): Promise<boolean> {
  const { rows } = await sql`select 1 from durable_job where queue = ${queue} and state = 'waiting'
    and due_at <= ${now.toISOString()} limit ${sql.lit(most + 1)}`.execute(db)
  return rows.length > most
}

export const findBatch = async (db: Db<Tables>, id: string): Promise<BatchRow | undefined> => {
  const row = await db.selectFrom('batch').selectAll().where('id', '=', id).executeTakeFirst()
  // PostgreSQL answers large integers as text.
  return row && { ...row, next_offset: Number(row.next_offset) }
}

export const moveBatch = (
  db: Db<Tables>,
  id: string,
  name: keyof typeof batchMoves,
  now: Date,
): Promise<BatchRow | undefined> => {
  const at = now.toISOString()
  const set = { updated_at: at, ...(name !== 'start' && { finished_at: at }) }
  return move(db, { table: 'batch', column: 'status', moves: batchMoves, move: name, id, set })
}

/** What a round did. */
export interface Advance {
  readonly rows: readonly BatchRowRow[]
  readonly nextOffset: number
}

/** Writes a round down; false where another process did it, or the batch was stopped meanwhile. */
export async function advanceBatch(
  db: Db<Tables>,
  { id, next_row }: Pick<BatchRow, 'id' | 'next_row'>,
  { rows, nextOffset }: Advance,
  now: Date,
): Promise<boolean> {
  const failed = rows.filter(({ status }) => status === 'Failed').length
  const { numUpdatedRows } = await db
    .updateTable('batch')
    .set((batch) => ({
      next_row: next_row + rows.length,
      next_offset: nextOffset,
      done: batch('done', '+', rows.length - failed),
      failed: batch('failed', '+', failed),
      updated_at: now.toISOString(),
    }))
    .where('id', '=', id)
    .where('next_row', '=', next_row)
    .where('status', '=', 'Processing')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  await insertRows<Tables>(db, { batch_row: rows })
  return true
}

interface BatchesAsked {
  readonly subscriptionId: string
  readonly kind: BatchKind
  readonly status?: BatchStatus | undefined
  readonly limit: number
  readonly offset: number
}

export async function listBatches(db: Db<Tables>, { subscriptionId, kind, status, limit, offset }: BatchesAsked) {
  const matching = db
    .selectFrom('batch')
    .where('subscription_id', '=', subscriptionId)
    .where('kind', '=', kind)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
  const newest = matching.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
  const { n } = await matching.select(({ fn }) => fn.countAll<number | string>().as('n')).executeTakeFirstOrThrow()
  return { items: await newest.limit(limit).offset(offset).execute(), total: Number(n) }
}

interface RowsAsked {
  readonly status?: BatchRowStatus | undefined
  readonly limit: number
  readonly offset: number
}

const rowsOf = (db: Db<Tables>, batchId: string, status: BatchRowStatus | undefined) =>
  db
    .selectFrom('batch_row')
    .where('batch_id', '=', batchId)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))

export const listBatchRows = (db: Db<Tables>, batchId: string, { status, limit, offset }: RowsAsked) =>
  rowsOf(db, batchId, status).selectAll().orderBy('number').limit(limit).offset(offset).execute()

/** Rows that failed, after a number. */
export const failedAfter = (db: Db<Tables>, batchId: string, number: number, limit: number) =>
  rowsOf(db, batchId, 'Failed').selectAll().where('number', '>', number).orderBy('number').limit(limit).execute()
