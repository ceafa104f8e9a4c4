import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { hotStatement } from './index.ts'

const doubled = hotStatement<number, { twice: number }>('test_doubled', {
  sqlite: { text: 'select ? * 2 as twice', parameters: (n) => [n] },
  postgres: { text: 'select $1::int * 2 as twice', parameters: (n) => [n] },
})

for (const [name, open] of Object.entries(testStores)) {
  describe(`a hot statement on ${name}`, () => {
    test('answers on the database and inside a transaction', async () => {
      const store = await open({})
      expect(await doubled(store.db, 21)).toStrictEqual([{ twice: 42 }])
      expect(await store.transaction((tx) => doubled(tx, 4))).toStrictEqual([{ twice: 8 }])
    })
  })
}

test('a hot statement is planned once per connection of PostgreSQL', async () => {
  const store = await testStores.PostgreSQL({})
  const kept = await store.transaction(async (tx) => {
    await doubled(tx, 1)
    await doubled(tx, 2)
    return (await sql`select name from pg_prepared_statements`.execute(tx)).rows
  })
  expect(kept).toEqual([{ name: 'test_doubled' }])
})

test('a database that was not opened as a store is refused', async () => {
  const { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } = await import('kysely')
  const stranger = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  await expect(doubled(stranger, 1)).rejects.toThrow('not opened by openStore')
})
