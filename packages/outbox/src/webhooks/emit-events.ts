import { newRowId, type Store } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import { listed, listOf } from './endpoints.ts'
import { type DeliveryValues, insertDeliveries, insertEvents } from './line-statements.ts'
import { type EndpointRow, webhookTables } from './tables.ts'

/** The notification channel of new deliveries. */
export const WEBHOOK_CHANNEL = 'webhooks'

/** An event to send to an owner's endpoints. */
export interface NewWebhookEvent {
  readonly ownerId: string
  readonly type: string
  /** The id of its subject, such as a document's. */
  readonly subject: string
  /** Groups it belongs to, such as the folder and its parents; endpoints may subscribe to some groups only. */
  readonly groups?: readonly string[]
  /** The exact text every attempt sends; null where it is rendered when it is sent. */
  readonly body: string | null
}

/**
 * Writes events and their deliveries in the transaction of the change they report, so that both happen or neither.
 * Owners without endpoints cost one query.
 */
export async function emitEvents<Tables>(
  store: Pick<Store<Tables>, 'notify'>,
  transaction: Transaction<Tables>,
  events: readonly NewWebhookEvent[],
  now: Date,
): Promise<void> {
  const tx = webhookTables(transaction)
  const owners = [...new Set(events.map(({ ownerId }) => ownerId))]
  if (owners.length === 0) return
  const endpoints = await tx
    .selectFrom('webhook_endpoint')
    .select(['id', 'owner_id', 'state', 'event_types', 'groups', 'ordered'])
    .where('owner_id', 'in', owners)
    .execute()
  if (endpoints.length === 0) return
  const at = now.toISOString()
  const told = events
    .map((event) => ({
      id: newRowId(now),
      event,
      endpoints: endpoints.filter((one) => one.owner_id === event.ownerId),
    }))
    .filter((each) => each.endpoints.length > 0)
  const rows = told.map(
    ({ id, event: { ownerId, type, subject, groups, body } }) =>
      [id, ownerId, type, subject, listed(groups), 0, body, at] as const,
  )
  const deliveries = told.flatMap(({ id, event, endpoints }) =>
    endpoints
      .filter((endpoint) => wants(endpoint, event))
      .map((endpoint): DeliveryValues => [id, endpoint.id, event.subject, event.type, 0, endpoint.ordered, at, at]),
  )
  for (const some of chunks(rows)) await insertEvents(tx, some)
  for (const some of chunks(deliveries)) await insertDeliveries(tx, some)
  if (deliveries.length > 0) await store.notify(transaction, WEBHOOK_CHANNEL)
}

type Subscription = Pick<EndpointRow, 'state' | 'event_types' | 'groups'>

/** A paused endpoint's events wait; a disabled one gets none. */
function wants(subscription: Subscription, event: NewWebhookEvent): boolean {
  return subscription.state !== 'disabled' && isFor(subscription, event)
}

/** Whether an endpoint subscribes to this type and these groups. */
export function isFor(
  { event_types, groups }: Pick<EndpointRow, 'event_types' | 'groups'>,
  event: Pick<NewWebhookEvent, 'type' | 'groups'>,
): boolean {
  const [types, wanted] = [listOf(event_types), listOf(groups)]
  if (types && !types.includes(event.type)) return false
  return !wanted || (event.groups ?? []).some((group) => wanted.includes(group))
}

/** Rows per statement, so that its text stays small. */
const ROWS_AT_ONCE = 500

function* chunks<T>(rows: readonly T[]): Generator<T[]> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) yield rows.slice(from, from + ROWS_AT_ONCE)
}
