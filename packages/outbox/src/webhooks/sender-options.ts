import type { Clock } from '@chancela/service-kernel/clock'
import type { AddressPolicy } from '@chancela/service-kernel/http-client'
import type { Secrets } from '@chancela/service-kernel/secrets'
import type { Store } from '@chancela/service-kernel/store'
import type { DeliverySchedule } from './delivery-schedule.ts'
import type { EventRow } from './tables.ts'
import type { WebhookMetrics } from './webhook-metrics.ts'

/** When an endpoint that only fails is left in peace, and when it is given up. */
export interface FailurePolicy {
  /** Failures in a row after which attempts pause. Default 10. */
  readonly opensAfter?: number
  /** Seconds of the first pause; each further one is twice as long, up to `longestPause`. Defaults 30 and 3600. */
  readonly firstPause?: number
  readonly longestPause?: number
  /** Hours of failures alone after which the endpoint is disabled, with at least `disablesAfter` failures. Defaults 120 and 20. */
  readonly disablesAfterHours?: number
  readonly disablesAfter?: number
}

export interface SenderOptions<Tables> {
  readonly store: Store<Tables>
  readonly clock: Clock
  readonly secrets: Secrets
  readonly policy: AddressPolicy
  readonly schedule: DeliverySchedule
  readonly failures?: FailurePolicy
  /** Makes the body of an event that was written without one, at the moment it is sent. */
  readonly render?: (event: EventRow) => Promise<string | undefined>
  readonly metrics?: WebhookMetrics
  /** Deliveries under way in this process to endpoints that answer. Default 256. */
  readonly concurrency?: number
  /** The same to endpoints that do not, or are not known to, one to each. Default 1024. */
  readonly unprovenConcurrency?: number
  /** Attempts a second to all endpoints together whose last attempt failed. Default 50. */
  readonly failingPerSecond?: number
  /** The proxy through which everything is sent: `http://host:port`. Default: none. */
  readonly proxyUrl?: string
  /** Milliseconds until an answer is there. Default 20000. */
  readonly timeoutMs?: number
  /** Milliseconds between two looks at every line, for what another process left behind. Default 5000. */
  readonly sweepMs?: number
  /** Told after an endpoint was disabled, durably: for the notice to its owner. */
  onDisabled?(endpoint: { readonly id: string; readonly ownerId: string; readonly reason: string }): void
  /** Told when the database cannot be reached or a bug shows; sending goes on by itself. */
  onTrouble?(error: unknown): void
}

/** Sends what the outbox holds. */
export interface WebhookSender {
  start(): void
  /** Looks for work now. */
  wake(): void
  /** No new attempts; those under way end, as far as they do so within `waitMs` (default 25 s). */
  stop(waitMs?: number): Promise<void>
}
