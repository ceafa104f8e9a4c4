import { databasePath, MEMORY } from './sqlite/database-path.ts'
import type { MigrationSet } from './store.ts'

/** The store: the setting `Database:Url` of a service. */
interface StoreFile {
  readonly url: string
  /** Base folder of relative paths. */
  readonly dataFolder: string
}

/** The file of an embedded store; undefined for any other database. */
export function storeFile(store: StoreFile): string | undefined {
  const path = store.url.startsWith('sqlite:') ? databasePath(store) : MEMORY
  return path === MEMORY ? undefined : path
}

export interface BackupStoreOptions extends StoreFile {
  /** Path of the copy, which must not exist. */
  readonly destination: string
  /** Stops the copy and removes what there is of it. */
  readonly signal?: AbortSignal
  /** Called from time to time, with 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/** Copies an embedded store in use; the copy gets its name only after it was checked page by page and is durable. */
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
 * Replaces an embedded store that is not in use with a backup. Refuses, and changes nothing, while a service runs on it
 * and for a file that is damaged or not of this service.
 */
export async function restoreStore(options: RestoreStoreOptions): Promise<RestoredStore> {
  const { restoreFile } = await import('./sqlite/restore.ts')
  return restoreFile({ ...options, target: storeFile(options) })
}
