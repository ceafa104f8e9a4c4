import type { Clock } from '@chancela/service-kernel/clock'
import type { Heartbeats } from '@chancela/service-kernel/health'
import type { AddressPolicy } from '@chancela/service-kernel/http-client'
import type { Secrets } from '@chancela/service-kernel/secrets'
import type { Store } from '@chancela/service-kernel/store'
import type { DeliverySchedule } from './delivery-schedule.ts'
import type { EventRow } from './tables.ts'
import type { WebhookMetrics } from './webhook-metrics.ts'

/**
 * When an endpoint that only fails is left in peace, and when it is given up: never, unless it is said here, because
 * every failed delivery has its attempts (spec 3 A, Events).
 */
export interface FailurePolicy {
  /** Failures in a row after which attempts pause. Default 10. */
  readonly opensAfter?: number
  /** Seconds of the first pause; each further one is twice as long, up to `longestPause`. Defaults 30 and 3600. */
  readonly firstPause?: number
  readonly longestPause?: number
  /** Whether a receiver that answers 410 is disabled. Default: its deliveries fail like any other. */
  readonly disablesOnGone?: boolean
  /** Hours of failures alone after which the endpoint is disabled. Default 0: never. */
  readonly disablesAfterHours?: number
  /** Failures there must be by then. Default 20. */
  readonly disablesAfter?: number
}

export interface SenderOptions<Tables> {
  readonly store: Store<Tables>
  readonly clock: Clock
  readonly secrets: Secrets
  readonly policy: AddressPolicy
  readonly schedule: DeliverySchedule
  readonly failures?: FailurePolicy
  /** Renders the body of an event that was stored without one, when it is sent. */
  readonly render?: (event: EventRow) => Promise<string | undefined>
  readonly metrics?: WebhookMetrics
  /** Whether deliveries have the headers of Standard Webhooks, with their signature. Default true. */
  readonly signs?: boolean
  /** Concurrent deliveries of this process to endpoints that answer. Default 256. */
  readonly concurrency?: number
  /** The same to endpoints that do not answer or are unknown, one to each. Default 1024. */
  readonly unprovenConcurrency?: number
  /** Attempts a second to all failing endpoints together. Default 50. */
  readonly failingPerSecond?: number
  /** The proxy through which everything is sent: `http://host:port`. Default: none. */
  readonly proxyUrl?: string
  /** Milliseconds to the response. Default 20000. */
  readonly timeoutMs?: number
  /** Milliseconds between two scans of all lines, for what another process left behind. Default 5000. */
  readonly sweepMs?: number
  /** Where the sender tells that it turns. Default: nowhere. */
  readonly heartbeats?: Heartbeats
  /** Called after an endpoint was durably disabled: to notify its owner. */
  onDisabled?(endpoint: { readonly id: string; readonly ownerId: string; readonly reason: string }): void
  /** Called when the database is unreachable or a bug occurs; sending continues by itself. */
  onTrouble?(error: unknown): void
}

/** Sends the deliveries of the outbox. */
export interface WebhookSender {
  start(): void
  /** Looks for work now. */
  wake(): void
  /** Starts no new attempts; waits up to `waitMs` (default 25 s) for those in progress. */
  stop(waitMs?: number): Promise<void>
}
