import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { HOUR, plus, SECOND } from '@chancela/service-kernel/clock'
import { Alarm } from '@chancela/service-kernel/concurrency'
import type { Heartbeat } from '@chancela/service-kernel/health'
import type { Db, Store } from '@chancela/service-kernel/store'
import { claimJobs } from './claim-jobs.ts'
import { completeJobs } from './complete-jobs.ts'
import { deleteDone } from './delete-done.ts'
import { extendLeases } from './extend-leases.ts'
import { type ClaimedJob, queueChannel } from './job.ts'
import { errorText, HopelessJob, LeaseLost, WorkerStopping } from './job-errors.ts'
import { nextDue } from './next-due.ts'
import { releaseAbandoned } from './release-abandoned.ts'
import { releaseJobs } from './release-jobs.ts'
import { attemptsOf, nextAttempt } from './retry-schedule.ts'
import { Settlements } from './settlements.ts'
import { type HandlerContext, type WorkerOptions, type WorkerSettings, workerSettings } from './worker-options.ts'

/** A running worker of one queue. */
export interface JobWorker {
  /** Checks the queue, and resolves when nothing is due, nothing runs and every result is recorded. */
  idle(): Promise<void>
  /**
   * Claims no more, releases jobs that were not started, waits for running ones, then stops. After `drainSeconds`
   * (default 30) it aborts the handlers' signals and releases the jobs of those that stop.
   */
  stop(options?: { readonly drainSeconds?: number }): Promise<void>
}

/** Starts a worker: it runs at once when a job is enqueued or becomes due, without polling in between. */
export function startWorker<Payload, Tables>(store: Store<Tables>, options: WorkerOptions<Payload>): JobWorker {
  return new Worker(store, workerSettings(options))
}

/** A job held by this worker, from its claim until its result is being written. */
interface Held<Payload> {
  readonly job: ClaimedJob<Payload>
  readonly abort: AbortController
  leaseUntil: Date
  /** The handler has completed the job in a transaction of its own. */
  completed: boolean
}

/** Milliseconds before a failed database is tried again. */
const STORE_RETRY_MS = 1_000
/** Due jobs that cannot be claimed are being claimed by another worker at this moment; try again after this. */
const CONTENTION_MS = 10
/** How long handlers have to stop once their signal is aborted, in milliseconds. */
const ABORT_GRACE_MS = 1_000
const PRUNE_EVERY_MS = HOUR
const PRUNED_AT_ONCE = 1_000

/**
 * One loop claims, begins and sleeps; handlers run beside it; results are flushed in groups; a timer extends leases.
 *
 * `working`: claims and begins. Left by `stop`. `draining`: begins nothing more; handlers, flushes and that timer go
 * on. Left when they are through or the time is up. `stopped`: touches the database no more.
 */
class Worker<Payload, Tables> implements JobWorker {
  readonly #store: Store<Tables>
  readonly #settings: WorkerSettings<Payload>
  readonly #settlements: Settlements<Tables>
  readonly #alarm = new Alarm()
  readonly #ready: Held<Payload>[] = []
  readonly #running = new Map<Held<Payload>, Promise<void>>()
  readonly #brokenOff: ClaimedJob[] = []
  readonly #idleWaiters: Array<() => void> = []
  readonly #stopListening: () => void
  readonly #leaseTimer: NodeJS.Timeout
  readonly #heartbeat: Heartbeat | undefined
  readonly #loop: Promise<void>
  #state: 'working' | 'draining' | 'stopped' = 'working'
  #recovered = false
  /** False once a claim returned fewer than asked: then nothing is due until a notification or `#nextDue`. */
  #mayHaveMore = true
  #nextDue: Date | undefined
  #nextPrune = new Date(0)
  #flushing: Promise<void> | undefined
  #stopping: Promise<void> | undefined

  constructor(store: Store<Tables>, settings: WorkerSettings<Payload>) {
    this.#store = store
    this.#settings = settings
    this.#settlements = new Settlements(store.db, {
      onLost: (job) => settings.onError(new LeaseLost(), { kind: 'lease-lost', job }),
      onRetry: (retryAt) => this.#noteDue(retryAt),
    })
    this.#stopListening = store.listen(queueChannel(settings.queue), () => this.#lookAgain())
    this.#heartbeat = settings.heartbeats?.expect(`queue ${settings.queue}`, settings.pollSeconds * SECOND)
    this.#leaseTimer = setInterval(() => void this.#beat(), (settings.leaseSeconds * SECOND) / 3)
    this.#loop = this.#run()
  }

  idle(): Promise<void> {
    if (this.#state !== 'working') return Promise.resolve()
    return new Promise((resolve) => {
      this.#idleWaiters.push(resolve)
      this.#lookAgain()
    })
  }

  stop({ drainSeconds = 30 }: { readonly drainSeconds?: number } = {}): Promise<void> {
    this.#stopping ??= this.#drain(drainSeconds)
    return this.#stopping
  }

  #lookAgain(): void {
    this.#mayHaveMore = true
    this.#alarm.ring()
  }

  // --- the loop -------------------------------------------------------------------------------------------------

  async #run(): Promise<void> {
    while (this.#state === 'working') {
      this.#begin()
      await this.#survive(this.#nextStep())
    }
  }

  #nextStep(): () => Promise<void> {
    if (!this.#recovered) return () => this.#recover()
    if (this.#settings.clock() >= this.#nextPrune) return () => this.#prune()
    return this.#mayHaveMore && this.#hasRoom() ? () => this.#claim() : () => this.#sleep()
  }

  /** A temporary database failure must not end the worker. */
  async #survive(step: () => Promise<void>): Promise<void> {
    try {
      await step()
      this.#heartbeat?.beat()
    } catch (error) {
      this.#settings.onError(error, { kind: 'store' })
      this.#mayHaveMore = true
      await this.#alarm.sleep(STORE_RETRY_MS)
    }
  }

  async #recover(): Promise<void> {
    await releaseAbandoned(this.#store.db, this.#settings, this.#settings.clock())
    this.#recovered = true
  }

  async #prune(): Promise<void> {
    const { queue, keepDoneSeconds, clock } = this.#settings
    const before = plus(clock(), -keepDoneSeconds * SECOND)
    const deleted = await deleteDone(this.#store.db, { queue, before, limit: PRUNED_AT_ONCE })
    if (deleted < PRUNED_AT_ONCE) this.#nextPrune = plus(clock(), PRUNE_EVERY_MS)
  }

  get #heldCount(): number {
    return this.#ready.length + this.#running.size
  }

  /** Claims in large batches: when half of the held jobs are done, or sooner if handlers would be idle. */
  #hasRoom(): boolean {
    return this.#heldCount < this.#settings.concurrency || this.#heldCount <= this.#settings.batch / 2
  }

  async #claim(): Promise<void> {
    const { queue, instance, leaseSeconds, clock, batch, concurrency } = this.#settings
    const limit = Math.max(batch, concurrency) - this.#heldCount
    const now = clock()
    // Before the statement, not after: a notification or a recorded retry that arrives meanwhile must not be lost.
    this.#mayHaveMore = false
    this.#nextDue = undefined
    const jobs = await claimJobs<Payload, Tables>(this.#store.db, { queue, instance, limit, leaseSeconds }, now)
    this.#hold(jobs, plus(now, leaseSeconds * SECOND))
    if (jobs.length === limit) this.#mayHaveMore = true
    else this.#noteDue(await nextDue(this.#store.db, queue))
  }

  #hold(jobs: readonly ClaimedJob<Payload>[], leaseUntil: Date): void {
    const ids = new Set(jobs.map(({ id }) => id))
    // An own lease expired, as after a pause of the machine: the old attempt must not run next to the new one.
    for (const held of this.#running.keys()) if (ids.has(held.job.id)) this.#lose(held)
    for (const job of jobs) this.#ready.push({ job, leaseUntil, abort: new AbortController(), completed: false })
  }

  #noteDue(due: Date | undefined): void {
    if (due && (!this.#nextDue || due < this.#nextDue)) this.#nextDue = due
  }

  async #sleep(): Promise<void> {
    if (!this.#mayHaveMore && this.#heldCount + this.#settlements.size === 0 && !this.#flushing) this.#reportIdle()
    if ((await this.#alarm.sleep(this.#sleepMs())) === 'timeout') this.#mayHaveMore = true
  }

  #sleepMs(): number {
    const { pollSeconds, clock } = this.#settings
    const longest = pollSeconds * SECOND
    if (this.#mayHaveMore || !this.#nextDue) return longest
    return Math.min(Math.max(this.#nextDue.getTime() - clock().getTime(), CONTENTION_MS), longest)
  }

  #reportIdle(): void {
    for (const resolve of this.#idleWaiters.splice(0)) resolve()
  }

  // --- attempts -------------------------------------------------------------------------------------------------

  #begin(): void {
    while (this.#running.size < this.#settings.concurrency) {
      const held = this.#ready.shift()
      if (!held) return
      // Its lease expired while it was queued: the next claimer gets it.
      if (held.leaseUntil <= this.#settings.clock()) this.#mayHaveMore = true
      else if (held.job.attempt > attemptsOf(this.#settings.retry)) this.#bury(held)
      else this.#start(held)
    }
  }

  #start(held: Held<Payload>): void {
    // After it is listed: a handler that throws at once would otherwise be removed first and stay listed forever.
    const attempt = Promise.resolve().then(() => this.#attempt(held))
    this.#running.set(held, attempt)
  }

  /** Only reached after crashes: every attempt that ends by itself is settled within the schedule. */
  #bury({ job }: Held<Payload>): void {
    const error = new HopelessJob(
      `${attemptsOf(this.#settings.retry)} workers ended or lost their lease during the job`,
    )
    this.#settle(job, error)
    this.#flush()
  }

  async #attempt(held: Held<Payload>): Promise<void> {
    try {
      await this.#settings.handle(held.job, this.#contextOf(held))
      this.#settleDone(held)
    } catch (error) {
      this.#settleFailed(held, error)
    } finally {
      this.#running.delete(held)
      this.#flush()
      if (this.#state === 'working') this.#begin()
      this.#alarm.ring()
    }
  }

  #contextOf(held: Held<Payload>): HandlerContext {
    return {
      signal: held.abort.signal,
      complete: async <AnyTables>(tx: Db<AnyTables>) => {
        const completed = await completeJobs(tx, [held.job], this.#settings.clock())
        if (completed.size === 0) throw new LeaseLost()
        held.completed = true
      },
    }
  }

  #settleDone({ job, abort, completed }: Held<Payload>): void {
    const reason: unknown = abort.signal.reason
    if (reason instanceof LeaseLost) this.#settings.onError(reason, { kind: 'lease-lost', job })
    else if (!completed) this.#settlements.complete(job)
  }

  #settleFailed({ job, abort }: Held<Payload>, error: unknown): void {
    const reason: unknown = abort.signal.reason
    if (reason instanceof LeaseLost) this.#settings.onError(error, { kind: 'lease-lost', job })
    else if (reason instanceof WorkerStopping) this.#brokenOff.push(job)
    else this.#settle(job, error)
  }

  #settle(job: ClaimedJob<Payload>, error: unknown): void {
    const { retry, clock, onError } = this.#settings
    const now = clock()
    const retryAt = error instanceof HopelessJob ? undefined : nextAttempt(retry, job.attempt, now)
    this.#settlements.fail({ job, error: errorText(error), retryAt, now })
    onError(error, retryAt ? { kind: 'retried', job, retryAt } : { kind: 'dead', job })
  }

  // --- results and leases ---------------------------------------------------------------------------------------

  #flush(): void {
    this.#flushing ??= this.#flushAll()
  }

  async #flushAll(): Promise<void> {
    // Results of the same turn of the event loop go into the same statement.
    await nextTurn()
    while (this.#settlements.size > 0 && this.#state !== 'stopped') {
      try {
        await this.#settlements.flush(this.#settings.clock())
      } catch (error) {
        this.#settings.onError(error, { kind: 'store' })
        await delay(STORE_RETRY_MS)
      }
    }
    this.#flushing = undefined
    this.#alarm.ring()
  }

  async #beat(): Promise<void> {
    const { leaseSeconds, clock, onError } = this.#settings
    const held = [...this.#ready, ...this.#running.keys()]
    const now = clock()
    try {
      const jobs = held.map(({ job }) => job)
      const kept = await extendLeases(this.#store.db, jobs, leaseSeconds, now)
      for (const one of held) {
        if (kept.has(one.job.id)) one.leaseUntil = plus(now, leaseSeconds * SECOND)
        else this.#lose(one)
      }
    } catch (error) {
      onError(error, { kind: 'store' })
    }
  }

  #lose(held: Held<Payload>): void {
    // The job may also have been completed during the statement; then there is nothing to abort.
    if (this.#running.has(held) && !held.completed) held.abort.abort(new LeaseLost())
    const place = this.#ready.indexOf(held)
    if (place >= 0) this.#ready.splice(place, 1)
  }

  // --- stopping -------------------------------------------------------------------------------------------------

  async #drain(drainSeconds: number): Promise<void> {
    this.#state = 'draining'
    this.#heartbeat?.end()
    this.#stopListening()
    this.#alarm.ring()
    await this.#loop
    await this.#giveBack(this.#ready.splice(0).map(({ job }) => job))
    if (!(await this.#quiet(drainSeconds * SECOND))) await this.#breakOff()
    clearInterval(this.#leaseTimer)
    await this.#giveBack(this.#brokenOff)
    this.#state = 'stopped'
    this.#reportIdle()
  }

  async #giveBack(jobs: readonly ClaimedJob[]): Promise<void> {
    try {
      await releaseJobs(this.#store.db, this.#settings.queue, jobs, this.#settings.clock())
    } catch (error) {
      // The leases expire by themselves, so stopping need not wait for the database.
      this.#settings.onError(error, { kind: 'store' })
    }
  }

  async #breakOff(): Promise<void> {
    for (const { abort } of this.#running.keys()) abort.abort(new WorkerStopping())
    await this.#quiet(ABORT_GRACE_MS)
  }

  /** Waits until no handler runs and every result is recorded; false when the time is up first. */
  async #quiet(milliseconds: number): Promise<boolean> {
    const giveUp = new AbortController()
    const timeUp = delay(milliseconds, false, { signal: giveUp.signal }).catch(() => false)
    const through = Promise.all(this.#running.values())
      .then(() => this.#flushing)
      .then(() => true)
    const quiet = await Promise.race([through, timeUp])
    giveUp.abort()
    return quiet
  }
}
