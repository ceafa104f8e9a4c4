import type { Db, Dialect } from './store.ts'

/** Functions of a store's database beyond Kysely; available from the database and every transaction on it. */
export interface StoreAdapter {
  readonly storeDialect: Dialect
  /** Wakes the listeners of the channel, on commit when `db` is a transaction. */
  notify<Tables>(db: Db<Tables>, channel: string): Promise<void>
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

const isStoreAdapter = (adapter: object): adapter is StoreAdapter => 'storeDialect' in adapter
