import type { Kysely, Transaction } from 'kysely'
import type { StartupProblem } from '../errors/index.ts'

export type Dialect = 'sqlite' | 'postgres'

/** Either the database or a transaction on it; every query function takes one of these first. */
export type Db<Tables> = Kysely<Tables> | Transaction<Tables>

/**
 * One service's database. Rows are portable by convention, so that one query code base serves both dialects:
 * times are ISO 8601 text in UTC (`Date.toISOString()`, which sorts as it reads), booleans are integers 0 and 1,
 * structured values are JSON text, identifiers are text.
 */
export interface Store<Tables> {
  readonly dialect: Dialect
  /** The service whose database this is; problems name its setting `<service> Database:Url`. */
  readonly service: string
  readonly db: Kysely<Tables>
  /**
   * Runs `work` in one transaction; commits when it resolves, rolls back when it throws. Inside, use only `tx` and
   * await only queries on it: on SQLite the transaction holds the only connection, so other work blocks every query of
   * the service, and a query on `db` waits for itself (refused after 30 seconds). `work` runs again where PostgreSQL
   * ended it because of a deadlock, so that it changes nothing besides.
   */
  transaction<T>(work: (tx: Transaction<Tables>) => Promise<T>): Promise<T>
  /** Product and version, for logs and test output: `SQLite 3.53.0`, `PostgreSQL 18.4`. */
  version(): Promise<string>
  /** Notifies other instances (and this one) on a channel; on commit when given a transaction. */
  notify(tx: Db<Tables>, channel: string): Promise<void>
  /** Calls back after every `notify` on the channel, from any process on the database. Returns a function to stop. */
  listen(channel: string, wake: () => void): () => void
  /** The operator's sentence for an error of the database itself (full disk, lost server); undefined for any other. */
  problem(error: unknown): StartupProblem | undefined
  /** Waits for running work, then closes the database. A second call does nothing more. */
  close(): Promise<void>
}

/** One forward step of a schema. Ids count up from 1 per owner and never change once released. */
export interface Migration {
  readonly id: number
  readonly name: string
  /** True when a program that does not know this step must not run on the database any more. */
  readonly breaking: boolean
  up(db: Kysely<unknown>, dialect: Dialect): Promise<void>
}

/** Schema owners and their steps: each kernel part that keeps tables, and the service itself. */
export type MigrationSet = Readonly<Record<string, readonly Migration[]>>
