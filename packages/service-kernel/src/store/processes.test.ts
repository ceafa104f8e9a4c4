import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Program, program } from '@chancela/testkit/programs'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { apiKeyMigrations } from '../http/index.ts'
import type { Migration } from './index.ts'

type Place = Pick<TestStore<unknown>, 'url' | 'service'>

/** A program that runs the module text with the store open as `store`. */
const storeProgram = (moduleText: string): Program =>
  program(
    import.meta.url,
    `import { openStore, migrate } from '@chancela/service-kernel/store'
     import { apiKeyMigrations } from '@chancela/service-kernel/http'
     const store = await openStore({ url: process.env.STORE_URL, service: process.env.STORE_SERVICE })
     ${moduleText}
     await store.close()`,
  )

/** The output of three of its processes that start at once. */
const outputs = (start: Program, { url, service }: Place): Promise<string[]> =>
  Promise.all(
    [1, 2, 3].map(async () => {
      const child = await start({ STORE_URL: url, STORE_SERVICE: service })
      return (await text(child.stdout!)).trim()
    }),
  )

const unusedPlaces: Record<keyof typeof testStores, () => Promise<Place>> = {
  SQLite: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'chancela-starters-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    return { url: `sqlite:${join(folder, 'new.db')}`, service: 'test-service' }
  },
  PostgreSQL: () => testStores.PostgreSQL(),
}

const migrating = storeProgram(`console.log((await migrate(store, { keys: apiKeyMigrations })).applied.length)`)

for (const [name, unusedPlace] of Object.entries(unusedPlaces)) {
  describe(`processes on ${name}`, () => {
    test('that come at once to an unused database all start, and one of them migrates', async () => {
      const applied = await outputs(migrating, await unusedPlace())
      expect(applied.sort()).toEqual(['0', '0', String(apiKeyMigrations.length)])
    })
  })
}

const createCounter: Migration = {
  id: 1,
  name: 'counter',
  breaking: false,
  up: async (db) => {
    await sql`create table counter (value integer not null)`.execute(db)
    await sql`insert into counter values (0)`.execute(db)
  },
}

test('transactions of several processes that read first and write then lose nothing on SQLite', async () => {
  const store = await testStores.SQLite<{ counter: { value: number } }>({ counters: [createCounter] })
  const counting = storeProgram(`
    for (let i = 0; i < 60; i += 1) {
      await store.transaction(async (tx) => {
        const { value } = await tx.selectFrom('counter').selectAll().executeTakeFirstOrThrow()
        await tx.updateTable('counter').set({ value: value + 1 }).execute()
      })
    }
    console.log('counted')`)
  const said = await outputs(counting, store)
  expect(said).toEqual(['counted', 'counted', 'counted'])
  expect(await store.db.selectFrom('counter').selectAll().execute()).toEqual([{ value: 180 }])
})
