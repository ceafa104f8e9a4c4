// The log of deliveries.
import { plus } from '@chancela/service-kernel/clock'
import type { Db } from '@chancela/service-kernel/store'
import { type AttemptRow, type DeliveryState, webhookTables } from './tables.ts'

/** Filters of an owner's deliveries; all of them must match. */
export interface DeliveryFilter {
  readonly ownerId: string
  readonly endpointId?: string
  readonly states?: readonly DeliveryState[]
  readonly type?: string
  readonly subject?: string
  /** Any of these. */
  readonly subjects?: readonly string[]
  readonly eventId?: string
  readonly isTest?: boolean
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** The last one of the previous page. */
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
  /** A sample, requested by the owner. */
  readonly isTest: boolean
  readonly state: DeliveryState
  readonly attempts: number
  /** Null unless it waits. */
  readonly nextAttemptAt: string | null
  readonly createdAt: string
  readonly finishedAt: string | null
  readonly lastStatus: number | null
  readonly lastError: string | null
}

/** A delivery with its payload and the results of all attempts. */
export interface DeliveryDetail extends Delivery {
  readonly body: string | null
  readonly tries: readonly Try[]
}

type Try = Omit<AttemptRow, 'delivery_id'>

const PAGE = 50

/** Deliveries of an owner, newest first. */
export async function listDeliveries<Tables>(db: Db<Tables>, filter: DeliveryFilter): Promise<readonly Delivery[]> {
  const {
    ownerId,
    endpointId,
    states,
    type,
    subject,
    subjects,
    eventId,
    isTest,
    from,
    to,
    before,
    limit = PAGE,
  } = filter
  let query = ofOwner(db, ownerId).selectAll('webhook_delivery')
  if (endpointId !== undefined) query = query.where('webhook_delivery.endpoint_id', '=', endpointId)
  if (states && states.length > 0) query = query.where('webhook_delivery.state', 'in', [...states])
  if (type !== undefined) query = query.where('webhook_delivery.type', '=', type)
  if (subject !== undefined) query = query.where('webhook_delivery.subject', '=', subject)
  if (subjects !== undefined) query = query.where('webhook_delivery.subject', 'in', [...subjects])
  if (eventId !== undefined) query = query.where('webhook_delivery.event_id', '=', eventId)
  if (isTest !== undefined) query = query.where('webhook_delivery.is_test', '=', isTest ? 1 : 0)
  if (from) query = query.where('webhook_delivery.created_at', '>=', from.toISOString())
  if (to) query = query.where('webhook_delivery.created_at', '<', to.toISOString())
  if (before !== undefined) query = query.where('webhook_delivery.id', '<', before)
  const rows = await query.orderBy('webhook_delivery.id', 'desc').limit(limit).execute()
  return rows.map(deliveryOf)
}

/** The deliveries to an owner's endpoints. */
export const ofOwner = <Tables>(db: Db<Tables>, ownerId: string) =>
  webhookTables(db)
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_endpoint', 'webhook_endpoint.id', 'webhook_delivery.endpoint_id')
    .where('webhook_endpoint.owner_id', '=', ownerId)

type Row = Awaited<ReturnType<ReturnType<typeof selected>['executeTakeFirstOrThrow']>>
const selected = <Tables>(db: Db<Tables>) => webhookTables(db).selectFrom('webhook_delivery').selectAll()

const deliveryOf = (row: Row): Delivery => ({
  id: row.id,
  eventId: row.event_id,
  endpointId: row.endpoint_id,
  type: row.type,
  subject: row.subject,
  isTest: row.is_test === 1,
  state: row.state,
  attempts: row.attempts,
  nextAttemptAt: row.state === 'waiting' ? row.due_at : null,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
  lastStatus: row.last_status,
  lastError: row.last_error,
})

/** One delivery of an owner; undefined if there is none. */
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
    .select(['number', 'at', 'duration_ms', 'status', 'error', 'answer', 'body'])
    .where('delivery_id', '=', id)
    .orderBy('number')
    .execute()
  const last = arrival(row)
  const isLogged = last === undefined || tries.some(({ number }) => number === last.number)
  return { ...deliveryOf(row), body: event?.body ?? null, tries: isLogged ? tries : [...tries, last] }
}

/** The successful attempt, which is stored in the delivery itself. */
function arrival({ state, attempts, finished_at, last_status, last_duration_ms, last_answer }: Row): Try | undefined {
  if (state !== 'delivered' || finished_at === null) return undefined
  const duration = last_duration_ms ?? 0
  const at = plus(new Date(finished_at), -duration).toISOString()
  const said = { status: last_status, error: null, answer: last_answer, body: null }
  return { number: attempts, at, duration_ms: duration, ...said }
}
