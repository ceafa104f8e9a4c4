import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import type { Heartbeat } from '@chancela/service-kernel/health'
import { backupStore, storeFile } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { BatchMetrics } from '../../metrics.ts'
import type { LiveTopics } from '../../parts/live-topics.ts'
import { type Actor, nameOf } from '../../rules/actor.ts'
import { backupName, dueAt, isLeftover, refusePlace, surplusBackups } from '../../rules/backup.ts'
import { inputFolders } from '../../rules/input-folders.ts'
import { refuse } from '../../rules/refuse.ts'
import { type Said, said, telling, together } from '../../rules/sentences.ts'
import { endRun, insertRun, lastSuccess, newestRuns, unendedRuns } from '../../store/backup-runs.ts'
import type { BackupRunRow } from '../../store/tables.ts'
import { canonicalPath } from '../../upstream/storage/folders/canonical-path.ts'

export interface BackupParts {
  readonly metrics: Pick<
    BatchMetrics,
    | 'bulk_backup_runs_total'
    | 'bulk_backup_duration_seconds'
    | 'bulk_backup_last_size_bytes'
    | 'bulk_backup_last_success_timestamp_seconds'
    | 'bulk_backup_prune_failures_total'
  >
  readonly live: Pick<LiveTopics, 'announce'>
}

/** A running backup, with its progress from 0 to 1. */
interface RunningBackup {
  readonly run: BackupRunRow
  readonly progress: number
}

/** A run, and who wanted it. */
interface ActedRun {
  readonly run: BackupRunRow
  readonly actor: Actor
}

/** The backups as operators see them. */
interface BackupOverview {
  /** False on PostgreSQL. */
  readonly supported: boolean
  readonly enabled: boolean
  readonly destination: string | undefined
  readonly nextDueAt: Date | undefined
  readonly lastSuccessAt: Date | undefined
  readonly running: RunningBackup | undefined
  readonly runs: readonly BackupRunRow[]
}

/** The backups of the embedded store, one at a time. */
export interface Backup {
  /** Starts a backup and returns its id; `backup.disabled`, `backup.already-running`. */
  run(cause: BackupRunRow['cause'], actor: Actor): Promise<string>
  /** Stops the running backup and returns its id; `backup.disabled`, `backup.not-running`. */
  cancel(actor: Actor): string
  overview(): Promise<BackupOverview>
  /** Begins the schedule. */
  start(): void
  /** Ends the schedule and the running backup. */
  stop(): Promise<void>
  /** Starts a scheduled backup if one is due; called every minute. */
  tick(): Promise<void>
  /** Resolves when no backup is running. */
  idle(): Promise<void>
}

/** A backup that runs for longer is stuck; a large database takes a while. */
const MOST_BACKUP = 6 * HOUR

/** Runs shown to operators. */
const SHOWN_RUNS = 50

/** Why a backup was stopped. */
class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly result: 'Canceled' | 'Failed'
  readonly why: Said
  /** Whoever stopped it; the stop of the service is nobody's. */
  readonly by: Actor | undefined

  constructor(result: 'Canceled' | 'Failed', why: Said, by?: Actor) {
    super(why.text)
    this.by = by
    this.result = result
    this.why = why
  }
}

/** Opens the backups: refuses a forbidden folder, and closes runs that a crash left unfinished. */
export async function createBackup(context: Context, parts: BackupParts): Promise<Backup> {
  const { settings, dataFolder } = context
  const folder = settings.Backup.Path === undefined ? undefined : resolve(dataFolder, settings.Backup.Path)
  if (folder !== undefined && settings.Backup.Enabled) await refuseTaken(context, folder)
  const backup = new OneBackupAtATime(context, parts, folder)
  await backup.recover()
  return backup
}

async function refuseTaken({ settings, dataFolder }: Context, folder: string): Promise<void> {
  const database = storeFile({ url: settings.Database.Url, dataFolder })
  const places = [
    ...inputFolders(settings, dataFolder).map(({ name, path }) => ({ what: `the input folder ${name}`, path })),
    ...['processing', 'output', 'error', 'db'].map((name) => ({
      what: `the work folder ${name}/`,
      path: resolve(dataFolder, settings.Storage.Root, name),
    })),
    ...(database === undefined ? [] : [{ what: 'the folder of the database', path: dirname(database) }]),
  ]
  const real = places.map(async ({ what, path }) => ({ what, path: await canonicalPath(path) }))
  refusePlace(await canonicalPath(folder), await Promise.all(real))
}

class OneBackupAtATime implements Backup {
  readonly #context: Context
  readonly #parts: BackupParts
  readonly #folder: string | undefined
  #running: { run: BackupRunRow; progress: number; stopping: AbortController; ended: Promise<void> } | undefined
  #triedAt: Date | undefined
  #timer: NodeJS.Timeout | undefined
  #heartbeat: Heartbeat | undefined

  constructor(context: Context, parts: BackupParts, folder: string | undefined) {
    this.#context = context
    this.#parts = parts
    this.#folder = folder
  }

  get #supported(): boolean {
    return this.#context.store.dialect === 'sqlite'
  }

  async run(cause: BackupRunRow['cause'], actor: Actor): Promise<string> {
    const folder = this.#enabledFolder()
    if (this.#running) throw refuse('backup.already-running', { runId: this.#running.run.id })
    const now = this.#context.clock()
    const id = randomUUID()
    const run: BackupRunRow = {
      id,
      cause,
      actor: nameOf(actor),
      started_at: now.toISOString(),
      finished_at: null,
      result: null,
      file_name: backupName(id, now),
      size_bytes: null,
      error: null,
    }
    // The slot is taken before anything is awaited: of two concurrent calls one is refused.
    const running = { run, actor, progress: 0, stopping: new AbortController(), ended: Promise.resolve() }
    this.#running = running
    this.#triedAt = now
    try {
      await insertRun(this.#context.store.db, run)
    } catch (error) {
      this.#running = undefined
      throw error
    }
    running.ended = this.#carryOut({ run, actor }, folder, running.stopping.signal)
    return id
  }

  cancel(actor: Actor): string {
    this.#enabledFolder()
    if (!this.#running) throw refuse('backup.not-running')
    const { run, stopping } = this.#running
    stopping.abort(new Stopped('Canceled', said('backup-canceled'), actor))
    return run.id
  }

  async overview(): Promise<BackupOverview> {
    const { store, settings } = this.#context
    const [runs, success] = [await newestRuns(store.db, SHOWN_RUNS), await lastSuccess(store.db)]
    const running = this.#running
    return {
      supported: this.#supported,
      enabled: this.#supported && settings.Backup.Enabled,
      destination: this.#folder,
      nextDueAt: this.#dueAt(success),
      lastSuccessAt: success && new Date(success.finished_at!),
      running: running && { run: running.run, progress: running.progress },
      runs,
    }
  }

  start(): void {
    if (!this.#scheduled) return
    this.#heartbeat = this.#context.heartbeats.expect('backups', MOST_BACKUP)
    this.#timer = setInterval(() => void this.tick(), MINUTE)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#heartbeat?.end()
    this.#running?.stopping.abort(new Stopped('Failed', said('backup-interrupted')))
    await this.idle()
  }

  async idle(): Promise<void> {
    await this.#running?.ended
  }

  async tick(): Promise<void> {
    const { clock, logger, store } = this.#context
    if (!this.#scheduled || this.#running) return
    try {
      const due = this.#dueAt(await lastSuccess(store.db))
      if (due && due <= clock()) await this.run('Scheduled', 'schedule')
      this.#heartbeat?.beat()
    } catch (error) {
      logger.error({ err: error }, 'scheduled backup could not start')
    }
  }

  /** A file gets its final name only when it is checked and durable: a run whose file exists has succeeded. */
  async recover(): Promise<void> {
    const { store, clock, logger } = this.#context
    if (this.#folder !== undefined && this.#supported) await this.#removeLeftovers(this.#folder)
    for (const run of await unendedRuns(store.db)) {
      const size = this.#folder === undefined ? undefined : await sizeOf(join(this.#folder, run.file_name ?? ''))
      const end = { finished_at: size === undefined ? clock().toISOString() : run.started_at }
      const result = size === undefined ? 'Failed' : 'Succeeded'
      const error = size === undefined ? 'The service stopped during the backup.' : null
      await endRun(store.db, run.id, { ...end, result, size_bytes: size ?? null, error })
      logger.warn({ runId: run.id, result }, 'unfinished backup found')
    }
    this.#showSuccess(await lastSuccess(store.db))
  }

  get #scheduled(): boolean {
    const { Enabled, IntervalHours } = this.#context.settings.Backup
    return this.#supported && Enabled && IntervalHours !== undefined
  }

  #dueAt(success: BackupRunRow | undefined): Date | undefined {
    const { clock, settings } = this.#context
    if (!this.#scheduled) return undefined
    const times = {
      intervalHours: settings.Backup.IntervalHours,
      succeededAt: success && new Date(success.finished_at!),
      triedAt: this.#triedAt,
    }
    return dueAt(times, clock())
  }

  #enabledFolder(): string {
    if (!this.#supported || !this.#context.settings.Backup.Enabled || this.#folder === undefined)
      throw refuse('backup.disabled')
    return this.#folder
  }

  /** Never throws: every outcome is recorded with the run. */
  async #carryOut({ run, actor }: ActedRun, folder: string, signal: AbortSignal): Promise<void> {
    const { logger } = this.#context
    const begun = performance.now()
    this.#parts.live.announce('backup')
    try {
      const sizeBytes = await this.#copy(run, folder, signal)
      await this.#succeeded({ run, actor }, sizeBytes, (performance.now() - begun) / SECOND)
      await this.#prune(folder)
    } catch (error) {
      await this.#failed({ run, actor }, error).catch((also) =>
        logger.error({ err: also }, 'backup result could not be recorded'),
      )
    } finally {
      this.#running = undefined
      this.#parts.live.announce('backup')
    }
  }

  async #copy(run: BackupRunRow, folder: string, signal: AbortSignal): Promise<number> {
    const { settings, dataFolder } = this.#context
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { sizeBytes } = await backupStore({
      url: settings.Database.Url,
      dataFolder,
      destination: join(folder, run.file_name!),
      signal,
      onProgress: (share) => {
        if (this.#running) this.#running.progress = share
        this.#parts.live.announce('backup')
      },
    })
    return sizeBytes
  }

  async #succeeded({ run, actor }: ActedRun, sizeBytes: number, seconds: number): Promise<void> {
    const { store, events, clock } = this.#context
    const finished_at = clock().toISOString()
    const end = { finished_at, result: 'Succeeded', size_bytes: sizeBytes, error: null } as const
    const stored = said('backup-stored', { file: run.file_name ?? '', size: sizeBytes })
    const what = telling(together(stored, said('backup-key-apart')))
    await store.transaction(async (tx) => {
      await endRun(tx, run.id, end)
      await events.record(tx, { type: 'BackupCompleted', actor, subject: subjectOf(run), ...what })
    })
    this.#parts.metrics.bulk_backup_runs_total.inc({ result: 'Succeeded' })
    this.#parts.metrics.bulk_backup_duration_seconds.observe(seconds)
    this.#showSuccess({ ...run, ...end })
  }

  async #failed({ run, actor }: ActedRun, error: unknown): Promise<void> {
    const { store, events, clock, logger } = this.#context
    const result = error instanceof Stopped ? error.result : 'Failed'
    const why = whyFailed(error)
    this.#parts.metrics.bulk_backup_runs_total.inc({ result })
    if (!(error instanceof Stopped)) logger.error({ err: error, runId: run.id }, 'backup failed')
    const end = { finished_at: clock().toISOString(), result, size_bytes: null, error: why.text } as const
    const what = telling(said('backup-not-stored', { file: run.file_name ?? '', why }))
    await store.transaction(async (tx) => {
      await endRun(tx, run.id, end)
      const who = (error instanceof Stopped && error.by) || actor
      await events.record(tx, { type: `Backup${result}`, actor: who, subject: subjectOf(run), ...what })
    })
  }

  /** Old backups are deleted only after a new one is stored; a failure to delete them fails nothing. */
  async #prune(folder: string): Promise<void> {
    const { settings, logger } = this.#context
    if (settings.Backup.RetainCount === 0) return
    try {
      const surplus = surplusBackups(await readdir(folder), settings.Backup.RetainCount)
      for (const name of surplus) await rm(join(folder, name))
    } catch (error) {
      this.#parts.metrics.bulk_backup_prune_failures_total.inc()
      logger.warn({ err: error }, 'backup rotation failed')
    }
  }

  async #removeLeftovers(folder: string): Promise<void> {
    try {
      for (const name of (await readdir(folder)).filter(isLeftover)) await rm(join(folder, name), { force: true })
    } catch (error) {
      // The folder does not exist or is not readable now: the next backup reports it.
      this.#context.logger.debug({ err: error }, 'the folder for backups cannot be read yet')
    }
  }

  #showSuccess(run: BackupRunRow | undefined): void {
    if (!run) return
    this.#parts.metrics.bulk_backup_last_size_bytes.set(run.size_bytes ?? 0)
    this.#parts.metrics.bulk_backup_last_success_timestamp_seconds.set(Date.parse(run.finished_at!) / SECOND)
  }
}

/** What the system says is in English. */
const whyFailed = (error: unknown): Said =>
  error instanceof Stopped
    ? error.why
    : said('system-error', { error: error instanceof Error ? error.message : String(error) })

const subjectOf = ({ id }: BackupRunRow) => ({ kind: 'backup', id })

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path)
    return found.isFile() ? found.size : undefined
  } catch {
    // Missing or not accessible: there is no backup to rely on.
    return undefined
  }
}
