import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MigrationSet, openStore, type Store } from '@chancela/service-kernel/store'
import { whenDone } from '../test-files/index.ts'
import { TEST_SERVICE } from './migrated-sets.ts'
import { copyPostgres, dropPostgres } from './postgres-templates.ts'
import { copySqlite } from './sqlite-templates.ts'

/** A store that can open its database again, as another instance or process would. */
export interface TestStore<Tables> extends Store<Tables> {
  readonly url: string
  /** A second store on the same database, closed after the test as well. */
  reopen(): Promise<Store<Tables>>
}

type OpenTestStore = <Tables>(set?: MigrationSet) => Promise<TestStore<Tables>>

/**
 * Both databases, each call a fresh one, migrated; closed and removed when the test (or, in a hook, the file) ends. The
 * migrations run once for all stores of a set: each is a copy of a migrated database.
 */
export const testStores: Readonly<Record<'SQLite' | 'PostgreSQL', OpenTestStore>> = {
  SQLite: async (set = {}) => {
    const folder = await mkdtemp(join(tmpdir(), 'chancela-test-store-'))
    const file = join(folder, 'test.db')
    await copySqlite(set, file)
    return openTestStore(`sqlite:${file}`, () => rm(folder, { recursive: true, force: true }))
  },
  PostgreSQL: async (set = {}) => {
    const url = await copyPostgres(set)
    return openTestStore(url, () => dropPostgres(url))
  },
}

async function openTestStore<Tables>(url: string, remove: () => Promise<void>): Promise<TestStore<Tables>> {
  const opened: Store<Tables>[] = []
  const reopen = async () => {
    const store = await openStore<Tables>({ url, service: TEST_SERVICE })
    opened.push(store)
    return store
  }
  whenDone(async () => {
    await Promise.all(opened.map((store) => store.close()))
    await remove()
  })
  return { ...(await reopen()), url, reopen }
}
