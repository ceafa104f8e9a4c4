import { setTimeout as delay } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
} from 'kysely'
import { LruCache } from '../../concurrency/index.ts'
import { refuseUnportable } from '../portable-parameters.ts'
import { SqliteStoreAdapter } from './adapter.ts'
import type { SqliteConnection, SqliteStatement } from './open-sqlite.ts'
import { PatientConnection } from './patience.ts'
import { isBusy } from './problems.ts'
import type { SharedFile } from './shared-file.ts'

/** Kysely's SQLite dialect over our connection, with write transactions and wake-ups on commit. */
export class SqliteStoreDialect extends SqliteDialect {
  readonly #driver: StoreDriver

  constructor(connection: SqliteConnection, file: SharedFile) {
    const database = kyselyDatabase(connection)
    super({ database })
    this.#driver = new StoreDriver(database, connection, file)
  }

  override createDriver(): Driver {
    return this.#driver
  }

  /** Resolves when nothing waits for another process's lock any more. */
  settled(): Promise<void> {
    return this.#driver.settled()
  }

  override createAdapter(): SqliteStoreAdapter {
    const driver = this.#driver
    return new SqliteStoreAdapter(
      driver.wakeOnCommit,
      (channel) => driver.wake(channel),
      (text, parameters) => driver.runNow(text, parameters),
    )
  }
}

class StoreDriver extends SqliteDriver {
  readonly wakeOnCommit = new Set<string>()
  readonly #database: SqliteDatabase
  readonly #connection: SqliteConnection
  readonly #file: SharedFile
  readonly #waiting = new Set<Promise<unknown>>()
  #patient: PatientConnection | undefined

  constructor(database: SqliteDatabase, connection: SqliteConnection, file: SharedFile) {
    super({ database })
    this.#database = database
    this.#connection = connection
    this.#file = file
  }

  /** Without the lock: it is free, and nobody can take it before the statement has ended. */
  runNow(text: string, parameters: readonly unknown[]): readonly unknown[] | undefined {
    if (!this.#file.lock.isFree) return undefined
    try {
      const statement = this.#database.prepare(text)
      if (statement.reader) return statement.all(parameters)
      statement.run(parameters)
      return []
    } catch (error) {
      // Another process has locked the file: whoever waits for it does so in the driver's way.
      if (isBusy(error)) return undefined
      throw error
    }
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#file.lock.take()
    const inner = await super.acquireConnection()
    this.#patient ??= new PatientConnection(inner, {
      isTransaction: () => this.#connection.isTransaction,
      pause: (ms) => (this.#isInFrame() ? delay(ms) : this.#letOthers(ms)),
      waiting: (work) => this.#wait(work),
    })
    return this.#patient
  }

  async settled(): Promise<void> {
    while (this.#waiting.size > 0) await Promise.allSettled(this.#waiting)
  }

  async #wait<T>(work: () => Promise<T>): Promise<T> {
    const waiting = work()
    this.#waiting.add(waiting)
    try {
      return await waiting
    } finally {
      this.#waiting.delete(waiting)
    }
  }

  /** Whoever waits for another process's lock stops nobody here who needs none: readers, above all. */
  async #letOthers(ms: number): Promise<void> {
    await this.releaseConnection()
    await delay(ms)
    await this.#file.lock.takeAgain()
    await super.acquireConnection()
  }

  /** In the frame of a migration, whose setting no other statement must meet. */
  #isInFrame(): boolean {
    const [{ foreign_keys } = {}] = this.#connection.prepare('pragma foreign_keys').all() as { foreign_keys?: number }[]
    return foreign_keys !== 1
  }

  override async releaseConnection(): Promise<void> {
    await super.releaseConnection()
    this.#file.lock.release()
  }

  // Kysely's plain `begin` takes the write lock at the first write; if another process has written since the first
  // read, that fails (SQLITE_BUSY_SNAPSHOT) and trying again does not help. Taking it at the start waits instead.
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    const channels = [...this.wakeOnCommit]
    this.wakeOnCommit.clear()
    for (const channel of channels) this.wake(channel)
  }

  // A full disk makes SQLite roll back by itself; a second rollback would fail and hide the reason.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.wakeOnCommit.clear()
    if (this.#connection.isTransaction) await super.rollbackTransaction(connection)
  }

  /** In a separate turn of the event loop: a listener must not run inside the statement that woke it. */
  wake(channel: string): void {
    setImmediate(() => this.#file.channels.wake(channel))
  }
}

/** Prepared statements kept; beyond this the oldest are dropped. Services have a few hundred distinct texts. */
const KEPT_STATEMENTS = 500

const CHANGES_SCHEMA = /^\s*(?:alter|create|drop)\b/i

function kyselyDatabase(connection: SqliteConnection): SqliteDatabase {
  const none = () => new LruCache<string, ReturnType<typeof kyselyStatement>>(KEPT_STATEMENTS)
  let kept = none()
  return {
    prepare: (text) => {
      // `peek`, not `get`: hardly any statement is ever dropped, so the order is not worth its cost in each query.
      const known = kept.peek(text)
      if (known) return known
      // What `*` stands for changes with the schema.
      if (CHANGES_SCHEMA.test(text)) kept = none()
      const statement = kyselyStatement(connection, text)
      kept.set(text, statement)
      return statement
    },
    close: () => connection.close(),
  }
}

function kyselyStatement(connection: SqliteConnection, text: string) {
  const statement: SqliteStatement = connection.prepare(text)
  const columns = statement.columns().map(({ name }) => name)
  statement.setReturnArrays(true)
  return {
    reader: columns.length > 0,
    all: (parameters: readonly unknown[]) => {
      refuseUnportable(parameters)
      return (statement.all(...parameters) as unknown[][]).map((values) => rowOf(columns, values))
    },
    run: (parameters: readonly unknown[]) => {
      refuseUnportable(parameters)
      return statement.run(...parameters)
    },
    // A stream may be left half read; a statement of its own keeps the cached one usable.
    iterate: (parameters: readonly unknown[]) => {
      refuseUnportable(parameters)
      return connection.prepare(text).iterate(...parameters)
    },
  }
}

/**
 * The driver's own objects cost twice as much, and have no prototype, while those of PostgreSQL have one: callers that
 * compare should not see a difference.
 */
function rowOf(columns: readonly string[], values: readonly unknown[]): object {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index++) row[columns[index]!] = values[index]
  return row
}
