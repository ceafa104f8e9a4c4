// The only importer of the driver. Its API is that of node:sqlite, which takes its place when the floor is Node 24.
import { DatabaseSync } from '@photostructure/sqlite'

/** How long a statement waits for another process's write. The thread stands still meanwhile. */
export const BUSY_TIMEOUT_MS = 5_000

export interface SqliteStatement {
  all(...parameters: unknown[]): object[]
  run(...parameters: unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint }
  iterate(...parameters: unknown[]): IterableIterator<object>
  columns(): readonly unknown[]
}

/** One connection to a SQLite file. */
export interface SqliteConnection {
  /** False outside a transaction, and after SQLite has rolled one back by itself (disk full, I/O error). */
  readonly isTransaction: boolean
  prepare(text: string): SqliteStatement
  exec(text: string): void
  close(): void
}

/** Opens the file, creating it when absent; every write is on the disk before it is acknowledged. */
export function openSqlite(path: string): SqliteConnection {
  const connection: SqliteConnection = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  try {
    connection.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`)
    connection.exec('pragma journal_mode = wal')
    connection.exec('pragma synchronous = full')
    connection.exec('pragma foreign_keys = on')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}
