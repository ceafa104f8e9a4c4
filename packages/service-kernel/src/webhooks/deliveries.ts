// The log of deliveries, and what can be done with them: sent again, canceled, purged.
import type { Transaction } from 'kysely'
import type { Db, Store } from '../store/index.ts'
import { WEBHOOK_CHANNEL } from './emit-events.ts'
import type { EndpointName } from './endpoints.ts'
import { type AttemptRow, type DeliveryState, webhookTables } from './tables.ts'

/** Which deliveries of an owner to list; everything given must hold. */
export interface DeliveryFilter {
  readonly ownerId: string
  readonly endpointId?: string
  readonly states?: readonly DeliveryState[]
  readonly type?: string
  readonly subject?: string
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** The last one of the page before. */
  readonly before?: number
  /** Default 50. */
  readonly limit?: number
}

/** One event on its way to one endpoint. */
export interface Delivery {
  readonly id: number
  readonly eventId: string
  readonly endpointId: string
  readonly type: string
  readonly subject: string
  readonly state: DeliveryState
  readonly attempts: number
  /** Nothing unless it waits. */
  readonly nextAttemptAt: string | null
  readonly createdAt: string
  readonly finishedAt: string | null
  readonly lastStatus: number | null
  readonly lastError: string | null
}

/** A delivery with what it sends and what came of each attempt. */
export interface DeliveryDetail extends Delivery {
  readonly body: string | null
  readonly tries: readonly Omit<AttemptRow, 'id' | 'delivery_id'>[]
}

const PAGE = 50

/** Deliveries of an owner, newest first. */
export async function listDeliveries<Tables>(db: Db<Tables>, filter: DeliveryFilter): Promise<readonly Delivery[]> {
  const { ownerId, endpointId, states, type, subject, from, to, before, limit = PAGE } = filter
  let query = ofOwner(db, ownerId).selectAll('webhook_delivery')
  if (endpointId !== undefined) query = query.where('webhook_delivery.endpoint_id', '=', endpointId)
  if (states && states.length > 0) query = query.where('webhook_delivery.state', 'in', [...states])
  if (type !== undefined) query = query.where('webhook_delivery.type', '=', type)
  if (subject !== undefined) query = query.where('webhook_delivery.subject', '=', subject)
  if (from) query = query.where('webhook_delivery.created_at', '>=', from.toISOString())
  if (to) query = query.where('webhook_delivery.created_at', '<', to.toISOString())
  if (before !== undefined) query = query.where('webhook_delivery.id', '<', before)
  const rows = await query.orderBy('webhook_delivery.id', 'desc').limit(limit).execute()
  return rows.map(deliveryOf)
}

const ofOwner = <Tables>(db: Db<Tables>, ownerId: string) =>
  webhookTables(db)
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_endpoint', 'webhook_endpoint.id', 'webhook_delivery.endpoint_id')
    .where('webhook_endpoint.owner_id', '=', ownerId)

type Row = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>
const selected = <Tables>(db: Db<Tables>) => webhookTables(db).selectFrom('webhook_delivery').selectAll()

const deliveryOf = (row: Row): Delivery => ({
  id: Number(row.id),
  eventId: row.event_id,
  endpointId: row.endpoint_id,
  type: row.type,
  subject: row.subject,
  state: row.state,
  attempts: row.attempts,
  nextAttemptAt: row.state === 'waiting' ? row.due_at : null,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
  lastStatus: row.last_status,
  lastError: row.last_error,
})

/** One delivery of an owner; nothing when there is no such one. */
export async function findDelivery<Tables>(
  db: Db<Tables>,
  { ownerId, id }: { readonly ownerId: string; readonly id: number },
): Promise<DeliveryDetail | undefined> {
  const row = await ofOwner(db, ownerId)
    .selectAll('webhook_delivery')
    .where('webhook_delivery.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const event = await webhookTables(db)
    .selectFrom('webhook_event')
    .select('body')
    .where('id', '=', row.event_id)
    .executeTakeFirst()
  const tries = await webhookTables(db)
    .selectFrom('webhook_attempt')
    .select(['at', 'duration_ms', 'status', 'error', 'answer', 'body'])
    .where('delivery_id', '=', id)
    .orderBy('id')
    .execute()
  return { ...deliveryOf(row), body: event?.body ?? null, tries }
}

/** What is sent again: one delivery, or those of an endpoint in these states and times. */
export type Replay =
  | { readonly deliveryId: number }
  | { readonly states: readonly ('failed' | 'canceled' | 'delivered')[]; readonly from: Date; readonly to: Date }

/**
 * Sends ended deliveries again, with the same event, id and bytes: each becomes a new delivery, so that the log keeps
 * what was. Answers how many; `most` at once, the oldest first.
 */
export async function replayDeliveries<Tables>(
  store: Store<Tables>,
  tx: Transaction<Tables>,
  { ownerId, id: endpointId }: EndpointName,
  replay: Replay,
  now: Date,
  most = 1_000,
): Promise<number> {
  let query = ofOwner(tx, ownerId)
    .select(['webhook_delivery.event_id', 'webhook_delivery.subject', 'webhook_delivery.type'])
    .where('webhook_delivery.endpoint_id', '=', endpointId)
    .where('webhook_delivery.finished_at', 'is not', null)
  if ('deliveryId' in replay) query = query.where('webhook_delivery.id', '=', replay.deliveryId)
  else
    query = query
      .where('webhook_delivery.state', 'in', [...replay.states])
      .where('webhook_delivery.created_at', '>=', replay.from.toISOString())
      .where('webhook_delivery.created_at', '<', replay.to.toISOString())
  const rows = await query.orderBy('webhook_delivery.id').limit(most).execute()
  return addDeliveries(store, tx, endpointId, rows, now)
}

interface Told {
  readonly event_id: string
  readonly subject: string
  readonly type: string
}

async function addDeliveries<Tables>(
  store: Store<Tables>,
  tx: Transaction<Tables>,
  endpointId: string,
  events: readonly Told[],
  now: Date,
): Promise<number> {
  const at = now.toISOString()
  const rows = events.map((event) => ({
    ...event,
    endpoint_id: endpointId,
    state: 'waiting' as const,
    attempts: 0,
    due_at: at,
    created_at: at,
  }))
  if (rows.length === 0) return 0
  await webhookTables(tx).insertInto('webhook_delivery').values(rows).execute()
  await store.notify(tx, WEBHOOK_CHANNEL)
  return rows.length
}

/** Sends an endpoint the events of its owner that it never got a delivery of, such as those made while it was disabled. */
export async function replayMissing<Tables>(
  store: Store<Tables>,
  tx: Transaction<Tables>,
  { ownerId, id: endpointId }: EndpointName,
  since: Date,
  now: Date,
  most = 1_000,
): Promise<number> {
  const rows = await webhookTables(tx)
    .selectFrom('webhook_event')
    .select(['id as event_id', 'subject', 'type'])
    .where('owner_id', '=', ownerId)
    .where('created_at', '>=', since.toISOString())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_delivery')
            .select('webhook_delivery.id')
            .whereRef('webhook_delivery.event_id', '=', 'webhook_event.id')
            .where('webhook_delivery.endpoint_id', '=', endpointId),
        ),
      ),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(most)
    .execute()
  return addDeliveries(store, tx, endpointId, rows, now)
}

/** Rows deleted in one statement, which on SQLite is how long a sender waits. */
const PURGED_AT_ONCE = 1_000

/** Deletes deliveries that ended before a time, with their attempts, and events nobody is to be told of any more. */
export async function purgeDeliveries<Tables>(
  store: Store<Tables>,
  before: Date,
  pause: () => Promise<void> = () => new Promise(setImmediate),
): Promise<number> {
  let purged = 0
  for (;;) {
    const gone = await store.transaction((tx) => purgeSome(tx, before))
    purged += gone
    if (gone < PURGED_AT_ONCE) break
    await pause()
  }
  while ((await store.transaction((tx) => purgeEvents(tx, before))) === PURGED_AT_ONCE) await pause()
  return purged
}

async function purgeSome<Tables>(tx: Transaction<Tables>, before: Date): Promise<number> {
  const db = webhookTables(tx)
  const rows = await db
    .selectFrom('webhook_delivery')
    .select('id')
    .where('finished_at', '<', before.toISOString())
    .orderBy('finished_at')
    .limit(PURGED_AT_ONCE)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await db.deleteFrom('webhook_attempt').where('delivery_id', 'in', ids).execute()
  await db.deleteFrom('webhook_delivery').where('id', 'in', ids).execute()
  return ids.length
}

async function purgeEvents<Tables>(tx: Transaction<Tables>, before: Date): Promise<number> {
  const db = webhookTables(tx)
  const oldest = db
    .selectFrom('webhook_event')
    .select('id')
    .where('created_at', '<', before.toISOString())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_delivery')
            .select('webhook_delivery.id')
            .whereRef('webhook_delivery.event_id', '=', 'webhook_event.id'),
        ),
      ),
    )
    .orderBy('created_at')
    .limit(PURGED_AT_ONCE)
  const { numDeletedRows } = await db.deleteFrom('webhook_event').where('id', 'in', oldest).executeTakeFirst()
  return Number(numDeletedRows)
}
