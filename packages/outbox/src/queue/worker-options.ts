import { type Clock, DAY, SECOND } from '@chancela/service-kernel/clock'
import type { Db } from '@chancela/service-kernel/store'
import type { ClaimedJob } from './job.ts'
import type { RetrySchedule } from './retry-schedule.ts'

/** What a handler is given besides its job. */
export interface HandlerContext {
  /** Aborted when the lease was lost (someone else may run the job now) or when stopping has run out of patience. */
  readonly signal: AbortSignal
  /**
   * Completes the job inside the handler's own transaction, so that its effects and its end are one; throws when the
   * lease was lost, which rolls the effects back.
   */
  complete<Tables>(tx: Db<Tables>): Promise<void>
}

/** What went wrong, besides the error itself. */
export type WorkerTrouble =
  /** The handler threw; the job waits for its next attempt. */
  | { readonly kind: 'retried'; readonly job: ClaimedJob; readonly retryAt: Date }
  /** The handler threw, and no attempt is left or would help. */
  | { readonly kind: 'dead'; readonly job: ClaimedJob }
  /** The job was claimed by another worker meanwhile; its result here was not recorded. */
  | { readonly kind: 'lease-lost'; readonly job: ClaimedJob }
  /** The database failed; the worker tries again. */
  | { readonly kind: 'store' }

export interface WorkerOptions<Payload> {
  readonly queue: string
  /** Unique among the running workers of the queue, and the same after a restart, when it frees what it held before. */
  readonly instance: string
  readonly clock: Clock
  readonly retry: RetrySchedule
  /** Does the work. It may run more than once for a job (a crash, a lost lease): make it repeatable. */
  handle(job: ClaimedJob<Payload>, context: HandlerContext): Promise<void>
  onError(error: unknown, trouble: WorkerTrouble): void
  /** Jobs in work at a time. Default 8. */
  readonly concurrency?: number
  /** Jobs held at most, in work or about to be: the larger, the fewer round trips. Default 4 times the concurrency. */
  readonly batch?: number
  /** Default 60. Extended while the job is held, so it bounds how long a crash delays a job, not how long work may take. */
  readonly leaseSeconds?: number
  /** How often to look without being woken: for processes that share a SQLite file. Default 30. */
  readonly pollSeconds?: number
  /** How long done jobs stay to be looked at. Default 7 days. */
  readonly keepDoneSeconds?: number
}

const workerDefaults = {
  concurrency: 8,
  leaseSeconds: 60,
  pollSeconds: 30,
  keepDoneSeconds: (7 * DAY) / SECOND,
} as const

/** The options with every default filled in. */
export type WorkerSettings<Payload> = Required<WorkerOptions<Payload>>

export function workerSettings<Payload>(options: WorkerOptions<Payload>): WorkerSettings<Payload> {
  const concurrency = options.concurrency ?? workerDefaults.concurrency
  return { ...workerDefaults, batch: 4 * concurrency, ...options }
}
