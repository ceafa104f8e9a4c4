// A file that another process has locked: SQLite can wait for it by itself, but only by blocking the thread, and with it
// every request of the process. So it is told not to wait, and what found the file locked is tried again.
import { setTimeout as delay } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { isBusy } from './problems.ts'

/** How long a statement, or the beginning of a transaction, is tried. */
const PATIENCE_MS = 5_000

/** Milliseconds between two tries, those of SQLite's own busy handler; the last goes on. */
const WAITS = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100] as const

/** Tries again what finds the file locked, and throws that in the end. */
export async function patiently<T>(
  work: () => T | Promise<T>,
  wait: (ms: number) => Promise<unknown> = delay,
): Promise<T> {
  const begun = performance.now()
  for (let turn = 0; ; turn++) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() - begun > PATIENCE_MS) throw error
    }
    await wait(WAITS[turn] ?? WAITS.at(-1)!)
  }
}

/** What the driver knows and does for whoever waits. */
interface Turns {
  isTransaction(): boolean
  /** A pause in which others may use the connection. */
  pause(ms: number): Promise<void>
  /** Runs work with such pauses; the store is not closed before its end. */
  waiting<T>(work: () => Promise<T>): Promise<T>
}

/** Kysely's connection, which tries again what finds the file locked. */
export class PatientConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection
  readonly #turns: Turns

  constructor(inner: DatabaseConnection, turns: Turns) {
    this.#inner = inner
    this.#turns = turns
  }

  /** A transaction has the lock since it began, and must not let others in between its statements. */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await this.#inner.executeQuery<Row>(query)
    } catch (error) {
      const { isTransaction, pause, waiting } = this.#turns
      if (!isBusy(error) || isTransaction()) throw error
      return waiting(() => patiently(() => this.#inner.executeQuery<Row>(query), pause))
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#inner.streamQuery(query, chunkSize)
  }
}
