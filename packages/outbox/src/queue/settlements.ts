import type { Db } from '@chancela/service-kernel/store'
import { completeJobs } from './complete-jobs.ts'
import { failJob } from './fail-job.ts'
import type { ClaimedJob } from './job.ts'

/** A failed attempt, and when the next one is due if there is one. */
export interface FailedAttempt {
  readonly job: ClaimedJob
  readonly error: string
  readonly retryAt: Date | undefined
  readonly now: Date
}

/** Callbacks for the results of settling. */
export interface SettlementNews {
  /** The result was not recorded: another worker has claimed the job. */
  onLost(job: ClaimedJob): void
  /** A failed job now waits for its next attempt. */
  onRetry(retryAt: Date): void
}

/** Buffers the results of attempts, to write many in one statement. */
export class Settlements<Tables> {
  readonly #db: Db<Tables>
  readonly #news: SettlementNews
  readonly #done: ClaimedJob[] = []
  readonly #failed: FailedAttempt[] = []

  constructor(db: Db<Tables>, news: SettlementNews) {
    this.#db = db
    this.#news = news
  }

  get size(): number {
    return this.#done.length + this.#failed.length
  }

  complete(job: ClaimedJob): void {
    this.#done.push(job)
  }

  fail(attempt: FailedAttempt): void {
    this.#failed.push(attempt)
  }

  /** Writes the buffered results. A result is removed only when it is in the database. */
  async flush(now: Date): Promise<void> {
    await this.#flushDone(now)
    for (const attempt of [...this.#failed]) await this.#flushFailed(attempt)
  }

  async #flushDone(now: Date): Promise<void> {
    const done = [...this.#done]
    const completed = await completeJobs(this.#db, done, now)
    this.#done.splice(0, done.length)
    for (const job of done) if (!completed.has(job.id)) this.#news.onLost(job)
  }

  async #flushFailed(attempt: FailedAttempt): Promise<void> {
    const recorded = await failJob(this.#db, attempt.job, attempt, attempt.now)
    this.#failed.shift()
    if (!recorded) this.#news.onLost(attempt.job)
    else if (attempt.retryAt) this.#news.onRetry(attempt.retryAt)
  }
}
