import { SECOND } from '@chancela/service-kernel/clock'
import type { Heartbeat } from '@chancela/service-kernel/health'
import type { Context } from '../../context.ts'
import { type KnownJob, type RecoveryParts, recover } from './recover.ts'

export interface SweeperParts extends RecoveryParts {
  /** Whether a lane of this process has the job. */
  isRunning(jobId: string): boolean
  /** Whether another process that lives has the owner's jobs. */
  isLiveElsewhere(owner: string | null): boolean
  /** Looks who lives now: one that has just started must not be taken for dead. */
  lookAround?(): Promise<void>
}

/** Milliseconds between two sweeps. */
const SWEEP_MS = 5 * SECOND

/** How often a job whose end could not be recorded is begun again: what is wrong may be the job's. */
const MOST_BEGUN_AGAIN = 3

/**
 * Tries again, while the service runs, what failed at the end of a job: an output without its name, an input that could
 * not be removed, a result that could not be recorded. No job waits for a restart. Takes over the jobs of instances that
 * no longer answer.
 *
 * A job of this process whose result could not be recorded, because the database was away, is begun again: no output has a
 * name before its job is Completed, so that nobody has seen a signature of it.
 */
export class Sweeper {
  readonly #context: Context
  readonly #parts: SweeperParts
  #timer: NodeJS.Timeout | undefined
  #heartbeat: Heartbeat | undefined
  #sweeping: Promise<void> | undefined
  /** Jobs nobody worked on at the last sweep: a job may just have been claimed, and is left alone the first time. */
  #idle = new Set<string>()
  readonly #begunAgain = new Map<string, number>()

  constructor(context: Context, parts: SweeperParts) {
    this.#context = context
    this.#parts = parts
  }

  start(everyMs: number = SWEEP_MS): void {
    this.#heartbeat = this.#context.heartbeats.expect('unfinished jobs', everyMs)
    this.#timer = setInterval(() => void this.sweep(), everyMs)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#heartbeat?.end()
    await this.#sweeping
  }

  /** Never throws; a sweep that is under way is waited for. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepOnce()
      .then(() => this.#heartbeat?.beat())
      .catch((error) => this.#context.logger.warn({ err: error }, 'unfinished jobs could not be looked for'))
      .finally(() => {
        this.#sweeping = undefined
      })
    return this.#sweeping
  }

  async #sweepOnce(): Promise<void> {
    await this.#parts.lookAround?.()
    const seen = new Set<string>()
    const isOwn = ({ owner }: KnownJob) => owner === this.#context.ledger.owner
    const cause = (job: KnownJob) => (isOwn(job) ? 'unfinished' : 'taken-over')
    const mayBeginAgain = (job: KnownJob) => isOwn(job) && this.#mayBeginAgain(job)
    const isBusy = ({ id, owner }: KnownJob): boolean => {
      if (this.#parts.isRunning(id) || this.#parts.isLiveElsewhere(owner)) return true
      seen.add(id)
      return !this.#idle.has(id)
    }
    const report = await recover(this.#context, this.#parts, { isBusy, cause, mayBeginAgain, strays: false })
    this.#idle = seen
    if (report.interrupted + report.finished + report.putAway > 0)
      this.#context.logger.info(report, 'unfinished jobs were brought to their end')
  }

  #mayBeginAgain({ id }: KnownJob): boolean {
    const times = this.#begunAgain.get(id) ?? 0
    if (times >= MOST_BEGUN_AGAIN) return false
    this.#begunAgain.set(id, times + 1)
    return true
  }
}
