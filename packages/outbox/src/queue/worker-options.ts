import { type Clock, DAY, SECOND } from '@chancela/service-kernel/clock'
import type { Heartbeats } from '@chancela/service-kernel/health'
import type { Db } from '@chancela/service-kernel/store'
import type { ClaimedJob } from './job.ts'
import type { RetrySchedule } from './retry-schedule.ts'

/** What a handler gets besides its job. */
export interface HandlerContext {
  /** Aborted when the lease was lost (another worker may run the job now) or when the time to drain is over. */
  readonly signal: AbortSignal
  /**
   * Completes the job inside the handler's own transaction, so that its effects and its completion are atomic; throws
   * when the lease was lost, which rolls the effects back.
   */
  complete<Tables>(tx: Db<Tables>): Promise<void>
}

/** The kind of failure, in addition to the error itself. */
export type WorkerTrouble =
  /** The handler threw; the job waits for its next attempt. */
  | { readonly kind: 'retried'; readonly job: ClaimedJob; readonly retryAt: Date }
  /** The handler threw, and no attempt is left or it threw `HopelessJob`. */
  | { readonly kind: 'dead'; readonly job: ClaimedJob }
  /** The job was claimed by another worker meanwhile; its result here was not recorded. */
  | { readonly kind: 'lease-lost'; readonly job: ClaimedJob }
  /** The database failed; the worker tries again. */
  | { readonly kind: 'store' }

export interface WorkerOptions<Payload> {
  readonly queue: string
  /** Unique among the queue's running workers, and the same after a restart, when it releases what it held. */
  readonly instance: string
  readonly clock: Clock
  readonly retry: RetrySchedule
  /** Does the work. It may run more than once for a job (a crash, a lost lease), so it must be idempotent. */
  handle(job: ClaimedJob<Payload>, context: HandlerContext): Promise<void>
  onError(error: unknown, trouble: WorkerTrouble): void
  /** Jobs processed at a time. Default 8. */
  readonly concurrency?: number
  /** Jobs claimed at most, running or not: the larger, the fewer round trips. Default 4 times the concurrency. */
  readonly batch?: number
  /** Default 60. Extended while the job is held: it limits how long a crash delays a job, not how long work takes. */
  readonly leaseSeconds?: number
  /** Polling interval without notifications: for processes that share a SQLite file. Default 30. */
  readonly pollSeconds?: number
  /** How long done jobs are kept. Default 7 days. */
  readonly keepDoneSeconds?: number
  /** Where the loop tells that it turns. Default: nowhere. */
  readonly heartbeats?: Heartbeats
}

const workerDefaults = {
  concurrency: 8,
  leaseSeconds: 60,
  pollSeconds: 30,
  keepDoneSeconds: (7 * DAY) / SECOND,
} as const

/** The options with every default filled in. */
export type WorkerSettings<Payload> = Required<Omit<WorkerOptions<Payload>, 'heartbeats'>> &
  Pick<WorkerOptions<Payload>, 'heartbeats'>

export function workerSettings<Payload>(options: WorkerOptions<Payload>): WorkerSettings<Payload> {
  const concurrency = options.concurrency ?? workerDefaults.concurrency
  return { ...workerDefaults, batch: 4 * concurrency, ...options }
}
