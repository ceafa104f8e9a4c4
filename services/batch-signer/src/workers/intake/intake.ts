import { mkdir, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import type { Context } from '../../context.ts'
import { configuredFolders, type FolderDirectory } from '../../parts/folders/folder-directory.ts'
import type { FolderHolds } from '../../parts/folders/folder-holds.ts'
import { instanceName } from '../../parts/instances.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import type { StuckFiles } from '../../parts/stuck-files.ts'
import { type Actor, nameOf } from '../../rules/actor.ts'
import type { HoldReason } from '../../rules/folder-place.ts'
import { isIgnored } from '../../rules/ignore-rules.ts'
import { type InputFolder, inputFolders, refuseOverlaps, uploadFolder, workPlaces } from '../../rules/input-folders.ts'
import { activeStatuses, type JobStatus, type SignatureFormat } from '../../rules/job.ts'
import type { Profile } from '../../rules/profile.ts'
import { refuse } from '../../rules/refuse.ts'
import { said, telling } from '../../rules/sentences.ts'
import { type Trouble, troubleIn } from '../../rules/trouble.ts'
import type { WatchedFolder } from '../../rules/watched-folder.ts'
import { countTombstones, releaseHeld } from '../../store/tombstones.ts'
import { canonicalPath } from '../../upstream/storage/folders/canonical-path.ts'
import { fileNames } from '../../upstream/storage/folders/enumerate.ts'
import { finishLandings, leftLandings } from '../../upstream/storage/folders/upload-landing.ts'
import type { WorkArea } from '../../upstream/storage/storage.ts'
import { Admission } from './admission.ts'
import { FolderPlaces } from './folder-places.ts'
import { FolderWatcher, type WritersOf, whyUnreadable } from './folder-watcher.ts'
import { RefusedFiles } from './refused-files.ts'
import { type RescanResult, rescanFolder, totalOf } from './rescan.ts'
import { type UploadedJob, type UploadOrder, Uploads } from './upload.ts'
import type { WaitingFile } from './waiting-files.ts'

/** A watched folder, as operators see it. */
interface FolderView {
  readonly name: string
  readonly path: string
  readonly exists: boolean
  readonly status: 'Running' | 'Stopped' | 'Unassigned'
  readonly paused: { readonly atUtc: string; readonly by: string; readonly reason: string | null } | null
  readonly source: WatchedFolder['source']
  /** ISO 8601. */
  readonly lastEnqueuedAt: string | null
  readonly lastError: string | null
  /** Files of the folder that ever became jobs. */
  readonly processedCount: number
  /** Files in the folder, counted up to 50. */
  readonly fileCount: number
  /** Files that are not taken now. */
  readonly waitingCount: number
  /** The first of them. */
  readonly waiting: readonly WaitingFile[]
  /** Files that lie there although their job failed or was canceled. */
  readonly refusedCount: number
  /** Files that lay there before the database knew the folder. */
  readonly heldCount: number
  readonly heldReason: HoldReason | null
  /** The name of this process's machine; null without a cluster. */
  readonly instance: string | null
  readonly profileName: string | null
  readonly profileFormat: SignatureFormat | 'auto'
}

/** The sources of files: watched folders, rescans, uploads. */
export interface Intake {
  /** Starts watching. Uploads and rescans work before. */
  start(): void
  stop(): Promise<void>
  /** Resolves when no watcher is stopping any more: nothing is taken from a folder that was paused or removed. */
  settled(): Promise<void>
  /** Whose folders these are: the name of this process's machine; null without a cluster. */
  readonly instance: string | null
  /** The folders of the settings file, then those added since, in their order. Default of the language: en-US. */
  folders(locale?: 'en-US' | 'pt-BR'): Promise<readonly FolderView[]>
  /** Offers all files of one folder or of every folder now; `folder.not-found` for an unknown name. */
  rescan(folder: string | undefined, actor: Actor): Promise<RescanResult>
  /** An operator's word: the held files of a folder are taken; `folder.not-found` for an unknown name. */
  release(folder: string, actor: Actor): Promise<{ readonly folder: string; readonly released: number }>
  /** Returns a rewritten input to the watcher of its folder; ignored when there is none. */
  offer(path: string): void
  upload(order: UploadOrder): Promise<UploadedJob>
}

export interface IntakeParts {
  readonly profiles: Pick<ProfileDirectory, 'get' | 'byFolder' | 'onChange'>
  readonly work: Pick<WorkArea, 'moveToError'>
  /** Default: the folders of the settings file. */
  readonly watched?: Pick<FolderDirectory, 'list' | 'get' | 'onChange'>
  /** Files of a folder watched at once until they stop changing; see the watcher for the default. */
  readonly mostCandidates?: number | undefined
  /** Whether somebody has a file open. Default: as the kernel says. */
  readonly writersOf?: WritersOf | undefined
  /** Told when the state of a folder changes. */
  onFoldersChanged?(): void
  /** Inputs that cannot be removed; they stop their folder. */
  readonly stuck?: StuckFiles
  /** Folders that cannot be used now, or whose output folder cannot. */
  readonly folderHolds?: FolderHolds
}

/**
 * Opens the intake: refuses overlapping folders, and finishes interrupted uploads. Call it before the pipeline starts,
 * which might pick up their jobs.
 */
export async function createIntake(context: Context, parts: IntakeParts): Promise<Intake> {
  const folders = inputFolders(context.settings, context.dataFolder)
  await refuseOverlappingFolders(context, folders)
  if (context.settings.Storage.Inputs.length === 0) await mkdir(folders[0]!.path, { recursive: true, mode: 0o750 })
  const uploads = uploadFolder(context.settings, context.dataFolder)
  await mkdir(uploads, { recursive: true, mode: 0o750 })
  // Older versions had uploads arrive in a watched folder.
  for (const path of [uploads, ...folders.map(({ path }) => path)]) await finishUploads(context, path)
  const intake = new FolderIntake(context, parts, uploads)
  await intake.settle()
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
    logger.warn({ folder, reason: whyUnreadable(error).message }, 'interrupted uploads could not be listed')
    return undefined
  }
}

const isActive = (status: JobStatus): boolean => (activeStatuses as readonly JobStatus[]).includes(status)

/** A watcher with the folder it was started for. */
interface Watched {
  readonly folder: InputFolder
  readonly watcher: FolderWatcher
}

class FolderIntake implements Intake {
  readonly instance: string | null
  readonly #context: Context
  readonly #parts: IntakeParts
  readonly #watched: NonNullable<IntakeParts['watched']>
  readonly #admission: Admission
  readonly #uploads: Uploads
  readonly #uploadFolder: string
  readonly #refused: RefusedFiles
  readonly #places: FolderPlaces
  readonly #landing = new Set<string>()
  readonly #watchers = new Map<string, Watched>()
  /** Folders with a readiness check. */
  readonly #checked = new Set<string>()
  /** Stopping watchers; a folder gets its next one after them. */
  readonly #leaving = new Set<Promise<void>>()
  #unlisten: (() => void) | undefined

  constructor(context: Context, parts: IntakeParts, uploads: string) {
    this.#context = context
    this.#parts = parts
    this.instance = instanceName(context)
    this.#watched = parts.watched ?? configuredFolders(context)
    this.#admission = new Admission(context, parts.work)
    this.#places = new FolderPlaces(context)
    this.#uploadFolder = uploads
    this.#refused = new RefusedFiles(context, (name) => this.#raise(name))
    const { profiles } = parts
    parts.stuck?.onFolder((name) => this.#stuckChanged(name))
    parts.folderHolds?.listen(({ hold }) => this.#stuckChanged(hold.name))
    this.#uploads = new Uploads({ context, profiles, folder: uploads, landing: this.#landing })
    this.#check()
  }

  start(): void {
    this.#unlisten ??= this.#follow()
    this.#assign()
  }

  #follow(): () => void {
    const stops = [this.#parts.profiles, this.#watched].map((source) => source.onChange(() => this.#assign()))
    return () => {
      for (const stop of stops) stop()
    }
  }

  async stop(): Promise<void> {
    this.#unlisten?.()
    this.#unlisten = undefined
    for (const [name, { watcher }] of this.#watchers) this.#leave(name, watcher)
    await this.settled()
    await this.#refused.stop()
  }

  async settled(): Promise<void> {
    await Promise.all([...this.#leaving, ...[...this.#watchers.values()].map(({ watcher }) => watcher.met)])
  }

  /** Starts a watcher for every folder that may have one, and stops those of the others and of changed folders. */
  #assign(): void {
    const wanted = new Map(this.#watched.list().map((one) => [one.folder.name, one]))
    for (const [name, { watcher, folder }] of this.#watchers)
      if (wanted.get(name)?.folder !== folder) this.#leave(name, watcher)
    for (const one of wanted.values()) this.#assignOne(one)
    this.#check()
    this.#parts.onFoldersChanged?.()
  }

  #assignOne({ folder, paused, problem }: WatchedFolder): void {
    const profile = this.#parts.profiles.byFolder(folder.name)
    const watcher = this.#watchers.get(folder.name)?.watcher
    const mayWatch = paused === null && problem === null
    if (profile && mayWatch && watcher) watcher.profileIs(profile)
    else if (profile && mayWatch) this.#watch(folder, profile)
    else if (watcher) this.#leave(folder.name, watcher)
  }

  /** Every folder has its readiness check, and no other. */
  #check(): void {
    const names = new Set(this.#watched.list().map(({ folder }) => folder.name))
    for (const name of this.#checked) if (!names.has(name)) this.#context.readiness.remove(`input-folder:${name}`)
    for (const name of names)
      if (!this.#checked.has(name)) this.#context.readiness.add(`input-folder:${name}`, () => this.check(name))
    this.#checked.clear()
    for (const name of names) this.#checked.add(name)
  }

  #watch(folder: InputFolder, profile: Profile): void {
    const watcher = new FolderWatcher(folder, profile, {
      context: this.#context,
      admission: this.#admission,
      refused: this.#refused,
      places: this.#places,
      landing: this.#landing,
      mostCandidates: this.#parts.mostCandidates,
      stuckBy: () => this.#parts.stuck?.folderTrouble(folder.name) ?? this.#parts.folderHolds?.of(folder.name),
      writersOf: this.#parts.writersOf,
      onChange: () => this.#parts.onFoldersChanged?.(),
      onRead: () => this.#wasRead(folder.name),
    })
    this.#watchers.set(folder.name, { folder, watcher })
    watcher.start()
  }

  /** A watcher looks every two seconds: its folder need not wait for the next try of the hold. */
  #wasRead(name: string): void {
    if (this.#parts.folderHolds?.of(name)?.reason === 'input-unavailable') void this.#parts.folderHolds.tryNow(name)
  }

  #stuckChanged(name: string): void {
    this.#watchers.get(name)?.watcher.freed()
    this.#parts.onFoldersChanged?.()
  }

  #leave(name: string, watcher: FolderWatcher): void {
    this.#watchers.delete(name)
    const left = watcher.stop().finally(() => this.#leaving.delete(left))
    this.#leaving.add(left)
  }

  async folders(locale: 'en-US' | 'pt-BR' = 'en-US'): Promise<readonly FolderView[]> {
    const counts = await this.#context.store.db.selectFrom('input_folder').selectAll().execute()
    const countsOf = new Map(counts.map((row) => [row.name, row]))
    const refused = await countTombstones(this.#context.store.db)
    return Promise.all(
      this.#watched.list().map(async ({ folder, paused, source, problem }): Promise<FolderView> => {
        const profile = this.#parts.profiles.byFolder(folder.name)
        const fileCount = await countFiles(folder)
        const row = countsOf.get(folder.name)
        const waiting = this.#watchers.get(folder.name)?.watcher.state.waiting ?? []
        const { status, trouble } = this.#stateOf(folder, profile, problem)
        return {
          name: folder.name,
          path: folder.path,
          exists: await isFolder(folder.path),
          status,
          lastError: trouble ? troubleIn(locale, trouble) : null,
          paused: paused && { atUtc: paused.at, by: paused.by, reason: paused.reason },
          source,
          lastEnqueuedAt: row?.last_enqueued_at ?? null,
          processedCount: row?.enqueued ?? 0,
          fileCount,
          waitingCount: waiting.length,
          waiting: waiting.slice(0, MOST_COUNTED),
          refusedCount: refused.get(folder.name)?.refused ?? 0,
          heldCount: refused.get(folder.name)?.held ?? 0,
          heldReason: refused.get(folder.name)?.reason ?? null,
          instance: this.instance,
          profileName: profile?.name ?? null,
          profileFormat: profile?.format ?? 'auto',
        }
      }),
    )
  }

  #stateOf(
    { name }: InputFolder,
    profile: Profile | undefined,
    problem: WatchedFolder['problem'],
  ): Pick<FolderView, 'status'> & { readonly trouble: Trouble | undefined } {
    const trouble = problem ?? undefined
    if (!profile) return { status: 'Unassigned', trouble }
    return this.#watchers.get(name)?.watcher.state ?? { status: 'Stopped', trouble }
  }

  /**
   * The readiness check of a folder: fails while it is missing or stopped; one without a profile is fine, and so is one
   * that an operator paused.
   */
  async check(name: string): Promise<{ ok: boolean; detail?: string }> {
    const watched = this.#watched.get(name)
    const profile = this.#parts.profiles.byFolder(name)
    if (!watched || !profile) return { ok: true, detail: 'No profile chose the folder.' }
    const { folder, paused, problem } = watched
    if (paused) return { ok: true, detail: `Paused by ${paused.by}.${paused.reason ? ` ${paused.reason}` : ''}` }
    const held = await this.#parts.folderHolds?.look(name)
    if (!(await isFolder(folder.path))) return { ok: false, detail: `${folder.path} does not exist.` }
    if (held !== undefined) return { ok: false, detail: held }
    const { status, trouble } = this.#stateOf(folder, profile, problem)
    if (status === 'Stopped') return { ok: false, detail: trouble?.message ?? 'The folder is not watched.' }
    // Not red: whoever routes by readiness would take the operator's pages away, too.
    const lying = (await countTombstones(this.#context.store.db)).get(name)
    if (lying?.reason) return { ok: true, detail: `${lying.held} files are held. ${said(lying.reason).text}` }
    return { ok: true, detail: `Watched for the profile ${profile.name}.` }
  }

  async rescan(name: string | undefined, actor: Actor): Promise<RescanResult> {
    const all = this.#watched.list()
    const chosen = all.filter(({ folder }) => name === undefined || folder.name === name)
    if (chosen.length === 0)
      throw refuse('folder.not-found', { folder: name, folders: all.map(({ folder }) => folder.name) })
    const parts = { context: this.#context, admission: this.#admission, landing: this.#landing }
    const result = totalOf(
      await Promise.all(chosen.map((one) => rescanFolder(parts, one.folder, this.#profileNow(one)))),
    )
    for (const folder of result.folders)
      if (folder.enqueued > 0 && folder.errors === 0) this.#watchers.get(folder.name)?.watcher.revive()
    await this.#record(result, actor)
    return result
  }

  /** The profile of a folder as a rescan may use it: nothing is taken from a paused one, its files are ignored. */
  #profileNow({ folder, paused, problem }: WatchedFolder): Profile | undefined {
    const profile = this.#parts.profiles.byFolder(folder.name)
    return profile && (paused || problem) ? { ...profile, enabled: false } : profile
  }

  #record({ totals, folders }: RescanResult, actor: Actor): Promise<unknown> {
    const { events, store } = this.#context
    const names = folders.map(({ name }) => name).join(', ')
    const { scanned, enqueued, errors } = totals
    return events.record(store.db, {
      type: 'RescanCompleted',
      actor,
      ...telling(said('rescanned', { folders: names, actor: nameOf(actor), scanned, enqueued, errors }), { ...totals }),
    })
  }

  async #raise(name: string | null): Promise<void> {
    const path = name === null ? this.#uploadFolder : this.#watched.get(name)?.folder.path
    if (path !== undefined) await this.#places.raise({ path })
  }

  /** Before the pipeline starts: it must not run what a restored database still has in its queue. */
  async settle(): Promise<void> {
    await this.#places.settleUploads(this.#uploadFolder).catch((error) => {
      this.#context.logger.warn({ err: error, folder: this.#uploadFolder }, 'the folder could not be looked at yet')
    })
    for (const { folder } of this.#watched.list())
      if (this.#parts.profiles.byFolder(folder.name) && (await isFolder(folder.path)))
        await this.#places.settle(folder).catch((error) => {
          this.#context.logger.warn({ err: error, folder: folder.name }, 'the folder could not be looked at yet')
        })
  }

  async release(name: string, actor: Actor): Promise<{ readonly folder: string; readonly released: number }> {
    if (!this.#watched.get(name))
      throw refuse('folder.not-found', { folder: name, folders: this.#watched.list().map(({ folder }) => folder.name) })
    const { store, events } = this.#context
    const released = await store.transaction(async (tx) => {
      const count = await releaseHeld(tx, name)
      await events.record(tx, {
        type: 'FilesReleased',
        actor,
        ...telling(said('files-released', { count, folder: name, actor: nameOf(actor) }), {
          folder: name,
          released: count,
        }),
      })
      return count
    })
    this.#watchers.get(name)?.watcher.look()
    this.#parts.onFoldersChanged?.()
    return { folder: name, released }
  }

  offer(path: string): void {
    const watched = this.#watched.list().find(({ folder }) => folder.path === dirname(path))
    const watcher = watched && this.#watchers.get(watched.folder.name)?.watcher
    if (watcher) watcher.handBack(basename(path))
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
