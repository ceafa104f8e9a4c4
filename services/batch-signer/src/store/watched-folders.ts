import { changesOf, type EventChanges, type EventLog } from '@chancela/service-kernel/events'
import { type Db, isUniqueViolation, type Store } from '@chancela/service-kernel/store'
import type { Transaction } from 'kysely'
import { type Actor, nameOf } from '../rules/actor.ts'
import { refuse } from '../rules/refuse.ts'
import { type Said, said, telling } from '../rules/sentences.ts'
import { type FolderMove, type FolderPause, folderMoves, MOST_ADDED, saidFolderMove } from '../rules/watched-folder.ts'
import type { InputFolderEntry } from '../settings.ts'
import { assignFolder } from './profiles.ts'
import type { Tables, WatchedFolderRow } from './tables.ts'

/** The channel that notifies all instances of changed folders. */
export const FOLDERS_CHANNEL = 'batch-folders'

/** A folder as it is stored; without an entry only the pause of a folder of the settings file. */
export interface StoredFolder {
  readonly name: string
  readonly entry: InputFolderEntry | null
  readonly paused: FolderPause | null
  readonly version: number
}

/** All stored folders, in the order they were added. */
export async function readWatchedFolders(db: Db<Tables>): Promise<readonly StoredFolder[]> {
  const rows = await db.selectFrom('watched_folder').selectAll().orderBy('created_at').orderBy('name').execute()
  return rows.map(toStored)
}

const toStored = (row: WatchedFolderRow): StoredFolder => ({
  name: row.name,
  entry: row.entry === null ? null : (JSON.parse(row.entry) as InputFolderEntry),
  paused: row.paused === 1 ? { at: row.paused_at!, by: row.paused_by!, reason: row.reason } : null,
  version: row.version,
})

/** Actor, time and dependencies of a change. */
export interface FolderChange {
  readonly store: Store<Tables>
  readonly events: EventLog
  readonly actor: Actor
  readonly now: Date
}

/** A folder to store, and the profile it shall feed: null for none, undefined leaves that as it is. */
export interface FolderDraft {
  readonly entry: InputFolderEntry
  readonly profile: string | null | undefined
}

/** Stores a new folder. Refusals: folder.already-exists, folder.invalid. */
export const insertFolder = (change: FolderChange, { entry, profile }: FolderDraft): Promise<void> =>
  changing(
    change,
    entry.Name,
    'FolderAdded',
    said('folder-added', { folder: entry.Name, path: entry.Path }),
    async (tx) => {
      const rows = await tx.selectFrom('watched_folder').select(['name', 'entry']).execute()
      const added = rows.filter((row) => row.entry !== null)
      if (added.some(({ name }) => name === entry.Name)) throw refuse('folder.already-exists', { name: entry.Name })
      if (added.length >= MOST_ADDED)
        throw refuse('folder.invalid', { fields: { name: [`At most ${MOST_ADDED} folders are added here.`] } })
      // What is left of a folder that the settings file had once is no business of the new one.
      await tx.deleteFrom('watched_folder').where('name', '=', entry.Name).execute()
      await tx
        .insertInto('watched_folder')
        .values(newRow(entry.Name, entry, change.now))
        .execute()
      await assignFolder(tx, change, entry.Name, profile)
      return { before: {}, after: { ...entry } }
    },
  ).catch((error: unknown) => {
    if (isUniqueViolation(error)) throw refuse('folder.already-exists', { name: entry.Name }, error)
    throw error
  })

/** Replaces a folder that still has this version. Refusals: folder.changed-meanwhile, folder.invalid. */
export const updateFolder = (change: FolderChange, { entry, profile }: FolderDraft, version: number): Promise<void> =>
  changing(
    change,
    entry.Name,
    'FolderEdited',
    said('folder-edited', { folder: entry.Name, path: entry.Path }),
    async (tx) => {
      const before = await entryOf(tx, entry.Name)
      const { numUpdatedRows } = await tx
        .updateTable('watched_folder')
        .set({ entry: JSON.stringify(entry), version: version + 1, updated_at: change.now.toISOString() })
        .where('name', '=', entry.Name)
        .where('version', '=', version)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) throw refuse('folder.changed-meanwhile', { name: entry.Name })
      await assignFolder(tx, change, entry.Name, profile)
      // An option that is left out now stands as null beside what it was.
      return changesOf(before, { ...mapped(before, null), ...entry })
    },
  )

/** Forgets a folder; the profile that fed from it has none then. Refusal: folder.not-found. */
export const deleteFolder = (change: FolderChange, name: string): Promise<void> =>
  changing(change, name, 'FolderRemoved', said('folder-removed', { folder: name }), async (tx) => {
    const before = await entryOf(tx, name)
    const { numDeletedRows } = await tx
      .deleteFrom('watched_folder')
      .where('name', '=', name)
      .where('entry', 'is not', null)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw refuse('folder.not-found', { folder: name })
    await assignFolder(tx, change, name, null)
    return { before, after: {} }
  })

/** What is stored of a folder; nothing where it is not there. */
async function entryOf(tx: Transaction<Tables>, name: string): Promise<Readonly<Record<string, unknown>>> {
  const row = await tx.selectFrom('watched_folder').select('entry').where('name', '=', name).executeTakeFirst()
  return row?.entry ? (JSON.parse(row.entry) as Record<string, unknown>) : {}
}

const mapped = (values: object, value: unknown) => Object.fromEntries(Object.keys(values).map((name) => [name, value]))

/** Pauses or resumes a folder, stored or of the settings file; false when it already was in that state. */
export const moveFolder = (
  change: FolderChange,
  { name, source }: { readonly name: string; readonly source: 'Settings' | 'Dashboard' },
  move: FolderMove,
  reason: string | undefined,
): Promise<boolean> =>
  change.store.transaction(async (tx) => {
    if (source === 'Settings')
      await tx
        .insertInto('watched_folder')
        .values(newRow(name, null, change.now))
        .onConflict((row) => row.column('name').doNothing())
        .execute()
    const { from } = folderMoves[move]
    const { numUpdatedRows } = await tx
      .updateTable('watched_folder')
      .set(pauseOf(move, change, reason))
      .where('name', '=', name)
      .where('paused', '=', from)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    const changes = { before: { paused: from === 1 }, after: { paused: folderMoves[move].to === 1 } }
    const what = saidFolderMove(name, move, change.actor, reason)
    await record(tx, change, name, { type: folderMoves[move].eventType, what, changes })
    await change.store.notify(tx, FOLDERS_CHANNEL)
    return true
  })

const pauseOf = (move: FolderMove, { actor, now }: FolderChange, reason: string | undefined) =>
  move === 'pause'
    ? { paused: folderMoves[move].to, paused_at: now.toISOString(), paused_by: nameOf(actor), reason: reason ?? null }
    : { paused: folderMoves[move].to, paused_at: null, paused_by: null, reason: null }

const newRow = (name: string, entry: InputFolderEntry | null, now: Date): WatchedFolderRow => ({
  name,
  entry: entry && JSON.stringify(entry),
  paused: 0,
  paused_at: null,
  paused_by: null,
  reason: null,
  version: 1,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
})

/** The change, the event and the notification of other instances: all or nothing. */
const changing = (
  change: FolderChange,
  name: string,
  type: string,
  what: Said,
  write: (tx: Transaction<Tables>) => Promise<EventChanges | undefined>,
): Promise<void> =>
  change.store.transaction(async (tx) => {
    const changes = await write(tx)
    await record(tx, change, name, { type, what, changes })
    await change.store.notify(tx, FOLDERS_CHANNEL)
  })

async function record(
  tx: Transaction<Tables>,
  { events, actor }: FolderChange,
  name: string,
  { type, what, changes }: FolderEvent,
): Promise<void> {
  await events.record(tx, { type, actor, ...telling(what), subject: { kind: 'input-folder', id: name }, changes })
}

interface FolderEvent {
  readonly type: string
  readonly what: Said
  readonly changes: EventChanges | undefined
}
