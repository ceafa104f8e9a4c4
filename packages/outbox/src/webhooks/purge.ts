// Retention: ended deliveries are deleted by age and by number, in batches so small that no sender is delayed.

import type { Store } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import { webhookTables } from './tables.ts'

/** What the retention keeps. */
export interface Retention {
  /** Deliveries that ended before this time are deleted. */
  readonly endedBefore: Date
  /** At most so many of the newest deliveries are kept, whatever their age. Default: no limit. */
  readonly mostDeliveries?: number
}

/** Rows deleted in one transaction, which on SQLite blocks senders. */
const BITE = 200
/** After each batch the purge pauses so many times as long as it took, to leave the machine to senders. */
const REST = 3

/** Deletes ended deliveries with their attempts, and events without deliveries. Returns the number of deliveries. */
export async function purgeDeliveries<Tables>(
  store: Store<Tables>,
  { endedBefore, mostDeliveries }: Retention,
  signal?: AbortSignal,
): Promise<number> {
  const before = endedBefore.toISOString()
  const byAge = await inBites(store, (tx) => purgeEnded(tx, before), signal)
  const last = mostDeliveries === undefined ? 0 : (await newest(store)) - mostDeliveries
  const byNumber = last > 0 ? await inBites(store, (tx, after) => purgeUpTo(tx, last, after), signal) : 0
  await inBites(store, (tx, after) => purgeEvents(tx, before, after), signal)
  return byAge + byNumber
}

/** What a batch deleted, and where the next one begins; undefined when there is none. */
interface Bite {
  readonly deleted: number
  readonly next?: string | number
}

type Bites<Tables> = (tx: Transaction<Tables>, after: string | number | undefined) => Promise<Bite>

async function inBites<Tables>(store: Store<Tables>, bite: Bites<Tables>, signal?: AbortSignal): Promise<number> {
  let deleted = 0
  let after: string | number | undefined
  for (;;) {
    const begun = performance.now()
    const bitten = await store.transaction((tx) => bite(tx, after))
    deleted += bitten.deleted
    if (bitten.next === undefined || signal?.aborted) return deleted
    after = bitten.next
    await new Promise((resolve) => setTimeout(resolve, REST * (performance.now() - begun)))
  }
}

async function purgeEnded<Tables>(tx: Transaction<Tables>, before: string): Promise<Bite> {
  const rows = await webhookTables(tx)
    .selectFrom('webhook_delivery')
    .select(['id', 'event_id'])
    .where('finished_at', '<', before)
    .orderBy('finished_at')
    .limit(BITE)
    .execute()
  return deleted(tx, rows)
}

const newest = async <Tables>({ db }: Store<Tables>): Promise<number> => {
  const row = await webhookTables(db)
    .selectFrom('webhook_delivery')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

// Ids have no gaps except for rollbacks: subtracting from the newest replaces a count.
async function purgeUpTo<Tables>(
  tx: Transaction<Tables>,
  last: number,
  after: string | number | undefined,
): Promise<Bite> {
  const rows = await webhookTables(tx)
    .selectFrom('webhook_delivery')
    .select(['id', 'event_id'])
    .where('id', '<=', last)
    .where('id', '>', Number(after ?? 0))
    .where('finished_at', 'is not', null)
    .orderBy('id')
    .limit(BITE)
    .execute()
  return deleted(tx, rows)
}

async function deleted<Tables>(
  tx: Transaction<Tables>,
  rows: readonly { readonly id: number; readonly event_id: string }[],
): Promise<Bite> {
  const last = rows.at(-1)
  if (!last) return { deleted: 0 }
  const db = webhookTables(tx)
  const ids = rows.map(({ id }) => id)
  await db.deleteFrom('webhook_attempt').where('delivery_id', 'in', ids).execute()
  await db.deleteFrom('webhook_delivery').where('id', 'in', ids).execute()
  await deleteUnused(tx, [...new Set(rows.map(({ event_id }) => event_id))])
  return { deleted: ids.length, ...(ids.length === BITE && { next: last.id }) }
}

/** Of these events, deletes those without a delivery: otherwise they would look as if an endpoint had missed them. */
async function deleteUnused<Tables>(tx: Transaction<Tables>, eventIds: readonly string[]): Promise<void> {
  await webhookTables(tx)
    .deleteFrom('webhook_event')
    .where('id', 'in', [...eventIds])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_delivery')
            .select('webhook_delivery.id')
            .whereRef('webhook_delivery.event_id', '=', 'webhook_event.id'),
        ),
      ),
    )
    .execute()
}

/** Old events without any delivery: one scan, skipping those that still have one. */
async function purgeEvents<Tables>(
  tx: Transaction<Tables>,
  before: string,
  after: string | number | undefined,
): Promise<Bite> {
  const rows = await webhookTables(tx)
    .selectFrom('webhook_event')
    .select('id')
    .where('created_at', '<', before)
    .where('id', '>', String(after ?? ''))
    .orderBy('id')
    .limit(BITE)
    .execute()
  const last = rows.at(-1)
  if (!last) return { deleted: 0 }
  await deleteUnused(
    tx,
    rows.map(({ id }) => id),
  )
  return { deleted: rows.length, ...(rows.length === BITE && { next: last.id }) }
}
