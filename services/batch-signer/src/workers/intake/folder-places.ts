import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { type HoldReason, whyHold } from '../../rules/folder-place.ts'
import { isIgnored } from '../../rules/ignore-rules.ts'
import type { InputFolder } from '../../rules/input-folders.ts'
import { findPlace, hasSeenFolder, putPlace, raisePlace } from '../../store/folder-places.ts'
import { putTombstones } from '../../store/tombstones.ts'
import { fileNames } from '../../upstream/storage/folders/enumerate.ts'
import { readMarker, writeMarker } from '../../upstream/storage/folders/place-marker.ts'
import { identityAt } from '../../upstream/storage/folders/sample.ts'

type Dependencies = Pick<Context, 'settings' | 'store' | 'clock' | 'events' | 'ledger' | 'logger'>

/** Milliseconds in which files are taken under one number of a place. */
const RAISED_FOR_MS = 5_000

/** Events' words for a hold. */
export const holdTexts: Readonly<Record<HoldReason, string>> = {
  'folder-new': 'The folder is new to the database, which cannot know whether they were refused or canceled before.',
  'database-new': 'The database does not know the folder: it is new, or another one.',
  'database-older': 'The database is older than the folder: what was decided since is not in it.',
}

/**
 * Keeps what a database cannot know from being signed: the files that lie in a folder when a new or restored database
 * first meets it are held until an operator's word. Files that come later are taken.
 */
export class FolderPlaces {
  readonly #context: Dependencies
  /** By folder, on the monotonic clock. */
  readonly #raisedAt = new Map<string, number>()

  constructor(context: Dependencies) {
    this.#context = context
  }

  /**
   * Looks at the folder before its files are taken; returns since when the database knows this place. Throws the errors
   * of the folder and of the store.
   */
  async settle(folder: InputFolder): Promise<string> {
    const { store, settings, clock } = this.#context
    const at = clock().toISOString()
    const marker = await readMarker(folder.path)
    const known = marker && (await findPlace(store.db, marker.id))
    if (marker && known && marker.sequence <= known.sequence) {
      // Once in the life of a process: a copy of the database made before it began is older, whatever happened since.
      if (!this.#raisedAt.has(folder.name)) await this.taking(folder)
      return known.at
    }
    const seen = await hasSeenFolder(store.db, folder.name)
    const { TakeExisting: takeExisting } = settings.WatchedFolder
    const why = whyHold({ marker, known, hasSeenFolder: seen, takeExisting })
    if (why !== undefined) await this.#hold(folder, why, at)
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
  async taking(folder: InputFolder): Promise<void> {
    const now = performance.now()
    if (now - (this.#raisedAt.get(folder.name) ?? Number.NEGATIVE_INFINITY) < RAISED_FOR_MS) return
    await this.raise(folder)
    this.#raisedAt.set(folder.name, now)
  }

  /** A verdict was passed on a file of the folder: an earlier state of the database must not seem to know it. */
  async raise({ path }: InputFolder): Promise<void> {
    const marker = await readMarker(path)
    const raised = marker && (await raisePlace(this.#context.store.db, marker.id))
    if (raised) await writeMarker(path, raised)
  }

  async #hold(folder: InputFolder, why: HoldReason, at: string): Promise<void> {
    const { store, events, logger } = this.#context
    await this.#cancelWaiting(folder, why)
    let held = 0
    for await (const names of fileNames(folder.path))
      held += await this.#holdFiles(
        folder,
        names.filter((name) => !isIgnored(folder.ignored, name)),
        { why, at },
      )
    if (held === 0) return
    logger.warn({ folder: folder.name, held, reason: why }, 'files that lay in the folder are held')
    await events.record(store.db, {
      type: 'FilesHeld',
      actor: 'intake',
      text: `${held} files that lie in the input folder ${folder.name} are held until an operator releases them. ${holdTexts[why]}`,
      data: { folder: folder.name, held, reason: why },
    })
  }

  /** A job that waits in a restored database may have been canceled since. */
  async #cancelWaiting(folder: InputFolder, why: HoldReason): Promise<void> {
    const { store, ledger, clock } = this.#context
    const waiting = await store.db
      .selectFrom('job')
      .select('id')
      .where('status', '=', 'Queued')
      .where('input_folder', '=', folder.name)
      .execute()
    await Promise.all(waiting.map(({ id }) => ledger.canceled(id, 'Queued', `Held. ${holdTexts[why]}`, clock())))
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
