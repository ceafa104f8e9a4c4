import type { Kysely } from 'kysely'
import type { Db, Store } from './store.ts'

// Kysely's types do not narrow by themselves: a database of many tables is no database of one of them. That the tables
// are there is what the migrations say; the kernel runs them before it hands out a store.

/** Shows a database, or a transaction on it, with the tables of one part of a service. */
export const tablesOf =
  <Part>() =>
  <Tables>(db: Db<Tables>): Kysely<Part> =>
    db as unknown as Kysely<Part>

/** Shows a store with the tables of one part of a service. */
export const storeOf =
  <Part>() =>
  <Tables>(store: Store<Tables>): Store<Part> =>
    store as unknown as Store<Part>
