import { databasePath, MEMORY } from './sqlite/database-path.ts'
import type { MigrationSet } from './store.ts'

/** Which store is meant: the setting `Database:Url` of a service. */
interface StoreFile {
  readonly url: string
  /** Where relative paths begin. */
  readonly dataFolder: string
}

/** The file of an embedded store; nothing for a database that is not a file of ours. */
export function storeFile(store: StoreFile): string | undefined {
  const path = store.url.startsWith('sqlite:') ? databasePath(store) : MEMORY
  return path === MEMORY ? undefined : path
}

export interface BackupStoreOptions extends StoreFile {
  /** Path of the copy; nothing of that name may be there. */
  readonly destination: string
  /** Stops the copy; what there is of it is removed. */
  readonly signal?: AbortSignal
  /** Told now and then, from 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/** Copies an embedded store while it is used; the copy has its name only when it is checked page by page and durable. */
export async function backupStore({ url, dataFolder, ...copy }: BackupStoreOptions): Promise<{ sizeBytes: number }> {
  const source = storeFile({ url, dataFolder })
  if (source === undefined) throw new Error('Only an embedded store is copied by the service itself.')
  const { backupFile } = await import('./sqlite/backup.ts')
  return backupFile({ source, ...copy })
}

export interface RestoreStoreOptions extends StoreFile {
  /** Names the setting in problems. */
  readonly service: string
  /** What this program knows of the schema. */
  readonly migrations: MigrationSet
  /** The backup. */
  readonly from: string
  readonly now: Date
}

/** What a restore did. */
export interface RestoredStore {
  /** The file that was put in place. */
  readonly file: string
  /** Where the file that was there before is kept. */
  readonly keptAside: string | undefined
}

/**
 * Puts a backup in the place of an embedded store that nobody uses. Refuses, and changes nothing, while a service runs
 * on it and for a file that is damaged or not of this service.
 */
export async function restoreStore(options: RestoreStoreOptions): Promise<RestoredStore> {
  const { restoreFile } = await import('./sqlite/restore.ts')
  return restoreFile({ ...options, target: storeFile(options) })
}
