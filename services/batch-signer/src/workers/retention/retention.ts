import { HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import type { Heartbeat } from '@chancela/service-kernel/health'
import { isTakenAway, orMissing, removeUpload } from '../../actions/job-files.ts'
import type { Context } from '../../context.ts'
import type { LiveTopics } from '../../parts/live-topics.ts'
import type { Actor } from '../../rules/actor.ts'
import {
  type CleanupCounts,
  type CleanupResult,
  cutoffOf,
  noCounts,
  outputOf,
  shouldHaveErrorFolder,
} from '../../rules/retention.ts'
import { type Said, said, telling, together } from '../../rules/sentences.ts'
import type { RemovalReason } from '../../store/chained-records.ts'
import { deleteEndedJobs, type EndedJobRow, endedJobs, outputKey, outputsOfOthers } from '../../store/ended-jobs.ts'
import { isPathActive } from '../../store/job-reads.ts'
import type { WorkArea } from '../../upstream/storage/storage.ts'

/** Removes old jobs, their files and old events, by schedule and on demand. */
export interface Retention {
  /** Cleans up now; a call during a cleanup shares that one's result. */
  run(actor: Actor): Promise<CleanupResult>
  /** Starts the schedule (Retention:Enabled). */
  start(): void
  /** Ends the schedule and waits for a running cleanup, which stops after its current jobs. */
  stop(): Promise<void>
  /** Cleans up if it is due; called every minute. */
  tick(): Promise<void>
}

export interface RetentionParts {
  readonly work: Pick<WorkArea, 'removeOutput' | 'removeError' | 'waitingOutput' | 'errorFile'>
  readonly live: Pick<LiveTopics, 'announce'>
}

const REASON: RemovalReason = 'retention'

/** Jobs removed per transaction, during which on SQLite everybody else waits. */
const JOBS_AT_ONCE = 50

export const createRetention = (context: Context, parts: RetentionParts): Retention =>
  new ScheduledRetention(context, parts)

class ScheduledRetention implements Retention {
  readonly #context: Context
  readonly #parts: RetentionParts
  #running: Promise<CleanupResult> | undefined
  #timer: NodeJS.Timeout | undefined
  #heartbeat: Heartbeat | undefined
  #dueAt: Date
  #stopping = false
  /** Jobs of the running cleanup that stay with the only copy of their file. */
  #unsigned = 0

  constructor(context: Context, parts: RetentionParts) {
    this.#context = context
    this.#parts = parts
    // Once soon after the start: a service that is stopped every night still cleans up.
    this.#dueAt = context.clock()
  }

  run(actor: Actor): Promise<CleanupResult> {
    this.#running ??= this.#cleanUp(actor).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  start(): void {
    if (!this.#context.settings.Retention.Enabled) return
    // A cleanup that failed is tried again at its next time.
    const every = this.#context.settings.Retention.CleanupIntervalHours * HOUR
    this.#heartbeat = this.#context.heartbeats.expect('retention', every)
    this.#timer = setInterval(() => void this.tick(), MINUTE)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    clearInterval(this.#timer)
    this.#heartbeat?.end()
    // The caller of the cleanup gets its failure.
    await this.#running?.catch(() => undefined)
  }

  async tick(): Promise<void> {
    const { clock, settings, logger } = this.#context
    const now = clock()
    if (now < this.#dueAt) return
    this.#dueAt = plus(now, settings.Retention.CleanupIntervalHours * HOUR)
    try {
      await this.run('retention')
      this.#heartbeat?.beat()
    } catch (error) {
      logger.error({ err: error }, 'the retention cleanup failed; it is tried again at its next time')
    }
  }

  async #cleanUp(actor: Actor): Promise<CleanupResult> {
    const { clock, settings, store, events, chain, logger } = this.#context
    const before = cutoffOf(clock(), settings.Retention.RetentionDays)
    const counts = noCounts()
    this.#unsigned = 0
    for (let page: readonly EndedJobRow[] = [], more = true; more && !this.#stopping; more = page.length > 0) {
      page = await endedJobs(store.db, { before, after: page.at(-1), most: JOBS_AT_ONCE })
      await this.#remove(page, counts)
    }
    counts.operationalEventsDeleted = await events.prune(before, (tx, which) =>
      chain.removing(tx, REASON, { event: which }),
    )
    logger.info(counts, 'retention cleanup done')
    await this.#record(actor, counts)
    return counts
  }

  /** Files first: a crash in between leaves rows, which the next cleanup finds, and no orphaned files. */
  async #remove(page: readonly EndedJobRow[], counts: CleanupCounts): Promise<void> {
    const { store, clock } = this.#context
    const foreign = await outputsOfOthers(store.db, page)
    const cleared: string[] = []
    for (const job of page) if (await this.#clearFiles(job, foreign, counts)) cleared.push(job.id)
    counts.jobsDeleted += await deleteEndedJobs(store, cleared, clock())
  }

  async #clearFiles(job: EndedJobRow, foreign: ReadonlySet<string>, counts: CleanupCounts): Promise<boolean> {
    const { work } = this.#parts
    try {
      const output = outputOf(job)
      // Nobody has had it yet.
      if (work.waitingOutput(job.id, job.output_folder)) return false
      // Such a file is for a person to decide about, and its job says where it lies and why.
      if (await isTakenAway(work, job)) {
        this.#unsigned += 1
        return false
      }
      if (output !== undefined && !foreign.has(outputKey(job))) {
        const place = { folder: job.output_folder, name: output }
        if ((await orMissing(() => work.removeOutput(job.id, place))) === 'deleted') counts.outputFilesDeleted += 1
        else counts.filesMissing += 1
      }
      if ((await work.removeError(job.id)) === 'deleted') counts.errorFilesDeleted += 1
      else if (shouldHaveErrorFolder(job)) counts.filesMissing += 1
      await this.#clearUpload(job)
      return true
    } catch (error) {
      counts.errors += 1
      this.#context.logger.warn(
        { err: error, jobId: job.id },
        'a file of an old job cannot be deleted; the job is kept',
      )
      return false
    }
  }

  /** The file of an upload goes with its last job; a file of a watched folder stays there, and stays refused. */
  async #clearUpload({ id, input_folder, original_path: path }: EndedJobRow): Promise<void> {
    if (input_folder !== null || path === null) return
    await removeUpload(path, await isPathActive(this.#context.store.db, path, id))
  }

  async #record(actor: Actor, counts: CleanupResult): Promise<void> {
    // What somebody asked for is told also when there was nothing to do.
    const isIdle = counts.jobsDeleted + counts.operationalEventsDeleted + counts.errors === 0
    if (isIdle && typeof actor === 'string') return
    const { store, events } = this.#context
    this.#parts.live.announce('jobs')
    await events.record(store.db, {
      type: 'RetentionCompleted',
      actor,
      ...telling(together(cleaned(counts), this.#unsignedTold()), { ...counts }),
    })
  }

  #unsignedTold(): Said | undefined {
    return this.#unsigned === 0 ? undefined : said('unsigned-jobs-stay', { count: this.#unsigned })
  }
}

const cleaned = (counts: CleanupResult): Said =>
  said('cleaned', {
    jobs: counts.jobsDeleted,
    outputs: counts.outputFilesDeleted,
    errorFolders: counts.errorFilesDeleted,
    events: counts.operationalEventsDeleted,
    missing: counts.filesMissing,
    kept: counts.errors,
  })
