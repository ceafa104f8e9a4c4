import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { insertRows, type Migration } from './index.ts'

interface Tables {
  folder: { id: string; name: string | null; size: number }
  leaf: { id: string; folder_id: string }
}

const tables: Migration = {
  id: 1,
  name: 'tables',
  breaking: false,
  up: async (db) => {
    await sql`create table folder (id text primary key, name text, size double precision not null)`.execute(db)
    await sql`create table leaf (id text primary key, folder_id text not null references folder (id))`.execute(db)
  },
}

const leaves = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `l${at + 10}`, folder_id: 'f1' }))

for (const [name, open] of Object.entries(testStores)) {
  describe(`rows of several tables on ${name}`, () => {
    test('are inserted together, however many there are of each, whichever refers to the other', async () => {
      const store = await open<Tables>({ tables: [tables] })
      await store.transaction((tx) =>
        insertRows(tx, { folder: [{ id: 'f1', name: null, size: 1.5 }], leaf: leaves(21) }),
      )
      await insertRows(store.db, { folder: [{ id: 'f2', name: 'ação "x" \\ 日本', size: 2 }], leaf: [] })
      expect(await store.db.selectFrom('folder').selectAll().orderBy('id').execute()).toEqual([
        { id: 'f1', name: null, size: 1.5 },
        { id: 'f2', name: 'ação "x" \\ 日本', size: 2 },
      ])
      expect(await store.db.selectFrom('leaf').selectAll().orderBy('id').execute()).toEqual(leaves(21))
    })

    test('are all refused with one of them', async () => {
      const store = await open<Tables>({ tables: [tables] })
      const rows = { folder: [{ id: 'f1', name: null, size: 1 }], leaf: [...leaves(1), ...leaves(1)] }
      await expect(store.transaction((tx) => insertRows(tx, rows))).rejects.toThrow()
      expect(await store.db.selectFrom('folder').selectAll().execute()).toEqual([])
    })

    test('keep half a character as every text does: as the replacement character', async () => {
      const store = await open<Tables>({ tables: [tables] })
      await insertRows(store.db, { folder: [{ id: 'f1', name: 'a\ud800b', size: 1 }] })
      expect(await store.db.selectFrom('folder').select('name').execute()).toEqual([{ name: 'a\ufffdb' }])
    })
  })
}
