import { mkdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Context } from '../../context.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { isIgnored } from '../../rules/ignore-rules.ts'
import { type InputFolder, inputFolders, refuseOverlaps, workPlaces } from '../../rules/input-folders.ts'
import { activeStatuses, type JobStatus, type SignatureFormat } from '../../rules/job.ts'
import type { Profile } from '../../rules/profile.ts'
import { refuse } from '../../rules/refuse.ts'
import { canonicalPath } from '../../upstream/storage/folders/canonical-path.ts'
import { fileNames } from '../../upstream/storage/folders/enumerate.ts'
import { finishLandings, leftLandings } from '../../upstream/storage/folders/upload-landing.ts'
import type { WorkArea } from '../../upstream/storage/storage.ts'
import { Admission } from './admission.ts'
import { FolderWatcher, whyUnreadable } from './folder-watcher.ts'
import { RefusedFiles } from './refused-files.ts'
import { type RescanResult, rescanFolder, totalOf } from './rescan.ts'
import { type UploadedJob, type UploadOrder, Uploads } from './upload.ts'

/** A watched folder, as operators see it. */
interface FolderView {
  readonly name: string
  readonly path: string
  readonly exists: boolean
  readonly status: 'Running' | 'Stopped' | 'Unassigned'
  /** ISO 8601. */
  readonly lastEnqueuedAt: string | null
  readonly lastError: string | null
  /** Files of the folder that ever became jobs. */
  readonly processedCount: number
  /** Files in the folder, counted up to 50. */
  readonly fileCount: number
  readonly profileName: string | null
  readonly profileFormat: SignatureFormat | 'auto'
}

/** The sources of files: watched folders, rescans, uploads. */
export interface Intake {
  /** Starts watching. Uploads and rescans work before. */
  start(): void
  stop(): Promise<void>
  /** The configured folders, in their order. */
  folders(): Promise<readonly FolderView[]>
  /** Offers all files of one folder or of every folder now; `folder.not-found` for an unknown name. */
  rescan(folder: string | undefined, actor: string): Promise<RescanResult>
  /** Returns a rewritten input to the watcher of its folder; ignored when there is none. */
  offer(path: string): void
  upload(order: UploadOrder): Promise<UploadedJob>
}

export interface IntakeParts {
  readonly profiles: Pick<ProfileDirectory, 'get' | 'byFolder' | 'onChange'>
  readonly work: Pick<WorkArea, 'moveToError'>
  /** Files of a folder watched at once until they stop changing; see the watcher for the default. */
  readonly mostCandidates?: number | undefined
  /** Told when the state of a folder changes. */
  onFoldersChanged?(): void
}

/**
 * Opens the intake: refuses overlapping folders, and finishes interrupted uploads. Call it before the pipeline starts,
 * which might pick up their jobs.
 */
export async function createIntake(context: Context, parts: IntakeParts): Promise<Intake> {
  const folders = inputFolders(context.settings, context.dataFolder)
  await refuseOverlappingFolders(context, folders)
  if (context.settings.Storage.Inputs.length === 0) await mkdir(folders[0]!.path, { recursive: true, mode: 0o750 })
  for (const { path } of folders) await finishUploads(context, path)
  const intake = new FolderIntake(context, parts, folders)
  for (const { name } of folders) context.readiness.add(`input-folder:${name}`, () => intake.check(name))
  context.closing.add('the intake', () => intake.stop())
  return intake
}

async function refuseOverlappingFolders(context: Context, folders: readonly InputFolder[]): Promise<void> {
  const { settings, dataFolder } = context
  const real = async ({ what, path }: { what: string; path: string }) => ({ what, path: await canonicalPath(path) })
  const inputs = folders.map(({ name, path }) => ({ what: `the input folder ${name}`, path }))
  refuseOverlaps(await Promise.all(inputs.map(real)), await Promise.all(workPlaces(settings, dataFolder).map(real)))
}

async function finishUploads(context: Context, folder: string): Promise<void> {
  const left = await orNothing(context, folder, () => leftLandings(folder))
  if (!left?.length) return
  const ids = left.map(({ jobId }) => jobId)
  const rows = await context.store.db.selectFrom('job').select(['id', 'status']).where('id', 'in', ids).execute()
  const states = new Map(rows.map(({ id, status }) => [id, isActive(status) ? 'waiting' : 'ended'] as const))
  await orNothing(context, folder, () => finishLandings(folder, left, states))
}

// The readiness check reports a folder that cannot be read; its uploads wait for the next start.
async function orNothing<T>({ logger }: Context, folder: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    logger.warn({ folder, reason: whyUnreadable(error) }, 'interrupted uploads could not be listed')
    return undefined
  }
}

const isActive = (status: JobStatus): boolean => (activeStatuses as readonly JobStatus[]).includes(status)

class FolderIntake implements Intake {
  readonly #context: Context
  readonly #parts: IntakeParts
  readonly #folders: readonly InputFolder[]
  readonly #admission: Admission
  readonly #uploads: Uploads
  readonly #refused: RefusedFiles
  readonly #landing = new Set<string>()
  readonly #watchers = new Map<string, FolderWatcher>()
  /** Stopping watchers; a folder gets its next one after them. */
  readonly #leaving = new Set<Promise<void>>()
  #unlisten: (() => void) | undefined

  constructor(context: Context, parts: IntakeParts, folders: readonly InputFolder[]) {
    this.#context = context
    this.#parts = parts
    this.#folders = folders
    this.#admission = new Admission(context, parts.work)
    this.#refused = new RefusedFiles(context)
    const { profiles } = parts
    this.#uploads = new Uploads({ context, profiles, folder: folders[0]!.path, landing: this.#landing })
  }

  start(): void {
    this.#unlisten ??= this.#parts.profiles.onChange(() => this.#assign())
    this.#assign()
  }

  async stop(): Promise<void> {
    this.#unlisten?.()
    this.#unlisten = undefined
    const watchers = [...this.#watchers.values()]
    this.#watchers.clear()
    await Promise.all([...watchers.map((watcher) => watcher.stop()), ...this.#leaving])
    await this.#refused.stop()
  }

  /** Starts a watcher for every folder with a profile, and stops those of folders without one. */
  #assign(): void {
    for (const folder of this.#folders) {
      const profile = this.#parts.profiles.byFolder(folder.name)
      const watcher = this.#watchers.get(folder.name)
      if (profile && watcher) watcher.profileIs(profile)
      else if (profile) this.#watch(folder, profile)
      else if (watcher) this.#leave(folder, watcher)
    }
    this.#parts.onFoldersChanged?.()
  }

  #watch(folder: InputFolder, profile: Profile): void {
    const watcher = new FolderWatcher(folder, profile, {
      context: this.#context,
      admission: this.#admission,
      refused: this.#refused,
      landing: this.#landing,
      mostCandidates: this.#parts.mostCandidates,
      onChange: () => this.#parts.onFoldersChanged?.(),
    })
    this.#watchers.set(folder.name, watcher)
    watcher.start()
  }

  #leave(folder: InputFolder, watcher: FolderWatcher): void {
    this.#watchers.delete(folder.name)
    const left = watcher.stop().finally(() => this.#leaving.delete(left))
    this.#leaving.add(left)
  }

  async folders(): Promise<readonly FolderView[]> {
    const counts = await this.#context.store.db.selectFrom('input_folder').selectAll().execute()
    const countsOf = new Map(counts.map((row) => [row.name, row]))
    return Promise.all(
      this.#folders.map(async (folder): Promise<FolderView> => {
        const profile = this.#parts.profiles.byFolder(folder.name)
        const fileCount = await countFiles(folder)
        const row = countsOf.get(folder.name)
        return {
          name: folder.name,
          path: folder.path,
          exists: await isFolder(folder.path),
          ...this.#stateOf(folder, profile),
          lastEnqueuedAt: row?.last_enqueued_at ?? null,
          processedCount: row?.enqueued ?? 0,
          fileCount,
          profileName: profile?.name ?? null,
          profileFormat: profile?.format ?? 'auto',
        }
      }),
    )
  }

  #stateOf({ name }: InputFolder, profile: Profile | undefined): Pick<FolderView, 'status' | 'lastError'> {
    if (!profile) return { status: 'Unassigned', lastError: null }
    return this.#watchers.get(name)?.state ?? { status: 'Stopped', lastError: null }
  }

  /** The readiness check of a folder: fails while it is missing or stopped; one without a profile is fine. */
  async check(name: string): Promise<{ ok: boolean; detail?: string }> {
    const folder = this.#folders.find((one) => one.name === name)!
    const profile = this.#parts.profiles.byFolder(name)
    if (!profile) return { ok: true, detail: 'No profile chose the folder.' }
    if (!(await isFolder(folder.path))) return { ok: false, detail: `${folder.path} does not exist.` }
    const { status, lastError } = this.#stateOf(folder, profile)
    return status === 'Stopped' ? { ok: false, detail: lastError ?? 'The folder is not watched.' } : { ok: true }
  }

  async rescan(name: string | undefined, actor: string): Promise<RescanResult> {
    const chosen = this.#folders.filter((folder) => name === undefined || folder.name === name)
    if (chosen.length === 0)
      throw refuse('folder.not-found', { folder: name, folders: this.#folders.map((folder) => folder.name) })
    const { profiles } = this.#parts
    const parts = { context: this.#context, admission: this.#admission, landing: this.#landing }
    const result = totalOf(
      await Promise.all(chosen.map((folder) => rescanFolder(parts, folder, profiles.byFolder(folder.name)))),
    )
    for (const folder of result.folders)
      if (folder.enqueued > 0 && folder.errors === 0) this.#watchers.get(folder.name)?.revive()
    await this.#record(result, actor)
    return result
  }

  #record({ totals, folders }: RescanResult, actor: string): Promise<unknown> {
    const { events, store } = this.#context
    const names = folders.map(({ name }) => name).join(', ')
    const { scanned, enqueued, errors } = totals
    return events.record(store.db, {
      type: 'RescanCompleted',
      actor,
      text: `Rescan of ${names} by ${actor}: ${scanned} files seen, ${enqueued} enqueued, ${errors} errors.`,
      data: { ...totals },
    })
  }

  offer(path: string): void {
    const folder = this.#folders.find((one) => one.path === dirname(path))
    const watcher = folder && this.#watchers.get(folder.name)
    if (watcher) watcher.offer(basename(path))
    else this.#context.logger.info({ path }, 'a rewritten file was not handed back: nobody watches its folder')
  }

  upload(order: UploadOrder): Promise<UploadedJob> {
    return this.#uploads.upload(order)
  }
}

const MOST_COUNTED = 50

async function countFiles({ path, ignored }: InputFolder): Promise<number> {
  let count = 0
  try {
    for await (const names of fileNames(path, 64)) {
      count += names.filter((name) => !isIgnored(ignored, name)).length
      if (count >= MOST_COUNTED) return MOST_COUNTED
    }
  } catch {
    // A folder that cannot be read shows no files; `exists`, `lastError` and readiness report it.
  }
  return count
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    // What prevents reading it also prevents watching it.
    return false
  }
}
