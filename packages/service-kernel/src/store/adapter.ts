import type { Db, Dialect } from './store.ts'

/** Functions of a store's database beyond Kysely; available from the database and every transaction on it. */
export interface StoreAdapter {
  readonly storeDialect: Dialect
  /** Wakes the listeners of the channel, on commit when `db` is a transaction. */
  notify<Tables>(db: Db<Tables>, channel: string): Promise<void>
  /** Runs a statement in the turn of its caller; undefined where it has to wait, and then nothing was done. */
  runNow?(text: string, parameters: readonly unknown[]): readonly unknown[] | undefined
}

/** The adapter under a database or transaction that came from `openStore`. */
function adapterOf<Tables>(db: Db<Tables>): StoreAdapter {
  const { adapter } = db.getExecutor()
  if (!isStoreAdapter(adapter)) throw new Error('This database was not opened by openStore.')
  return adapter
}

/** Wakes the listeners of the channel, in every process on PostgreSQL; on commit when `db` is a transaction. */
export const notify = <Tables>(db: Db<Tables>, channel: string): Promise<void> => adapterOf(db).notify(db, channel)

/** Which database this is. */
export const dialectOf = <Tables>(db: Db<Tables>): Dialect => adapterOf(db).storeDialect

/**
 * The rows of a statement that need not wait: the database is in this process, and nobody uses its connection. The way
 * through Kysely costs more than such a statement. Undefined where it has to go that way.
 */
export const rowsNow = <Tables>(
  db: Db<Tables>,
  text: string,
  parameters: readonly unknown[],
): readonly unknown[] | undefined => (db.isTransaction ? undefined : adapterOf(db).runNow?.(text, parameters))

const isStoreAdapter = (adapter: object): adapter is StoreAdapter => 'storeDialect' in adapter
