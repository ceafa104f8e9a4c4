// Batches as callers read them.
import type { Db } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { BatchRowView, BatchView } from '../../contract/batches.ts'
import type { BatchKind, BatchRowStatus, BatchStatus } from '../../contract/vocabulary.ts'
import { askedOf, pageOf } from '../../rules/paging.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { idOf } from '../../rules/texts.ts'
import { findBatch, listBatches, listBatchRows, moveBatch } from '../../store/batches.ts'
import type { BatchRow, BatchRowRow } from '../../store/document-tables.ts'
import type { Tables } from '../../store/tables.ts'
import { record, statusChange } from '../tenants/acting.ts'

export const batchView = (row: BatchRow): BatchView => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  instituteId: row.institute_id,
  kind: row.kind,
  status: row.status,
  format: row.format,
  rows: row.rows,
  done: row.done,
  failed: row.failed,
  progress: Math.floor((100 * row.next_row) / row.rows),
  createdBy: row.created_by,
  creationDate: row.created_at,
  updateDate: row.updated_at,
  finishDate: row.finished_at,
})

/** What is kept of a row that failed. */
export interface RowErrors {
  readonly code: string
  readonly errors: BatchRowView['errors']
}

export const errorsOf = ({ errors }: Pick<BatchRowRow, 'errors'>): RowErrors | undefined =>
  errors === null ? undefined : (JSON.parse(errors) as RowErrors)

const rowView = (row: BatchRowRow): BatchRowView => {
  const { code = null, errors = [] } = errorsOf(row) ?? {}
  return { number: row.number, status: row.status, itemId: row.item_id, code, errors }
}

/** A batch of the caller's organization, of this kind; any other does not exist. */
export async function requiredBatch(
  db: Db<Tables>,
  { subscriptionId }: Caller,
  kind: BatchKind,
  id: string,
): Promise<BatchRow> {
  const row = await findBatch(db, idOf(id))
  if (row?.subscription_id !== subscriptionId || row.kind !== kind) throw refuse('batch-not-found', { id })
  return row
}

export const read = async (context: Context, caller: Caller, kind: BatchKind, id: string): Promise<BatchView> =>
  batchView(await requiredBatch(context.store.db, caller, kind, id))

interface PageQuery<Status> {
  readonly page?: number
  readonly pageSize?: number
  readonly status?: Status
}

export async function listed(
  { store }: Context,
  { subscriptionId }: Caller,
  kind: BatchKind,
  query: PageQuery<BatchStatus>,
) {
  const asked = askedOf(query)
  const { items, total } = await listBatches(store.db, { ...asked, subscriptionId, kind, status: query.status })
  return pageOf(asked, items.map(batchView), total)
}

/** How many rows there are of each status is known without counting. */
const countOf = (batch: BatchRow, status: BatchRowStatus | undefined): number =>
  status === undefined ? batch.next_row : status === 'Done' ? batch.done : batch.failed

export async function rows(
  context: Context,
  caller: Caller,
  kind: BatchKind,
  id: string,
  query: PageQuery<BatchRowStatus>,
) {
  const batch = await requiredBatch(context.store.db, caller, kind, id)
  const asked = askedOf(query)
  const items = await listBatchRows(context.store.db, batch.id, { ...asked, status: query.status })
  return pageOf(asked, items.map(rowView), countOf(batch, query.status))
}

/** Stops a batch after the round that is under way, which writes nothing any more. */
export const cancel = (context: Context, caller: Caller, kind: BatchKind, id: string, now: Date): Promise<BatchView> =>
  context.store.transaction(async (tx) => {
    const former = await requiredBatch(tx, caller, kind, id)
    const row = await moveBatch(tx, former.id, 'cancel', now)
    if (!row) throw refuse('invalid-transition', { status: former.status, allowed: 'Created, Processing' })
    const entity = { type: 'Batch', id: row.id }
    const data = { done: row.done, failed: row.failed }
    await record(tx, caller, { type: 'BatchCanceled', entity, data, changes: statusChange(former, row) }, now)
    return batchView(row)
  })
