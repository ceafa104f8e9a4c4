import type { Db } from '@chancela/service-kernel/store'
import type { FolderPause } from '../rules/watched-folder.ts'
import type { InputFolderEntry } from '../settings.ts'
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
