// The only importer of the driver. Its API is that of node:sqlite, which replaces it when the minimum is Node 24.
import { pathToFileURL } from 'node:url'
import { backup, DatabaseSync } from '@photostructure/sqlite'

/** How long a process that does nothing else waits for another one's lock, blocking its thread. */
const BUSY_TIMEOUT_MS = 5_000

/**
 * Pages in the write-ahead log before they go into the file. A page that many commits change, as the ends of tables and
 * indexes are, is then written there once for four times as many of them; the log takes 16 MB instead of 4.
 */
const CHECKPOINT_PAGES = 4_000

/** Pages kept in memory: with SQLite's 2 MB the indexes of some thousand jobs are read again and again. */
const CACHE_KIBIBYTES = 16_384

export interface SqliteStatement {
  all(...parameters: unknown[]): object[]
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  iterate(...parameters: unknown[]): IterableIterator<object>
  columns(): readonly { readonly name: string }[]
  /** Rows as lists of values from now on. */
  setReturnArrays(returnArrays: boolean): void
}

/** One connection to a SQLite file. */
export interface SqliteConnection {
  /** False outside a transaction, and after SQLite has rolled one back by itself (disk full, I/O error). */
  readonly isTransaction: boolean
  prepare(text: string): SqliteStatement
  exec(text: string): void
  close(): void
}

/** Progress of a copy: pages done and total pages. */
export type CopyProgress = (done: number, total: number) => void

/** Pages copied between two progress reports, at which a copy can also be stopped. */
const PAGES_PER_STEP = 256

/**
 * Copies the current state of a database into a file. The connection reads one snapshot from the first page to the
 * last, so that writers neither wait nor restart the copy; meanwhile the write-ahead log cannot shrink.
 */
export async function copySqlite(source: string, destination: string, progress: CopyProgress): Promise<void> {
  const connection = new DatabaseSync(source, { timeout: BUSY_TIMEOUT_MS, readOnly: true })
  try {
    connection.exec('begin')
    connection.prepare('select count(*) from sqlite_schema').all()
    await backup(connection, destination, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => progress(totalPages - remainingPages, totalPages),
    })
  } finally {
    connection.close()
  }
}

/** Opens a file that is not written any more, without creating files beside it. */
export const openSettled = (path: string): SqliteConnection =>
  new DatabaseSync(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true })

/**
 * Opens a file exclusively, its write-ahead log checkpointed and deleted; refused as busy while any other connection
 * has it open. The lock holds until the connection is closed.
 */
export function openAlone(path: string): SqliteConnection {
  const connection: SqliteConnection = new DatabaseSync(path, { timeout: 1_000 })
  try {
    connection.exec('pragma locking_mode = exclusive')
    connection.exec('pragma journal_mode = delete')
    // Nothing will be written: the journal needs no file.
    connection.exec('pragma journal_mode = memory')
    connection.exec('begin exclusive')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/**
 * Opens the file, creating it when absent; every write is on the disk before it is acknowledged. What finds the file
 * locked fails at once: a thread that waits serves nobody.
 */
export function openSqlite(path: string): SqliteConnection {
  const connection: SqliteConnection = new DatabaseSync(path, { timeout: 0 })
  try {
    connection.exec('pragma busy_timeout = 0')
    connection.exec('pragma journal_mode = wal')
    connection.exec('pragma synchronous = full')
    connection.exec('pragma foreign_keys = on')
    connection.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    connection.exec(`pragma cache_size = -${CACHE_KIBIBYTES}`)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}
