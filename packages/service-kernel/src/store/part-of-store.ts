import type { Kysely } from 'kysely'
import type { Db, Store } from './store.ts'

// Kysely's types do not narrow by themselves: a database of many tables is no database of one of them. The migrations
// guarantee that the tables exist; the kernel runs them before it provides a store.

/** Types a database, or a transaction on it, with the tables of one part of a service. */
export const tablesOf =
  <Part>() =>
  <Tables>(db: Db<Tables>): Kysely<Part> =>
    db as unknown as Kysely<Part>

/** Types a store with the tables of one part of a service. */
export const storeOf =
  <Part>() =>
  <Tables>(store: Store<Tables>): Store<Part> =>
    store as unknown as Store<Part>
