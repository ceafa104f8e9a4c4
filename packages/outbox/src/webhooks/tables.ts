import type { MoveTable } from '@chancela/service-kernel/states'
import { tablesOf } from '@chancela/service-kernel/store'
import type { Generated } from 'kysely'

/** How a delivery authenticates itself, in a header the receiver checks (spec 3, Authentication). */
export const authTypes = ['NoAuth', 'Basic', 'Bearer', 'ApiKey'] as const

export type AuthType = (typeof authTypes)[number]

/**
 * Whether an endpoint is sent to. `paused` by its owner: events wait. `disabled` by its owner or, where a service wants
 * it, by us after a 410 or failures alone: what waits is canceled, and events made meanwhile are not for it.
 */
export type EndpointState = 'enabled' | 'paused' | 'disabled'

const endpointStates = ['enabled', 'paused', 'disabled'] as const satisfies readonly EndpointState[]

/** Every way an endpoint changes its state: its owner may do all of it, by its name or by changing the endpoint. */
export const endpointMoves = {
  enabled: { from: endpointStates.filter((state) => state !== 'enabled'), to: 'enabled' },
  paused: { from: endpointStates.filter((state) => state !== 'paused'), to: 'paused' },
  disabled: { from: endpointStates.filter((state) => state !== 'disabled'), to: 'disabled' },
  restart: { from: ['disabled'], to: 'enabled' },
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
  /** Secret of the signature in `webhook-signature`, and the previous one while both are used. */
  sealed_secret: string
  sealed_previous_secret: string | null
  previous_secret_until: string | null
  /** Access to a receiver that requires more than a header: JSON of `EndpointAccess`. */
  sealed_access: string | null
  /** JSON list of event types; null for all. */
  event_types: string | null
  /** JSON list of groups (folders); null for all. */
  groups: string | null
  /** 1: deliveries of one subject are sent one after the other. */
  ordered: number
  /** Concurrent deliveries, and at most per second (null: no limit). */
  concurrency: number
  per_second: number | null
  state: EndpointState
  state_reason: string | null
  state_at: string
  /** Since when every attempt has failed, and how many have; null and 0 after a success. */
  failing_since: string | null
  failures: number
  /** No attempt before this time: the breaker is open. */
  open_until: string | null
  /** The sender that holds the endpoint's line, and until when unless renewed: no other one sends meanwhile. */
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
  /** The id of its subject, such as a document's. */
  subject: string
  /** JSON list of the groups it belongs to. */
  groups: string | null
  /** 1: a sample for one endpoint. */
  is_test: number
  /** Null where the body is rendered when it is sent. */
  body: string | null
  created_at: string
}

/**
 * The state of a delivery. `waiting`, also while an attempt is in progress, becomes `delivered`, `waiting` again, or
 * `failed` when no attempt is left; its owner can cancel a waiting one.
 */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'canceled'

/** Every state transition of a delivery. One that was canceled while in progress and still arrived is delivered. */
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
  /** 1: waits for earlier deliveries of the same subject. */
  in_order: number
  state: DeliveryState
  /** Ended attempts; settling one requires that the number is still the one it began with. */
  attempts: number
  /** The time of its next attempt. */
  due_at: string
  created_at: string
  finished_at: string | null
  last_status: number | null
  last_error: string | null
  /** Of the successful attempt: it has no row of its own, unless its body was rendered for it. */
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
  /** Null without a response. */
  status: number | null
  error: string | null
  /** The beginning of the response. */
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

/** The same database, typed with the webhooks' tables only: a service need not list them among its own. */
export const webhookTables = tablesOf<WebhookTables>()
