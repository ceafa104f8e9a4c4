import type { MoveTable } from '@chancela/service-kernel/states'
import { tablesOf } from '@chancela/service-kernel/store'
import type { Generated } from 'kysely'

/** How a delivery proves where it comes from, in a header the receiver checks (spec 3, Authentication). */
export const authTypes = ['NoAuth', 'Basic', 'Bearer', 'ApiKey'] as const

export type AuthType = (typeof authTypes)[number]

/**
 * Whether an endpoint is sent to. `paused` by its owner: events wait. `disabled` by its owner, by the receiver (410) or
 * by us after failures alone: events made meanwhile are not for it.
 */
export type EndpointState = 'enabled' | 'paused' | 'disabled'

const endpointStates = ['enabled', 'paused', 'disabled'] as const satisfies readonly EndpointState[]

/** Every way an endpoint changes its state: its owner may do all of it. */
export const endpointMoves = {
  enabled: { from: endpointStates.filter((state) => state !== 'enabled'), to: 'enabled' },
  paused: { from: endpointStates.filter((state) => state !== 'paused'), to: 'paused' },
  disabled: { from: endpointStates.filter((state) => state !== 'disabled'), to: 'disabled' },
} satisfies MoveTable<EndpointState>

/** One row of `webhook_endpoint`. */
export interface EndpointRow {
  id: string
  /** Whose events it receives: an organization, or the instance itself. */
  owner_id: string
  url: string
  auth_type: AuthType
  /** Sent exactly as registered. */
  sealed_token: string | null
  /** Secret of the signature in `webhook-signature`, and the one before it while both are sent. */
  sealed_secret: string
  sealed_previous_secret: string | null
  previous_secret_until: string | null
  /** How a receiver that asks for more than a header is reached: JSON of `EndpointAccess`. */
  sealed_access: string | null
  /** JSON list of event types; nothing for all. */
  event_types: string | null
  /** JSON list of groups (folders); nothing for all. */
  groups: string | null
  /** 1: deliveries about one subject go one after the other. */
  ordered: number
  /** Deliveries under way at once, and at most per second (nothing: no limit). */
  concurrency: number
  per_second: number | null
  state: EndpointState
  state_reason: string | null
  state_at: string
  /** Since when every attempt has failed, and how many have; nothing and 0 after a success. */
  failing_since: string | null
  failures: number
  /** No attempt before this time: the breaker is open. */
  open_until: string | null
  /** The sender that has the endpoint's line, and until when unless it goes on: no other one sends meanwhile. */
  lease_holder: string | null
  leased_until: string | null
  created_at: string
  updated_at: string
}

/** One row of `webhook_event`: what happened, with the exact bytes every delivery sends. */
export interface EventRow {
  /** The receiver's `webhook-id`: the same in every attempt and replay. */
  id: string
  owner_id: string
  type: string
  /** What it is about, such as a document's id. */
  subject: string
  /** JSON list of the groups it belongs to. */
  groups: string | null
  /** 1: a sample, made for one endpoint. */
  is_test: number
  /** Nothing where the body is rendered when it is sent. */
  body: string | null
  created_at: string
}

/**
 * Where a delivery stands. `waiting`, also while an attempt is under way, becomes `delivered`, `waiting` again, or
 * `failed` when its attempts are used up; whoever owns it can cancel what waits.
 */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'canceled'

/** Every way a delivery changes its state. What was canceled while it was under way and arrived all the same is delivered. */
export const deliveryMoves = {
  deliver: { from: ['waiting', 'canceled'], to: 'delivered' },
  postpone: { from: ['waiting'], to: 'waiting' },
  fail: { from: ['waiting'], to: 'failed' },
  cancel: { from: ['waiting'], to: 'canceled' },
} as const satisfies MoveTable<DeliveryState>

/** One row of `webhook_delivery`: one event on its way to one endpoint. */
export interface DeliveryRow {
  id: Generated<number>
  event_id: string
  endpoint_id: string
  subject: string
  type: string
  /** 1: of a sample. */
  is_test: number
  /** 1: goes after those before it about the same subject. */
  in_order: number
  state: DeliveryState
  /** Attempts that ended; who settles one must still find the number it began with. */
  attempts: number
  /** The time of its next attempt. */
  due_at: string
  created_at: string
  finished_at: string | null
  last_status: number | null
  last_error: string | null
  /** Of the attempt that arrived: it has no row of its own, unless its body was rendered for it. */
  last_duration_ms: number | null
  last_answer: string | null
}

/** One row of `webhook_attempt`: an attempt that failed, or whose body was rendered; deleted with its delivery. */
export interface AttemptRow {
  delivery_id: number
  /** 1 for the first. */
  number: number
  at: string
  duration_ms: number
  /** Nothing when there was no answer. */
  status: number | null
  error: string | null
  /** The beginning of the answer. */
  answer: string | null
  /** The body, where it was rendered for this attempt. */
  body: string | null
}

export interface WebhookTables {
  webhook_endpoint: EndpointRow
  webhook_event: EventRow
  webhook_delivery: DeliveryRow
  webhook_attempt: AttemptRow
}

/** The same database, seen with the webhooks' tables alone: a service need not list them among its own. */
export const webhookTables = tablesOf<WebhookTables>()
