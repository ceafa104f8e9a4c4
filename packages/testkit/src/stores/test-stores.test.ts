import { existsSync } from 'node:fs'
import type { Migration } from '@chancela/service-kernel/store'
import pg from 'pg'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { type TestStore, testStores } from './index.ts'

interface Tables {
  thing: { id: string; size: number }
}

const createThing: Migration = {
  id: 1,
  name: 'thing',
  breaking: false,
  up: (db) => db.schema.createTable('thing').addColumn('id', 'text').addColumn('size', 'integer').execute(),
}

for (const [name, open] of Object.entries(testStores)) {
  describe(`a test store on ${name}`, () => {
    test('is the database it is called, migrated with the given set', async () => {
      const store = await open<Tables>({ things: [createThing] })
      await store.db.insertInto('thing').values({ id: 'a', size: 1 }).execute()
      expect(await store.version()).toMatch(new RegExp(`^${name} \\d+\\.\\d+`))
      expect(await store.db.selectFrom('thing').selectAll().execute()).toStrictEqual([{ id: 'a', size: 1 }])
    })

    test('shares nothing with another test store', async () => {
      const [one, other] = [
        await open<Tables>({ things: [createThing] }),
        await open<Tables>({ things: [createThing] }),
      ]
      await one.db.insertInto('thing').values({ id: 'a', size: 1 }).execute()
      expect(await other.db.selectFrom('thing').selectAll().execute()).toEqual([])
    })

    test('has the schema of its own set, also beside a set with steps of the same names', async () => {
      const wide: Migration = {
        ...createThing,
        up: (db) => db.schema.createTable('thing').addColumn('colour', 'text').execute(),
      }
      const [one, other] = [await open<Tables>({ things: [createThing] }), await open<Tables>({ things: [wide] })]
      await one.db.insertInto('thing').values({ id: 'a', size: 1 }).execute()
      await expect(other.db.insertInto('thing').values({ id: 'a', size: 1 }).execute()).rejects.toThrow()
    })

    test('can be opened once more on the same database', async () => {
      const store = await open<Tables>({ things: [createThing] })
      const second = await store.reopen()
      await store.db.insertInto('thing').values({ id: 'a', size: 1 }).execute()
      expect(await second.db.selectFrom('thing').selectAll().execute()).toStrictEqual([{ id: 'a', size: 1 }])
    })

    describe('opened by a hook', () => {
      let store: TestStore<Tables>
      beforeAll(async () => {
        store = await open<Tables>({ things: [createThing] })
      })

      test('outlives the first test', async () => {
        await store.db.insertInto('thing').values({ id: 'a', size: 1 }).execute()
      })

      test('and serves the second', async () => {
        expect(await store.db.selectFrom('thing').selectAll().execute()).toHaveLength(1)
      })
    })

    describe('after the test that opened it', () => {
      let left: TestStore<Tables>
      test('(which opens it)', async () => {
        left = await open<Tables>({ things: [createThing] })
      })

      test('is closed and removed', async () => {
        await expect(left.db.selectFrom('thing').selectAll().execute()).rejects.toThrow()
        expect(await exists(left)).toBe(false)
      })
    })
  })
}

async function exists({ dialect, url }: TestStore<Tables>): Promise<boolean> {
  if (dialect === 'sqlite') return existsSync(url.slice('sqlite:'.length))
  const answer = await fetch(inject('chancelaPostgresDoor'))
  const admin = new pg.Client({ connectionString: ((await answer.json()) as { url: string }).url })
  await admin.connect()
  const { rows } = await admin.query('select 1 from pg_database where datname = $1', [new URL(url).pathname.slice(1)])
  await admin.end()
  return rows.length > 0
}
