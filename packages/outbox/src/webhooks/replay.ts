// Waiting deliveries can be canceled, and ended ones sent again.

import { plus, SECOND } from '@chancela/service-kernel/clock'
import { type Db, notify, type Store } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import { ofOwner } from './deliveries.ts'
import { isFor, WEBHOOK_CHANNEL } from './emit-events.ts'
import { canceling, ENDPOINT_CHANNEL, type EndpointName, listOf } from './endpoints.ts'
import { insertDeliveries } from './line-statements.ts'
import { reason } from './reason-texts.ts'
import { type EventRow, webhookTables } from './tables.ts'

/** Deliveries replayed in one call, and how many become due each second, so that new events go in between. */
const MOST = 1_000
const PER_SECOND = 100

/** What to replay: some deliveries, or those of an endpoint by state and time. */
export type Replay =
  | { readonly deliveryIds: readonly number[] }
  | { readonly states: readonly ('failed' | 'canceled' | 'delivered')[]; readonly from: Date; readonly to: Date }

/**
 * Sends ended deliveries again, with the same event, id and bytes: each becomes a new delivery, so that the log keeps
 * what was. An event that waits for the endpoint already is not added once more; nor is one that has arrived since,
 * where what did not arrive is asked for. Answers how many; `most` at once, the oldest first.
 */
export async function replayDeliveries<Tables>(
  store: Store<Tables>,
  tx: Transaction<Tables>,
  { ownerId, id: endpointId }: EndpointName,
  replay: Replay,
  now: Date,
  most: number = MOST,
): Promise<number> {
  let query = ofOwner(tx, ownerId)
    .select(({ fn }) => [
      'webhook_delivery.event_id',
      'webhook_delivery.subject',
      'webhook_delivery.type',
      'webhook_delivery.is_test',
      fn.min('webhook_delivery.id').as('first'),
    ])
    .where('webhook_delivery.endpoint_id', '=', endpointId)
    .where('webhook_delivery.finished_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_delivery as already')
            .select('already.id')
            .whereRef('already.event_id', '=', 'webhook_delivery.event_id')
            .where('already.endpoint_id', '=', endpointId)
            .where('already.state', 'in', asksForArrived(replay) ? ['waiting'] : ['waiting', 'delivered']),
        ),
      ),
    )
  if ('deliveryIds' in replay) {
    if (replay.deliveryIds.length === 0) return 0
    query = query.where('webhook_delivery.id', 'in', [...replay.deliveryIds])
  } else
    query = query
      .where('webhook_delivery.state', 'in', [...replay.states])
      .where('webhook_delivery.created_at', '>=', replay.from.toISOString())
      .where('webhook_delivery.created_at', '<', replay.to.toISOString())
  const rows = await query
    .groupBy([
      'webhook_delivery.event_id',
      'webhook_delivery.subject',
      'webhook_delivery.type',
      'webhook_delivery.is_test',
    ])
    .orderBy('first')
    .limit(most)
    .execute()
  return addDeliveries(store, tx, endpointId, rows, now)
}

const asksForArrived = (replay: Replay): boolean => 'deliveryIds' in replay || replay.states.includes('delivered')

type Told = Pick<EventRow, 'subject' | 'type' | 'is_test'> & { readonly event_id: string }

async function addDeliveries<Tables>(
  store: Store<Tables>,
  tx: Transaction<Tables>,
  endpointId: string,
  events: readonly Told[],
  now: Date,
): Promise<number> {
  if (events.length === 0) return 0
  const at = now.toISOString()
  const dueAt = (nth: number) => plus(now, Math.floor(nth / PER_SECOND) * SECOND).toISOString()
  const { ordered } = await webhookTables(tx)
    .selectFrom('webhook_endpoint')
    .select('ordered')
    .where('id', '=', endpointId)
    .executeTakeFirstOrThrow()
  const rows = events.map(
    ({ event_id, subject, type, is_test }, nth) =>
      [event_id, endpointId, subject, type, is_test, ordered, dueAt(nth), at] as const,
  )
  await insertDeliveries(tx, rows)
  await store.notify(tx, WEBHOOK_CHANNEL)
  return rows.length
}

/**
 * Sends an endpoint the events since a time (since its registration, when nothing is said) that it takes and has no
 * delivery of, such as those made while it was disabled, or has canceled ones of alone.
 */
export async function replayMissing<Tables>(
  store: Store<Tables>,
  tx: Transaction<Tables>,
  name: EndpointName,
  since: Date | null,
  now: Date,
  most: number = MOST,
): Promise<number> {
  const endpoint = await webhookTables(tx)
    .selectFrom('webhook_endpoint')
    .select(['id', 'event_types', 'groups', 'created_at'])
    .where('id', '=', name.id)
    .where('owner_id', '=', name.ownerId)
    .executeTakeFirst()
  if (!endpoint) return 0
  const from = since?.toISOString() ?? endpoint.created_at
  const events = await missingEvents(tx, name, from, listOf(endpoint.event_types))
  const wanted = events.filter(({ type, groups }) => isFor(endpoint, { type, groups: listOf(groups) ?? [] }))
  return addDeliveries(store, tx, endpoint.id, wanted.slice(0, most), now)
}

/** Events scanned in one call: an endpoint that subscribes to few groups must not scan all of them. */
const MOST_LOOKED_AT = 20_000

function missingEvents<Tables>(
  tx: Transaction<Tables>,
  { ownerId, id }: EndpointName,
  from: string,
  types: readonly string[] | null,
) {
  const missing = webhookTables(tx)
    .selectFrom('webhook_event')
    .select(['id as event_id', 'subject', 'type', 'groups', 'is_test'])
    .where('owner_id', '=', ownerId)
    .where('is_test', '=', 0)
    .where('created_at', '>=', from)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_delivery')
            .select('webhook_delivery.id')
            .whereRef('webhook_delivery.event_id', '=', 'webhook_event.id')
            .where('webhook_delivery.endpoint_id', '=', id)
            .where('webhook_delivery.state', '!=', 'canceled'),
        ),
      ),
    )
  return (types ? missing.where('type', 'in', [...types]) : missing)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST_LOOKED_AT)
    .execute()
}

/** Cancels waiting deliveries of an endpoint: these, or all. Returns how many. */
export async function cancelDeliveries<Tables>(
  db: Db<Tables>,
  { ownerId, id }: EndpointName,
  deliveryIds: readonly number[] | 'all',
  now: Date,
): Promise<number> {
  if (deliveryIds.length === 0) return 0
  const canceled = canceling(db, reason('canceled'), now).where('endpoint_id', 'in', ({ selectFrom }) =>
    selectFrom('webhook_endpoint')
      .select('webhook_endpoint.id')
      .where('webhook_endpoint.id', '=', id)
      .where('owner_id', '=', ownerId),
  )
  const these = deliveryIds === 'all' ? canceled : canceled.where('id', 'in', [...deliveryIds])
  const { numUpdatedRows } = await these.executeTakeFirst()
  if (numUpdatedRows > 0n) await notify(db, ENDPOINT_CHANNEL)
  return Number(numUpdatedRows)
}
