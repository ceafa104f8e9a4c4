import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Db, dialectOf, hotStatement, isUniqueViolation, type Migration, runStatement } from './index.ts'

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

const entries = hotStatement<undefined, { name: string }>('test_entries', {
  sqlite: { text: 'select name from entry', parameters: () => [] },
  postgres: { text: 'select name from entry', parameters: () => [] },
})

const createEntry: Migration = {
  id: 1,
  name: 'entry',
  breaking: false,
  up: async (db) => void (await sql`create table entry (name text primary key)`.execute(db)),
}

const insertEntry = <Tables>(db: Db<Tables>, name: string) =>
  runStatement(db, dialectOf(db) === 'sqlite' ? 'insert into entry values (?)' : 'insert into entry values ($1)', [
    name,
  ])

for (const [name, open] of Object.entries(testStores)) {
  describe(`a statement as it is written, on ${name}`, () => {
    test('does not see, nor join, what a transaction of another call has not committed', async () => {
      const store = await open({ entries: [createEntry] })
      const undone = new Error('undone')
      let beside: Promise<unknown> | undefined
      const transaction = store.transaction(async (tx) => {
        await insertEntry(tx, 'of the transaction')
        beside = entries(store.db, undefined).then((seen) => insertEntry(store.db, `seen: ${seen.length}`))
        await sql`select 1`.execute(tx)
        throw undone
      })
      await expect(transaction).rejects.toBe(undone)
      await beside
      expect(await entries(store.db, undefined)).toEqual([{ name: 'seen: 0' }])
    })

    test('tells what is wrong with it, and the next one runs', async () => {
      const store = await open({ entries: [createEntry] })
      await insertEntry(store.db, 'once')
      await expect(insertEntry(store.db, 'once')).rejects.toSatisfy(isUniqueViolation)
      await expect(runStatement(store.db, 'select nothing from nowhere', [])).rejects.toThrow()
      expect(await entries(store.db, undefined)).toEqual([{ name: 'once' }])
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
