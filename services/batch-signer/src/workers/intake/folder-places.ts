import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { KeyedMutex } from '@chancela/service-kernel/concurrency'
import type { Context } from '../../context.ts'
import { isElsewhere } from '../../parts/folders/elsewhere.ts'
import { FolderHeld } from '../../rules/folder-conditions.ts'
import { type HoldReason, whyHold } from '../../rules/folder-place.ts'
import { isIgnored } from '../../rules/ignore-rules.ts'
import type { InputFolder } from '../../rules/input-folders.ts'
import { reasonOf } from '../../rules/job-reason.ts'
import { type Said, said, telling, together } from '../../rules/sentences.ts'
import { findPlace, hasSeenFolder, putPlace, raisePlace } from '../../store/folder-places.ts'
import { putTombstones } from '../../store/tombstones.ts'
import { fileNames } from '../../upstream/storage/folders/enumerate.ts'
import { readMarker, writeMarker } from '../../upstream/storage/folders/place-marker.ts'
import { identityAt } from '../../upstream/storage/folders/sample.ts'

type Dependencies = Pick<Context, 'settings' | 'store' | 'clock' | 'events' | 'ledger' | 'logger'>

type Folder = Pick<InputFolder, 'name' | 'path'>

/** What the database calls the folder of uploads; no input folder can have the name. */
const UPLOADS = ':uploads'

/** Milliseconds in which files are taken under one number of a place. */
const RAISED_FOR_MS = 5_000

/**
 * Keeps what a database cannot know from being signed: the files that lie in a folder when a new or restored database
 * first meets it are held until an operator's word. Files that come later are taken.
 */
export class FolderPlaces {
  readonly #context: Dependencies
  /** By folder, on the monotonic clock. */
  readonly #raisedAt = new Map<string, number>()
  /** By path: two that write a hidden file at once would take it from each other. */
  readonly #turns = new KeyedMutex()

  constructor(context: Dependencies) {
    this.#context = context
  }

  /**
   * Looks at the folder before its files are taken; returns since when the database knows this place. Throws the errors
   * of the folder and of the store.
   */
  settle(folder: InputFolder): Promise<string> {
    return this.#turns.run(folder.path, () => this.#agree(folder, (why, at) => this.#hold(folder, why, at)))
  }

  /**
   * The same for the folder in which uploads wait. Only what an older database has in its queue is held; a folder without
   * a hidden file is one of an older version, whose uploads go on.
   */
  async settleUploads(path: string): Promise<void> {
    const folder = { name: UPLOADS, path }
    const hold = async (why: HoldReason) => (why === 'folder-new' ? undefined : this.#holdUploads(why))
    await this.#turns.run(path, () => this.#agree(folder, hold))
  }

  async #agree(folder: Folder, hold: (why: HoldReason, at: string) => Promise<void>): Promise<string> {
    const { store, settings, clock } = this.#context
    const at = clock().toISOString()
    const marker = await readMarker(folder.path)
    const known = marker && (await findPlace(store.db, marker.id))
    if (!marker && (await isElsewhere(store.db, folder)))
      throw new FolderHeld('input-unavailable', reasonOf('folder-other', { path: folder.path }))
    if (marker && known && marker.sequence <= known.sequence) {
      // Once in the life of a process: a copy of the database made before it began is older, whatever happened since.
      if (!this.#raisedAt.has(folder.name)) await this.#taking(folder)
      return known.at
    }
    const seen = await hasSeenFolder(store.db, folder.name)
    const { TakeExisting: takeExisting } = settings.WatchedFolder
    const why = whyHold({ marker, known, hasSeenFolder: seen, takeExisting })
    if (why !== undefined) await hold(why, at)
    // Last: until both sides agree, a crash in here begins anew.
    const place = { id: known?.id ?? randomUUID(), sequence: (marker?.sequence ?? 0) + 1 }
    await putPlace(store.db, folder.name, place, at)
    await writeMarker(folder.path, place)
    return known?.at ?? at
  }

  /**
   * Files are about to be taken: a copy of the database made before does not know what becomes of them. Once in a while
   * is enough, because a copy is older than the last few seconds of the service.
   */
  taking(folder: Folder): Promise<void> {
    return this.#turns.run(folder.path, () => this.#taking(folder))
  }

  async #taking(folder: Folder): Promise<void> {
    const now = performance.now()
    if (now - (this.#raisedAt.get(folder.name) ?? Number.NEGATIVE_INFINITY) < RAISED_FOR_MS) return
    await this.#raise(folder)
    this.#raisedAt.set(folder.name, now)
  }

  /** A verdict was passed on a file of the folder: an earlier state of the database must not seem to know it. */
  raise(folder: Pick<Folder, 'path'>): Promise<void> {
    return this.#turns.run(folder.path, () => this.#raise(folder))
  }

  async #raise({ path }: Pick<Folder, 'path'>): Promise<void> {
    const marker = await readMarker(path)
    const raised = marker && (await raisePlace(this.#context.store.db, marker.id))
    if (raised) await writeMarker(path, raised)
  }

  async #hold(folder: InputFolder, why: HoldReason, at: string): Promise<void> {
    await this.#cancelWaiting(why, folder.name)
    let held = 0
    for await (const names of fileNames(folder.path))
      held += await this.#holdFiles(
        folder,
        names.filter((name) => !isIgnored(folder.ignored, name)),
        { why, at },
      )
    const what = said('files-held', { count: held, folder: folder.name })
    await this.#tell({ folder: folder.name, held, reason: why }, what)
  }

  /** Only their senders know whether they are still wanted: they send them again. */
  async #holdUploads(why: HoldReason): Promise<void> {
    const held = await this.#cancelWaiting(why, null)
    await this.#tell({ folder: null, held, reason: why }, said('uploads-canceled', { count: held }))
  }

  async #tell(
    data: { readonly folder: string | null; readonly held: number; readonly reason: HoldReason },
    what: Said,
  ): Promise<void> {
    if (data.held === 0) return
    const { store, events, logger } = this.#context
    logger.warn(data, 'files that lay there before are held')
    await events.record(store.db, {
      type: 'FilesHeld',
      actor: 'intake',
      ...telling(together(what, said(data.reason)), data),
    })
  }

  /** A job that waits in a restored database may have been canceled since; returns how many there were. */
  async #cancelWaiting(why: HoldReason, folder: string | null): Promise<number> {
    const { store, ledger, clock } = this.#context
    const waiting = await store.db
      .selectFrom('job')
      .select('id')
      .where('status', '=', 'Queued')
      .where('input_folder', folder === null ? 'is' : '=', folder)
      .execute()
    const line = together(said('canceled-as-held'), said(why))
    await Promise.all(waiting.map(({ id }) => ledger.canceled(id, 'Queued', line, clock())))
    return waiting.length
  }

  async #holdFiles(
    folder: InputFolder,
    names: readonly string[],
    { why, at }: { readonly why: HoldReason; readonly at: string },
  ): Promise<number> {
    const { store } = this.#context
    const rows = names.flatMap((name) => {
      const path = join(folder.path, name)
      const identity = identityAt(path)
      if (identity === undefined) return []
      return [
        { path, folder: folder.name, identity, sha256: null, verdict: 'Held', code: why, job_id: null, at } as const,
      ]
    })
    if (rows.length > 0) await putTombstones(store.db, rows)
    return rows.length
  }
}
