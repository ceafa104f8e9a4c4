import { testClock } from '@chancela/testkit/clock'
import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Migration, migrate, type Store } from './index.ts'

interface Tables {
  schema_migration: {
    owner: string
    id: number
    name: string
    breaking: number
    applied_at: string
    checksum: string | null
  }
  author: { id: string; name: string }
  book: { id: string; author_id: string }
}

const statements = (id: number, name: string, ...texts: string[]): Migration => ({
  id,
  name,
  breaking: false,
  up: async (db) => {
    for (const text of texts) await sql.raw(text).execute(db)
  },
})

const authors = statements(1, 'authors', 'create table author (id text primary key, name text not null)')
const books = statements(
  2,
  'books',
  'create table book (id text primary key, author_id text not null references author (id) on delete cascade)',
)

const recorded = (store: Store<Tables>) => store.db.selectFrom('schema_migration').selectAll().orderBy('id').execute()

for (const [name, open] of Object.entries(testStores)) {
  describe(`migrations on ${name}`, () => {
    test('apply what is missing, in order, and tell what they did', async () => {
      const store = await open<Tables>()
      expect(await migrate(store, { library: [authors] })).toEqual({
        applied: [{ owner: 'library', id: 1, name: 'authors' }],
        alreadyThere: [],
      })
      expect(await migrate(store, { library: [authors, books] })).toEqual({
        applied: [{ owner: 'library', id: 2, name: 'books' }],
        alreadyThere: [{ owner: 'library', id: 1, name: 'authors' }],
      })
      expect((await migrate(store, { library: [authors, books] })).applied).toEqual([])
      await store.db.insertInto('author').values({ id: 'a', name: 'Machado' }).execute()
    })

    test('record each step with its owner, whether it breaks, and when', async () => {
      const store = await open<Tables>()
      const clock = testClock('2026-05-06T07:08:09.000Z')
      await migrate(store, { library: [authors, { ...books, breaking: true }] }, clock)
      const more = { applied_at: '2026-05-06T07:08:09.000Z', checksum: expect.stringMatching(/^[0-9a-f]{16}$/) }
      expect(await recorded(store)).toStrictEqual([
        { owner: 'library', id: 1, name: 'authors', breaking: 0, ...more },
        { owner: 'library', id: 2, name: 'books', breaking: 1, ...more },
      ])
    })

    test('leave nothing behind when one of them fails', async () => {
      const store = await open<Tables>()
      const failing = statements(2, 'fails', 'create table book (id text)', 'selekt nonsense')
      await expect(migrate(store, { library: [authors, failing] })).rejects.toThrow(/selekt/)
      await expect(store.db.selectFrom('author').selectAll().execute()).rejects.toThrow()
      expect((await migrate(store, { library: [authors, books] })).applied).toHaveLength(2)
    })

    test('are applied once when several starters come at once', async () => {
      const store = await open<Tables>()
      const starters = await Promise.all([store, ...(await Promise.all([1, 2, 3].map(() => store.reopen())))])
      const reports = await Promise.all(starters.map((starter) => migrate(starter, { library: [authors, books] })))
      expect(reports.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 0, 2])
      expect(await recorded(store)).toHaveLength(2)
    })

    test('are refused with a clear sentence on a database newer than the program', async () => {
      const store = await open<Tables>({ library: [authors, books] })
      const refused = migrate(store, { library: [authors] })
      await expect(refused).rejects.toMatchObject({ name: 'StartupProblem', setting: `${store.service} Database:Url` })
      await expect(refused).rejects.toThrow(
        `${store.service} Database:Url: the database is newer than this program (it has step 2 "books" of library); ` +
          'start the newer program or name another database.',
      )
    })

    test('are refused when the database has tables of a part the program does not know', async () => {
      const store = await open<Tables>({ library: [authors], archive: [statements(1, 'shelves')] })
      await expect(migrate(store, { library: [authors] })).rejects.toThrow(/is newer .*"shelves" of archive/)
    })

    test('are refused when a step of the database has another name here', async () => {
      const store = await open<Tables>({ library: [authors] })
      const refused = migrate(store, { library: [statements(1, 'writers')] })
      await expect(refused).rejects.toMatchObject({ name: 'StartupProblem' })
      await expect(refused).rejects.toThrow(/another program .*"authors" there and "writers" here/)
    })

    test('are refused when a step that ran does something else here', async () => {
      const store = await open<Tables>({ library: [authors] })
      const changed = statements(1, 'authors', 'create table author (id text primary key, name text)')
      const refused = migrate(store, { library: [changed, books] })
      await expect(refused).rejects.toMatchObject({ name: 'StartupProblem', setting: `${store.service} Database:Url` })
      await expect(refused).rejects.toThrow(/step 1 "authors" of library did something else/)
      expect(await recorded(store)).toHaveLength(1)
    })

    test('may be written with other line breaks', async () => {
      const store = await open<Tables>()
      const wrapped = statements(1, 'authors', 'create table author (\n  id text primary key,\n  name text not null)')
      const spaced = statements(1, 'authors', 'create table author ( id text primary key, name text not null)')
      await migrate(store, { library: [wrapped] })
      expect((await migrate(store, { library: [spaced] })).applied).toEqual([])
    })

    test('of a database from before checksums get theirs, and are held to it', async () => {
      const store = await open<Tables>({ library: [authors, books] })
      const before = await recorded(store)
      await sql`alter table schema_migration drop column checksum`.execute(store.db)
      await migrate(store, { library: [authors, books] })
      expect(await recorded(store)).toEqual(before)
      const changed = statements(2, 'books', 'create table book (id text primary key)')
      await expect(migrate(store, { library: [authors, changed] })).rejects.toThrow(/did something else/)
    })

    test('must be numbered from 1 without a gap', async () => {
      const store = await open<Tables>()
      await expect(migrate(store, { library: [authors, statements(3, 'late')] })).rejects.toThrow('should have id 2')
      await expect(migrate(store, { library: [{ ...authors, id: 0 }] })).rejects.toThrow('should have id 1')
    })
  })
}

describe('migrations on SQLite', () => {
  const replaceAuthor = [
    'create table new_author (id text primary key, name text not null, born text)',
    'insert into new_author select id, name, null from author',
    'drop table author',
    'alter table new_author rename to author',
  ]

  test('may replace a table without losing the rows that refer to it', async () => {
    const store = await testStores.SQLite<Tables>({ library: [authors, books] })
    await store.db.insertInto('author').values({ id: 'a', name: 'Clarice' }).execute()
    await store.db.insertInto('book').values({ id: 'b', author_id: 'a' }).execute()
    await migrate(store, { library: [authors, books, statements(3, 'birth', ...replaceAuthor)] })
    expect(await store.db.selectFrom('book').selectAll().execute()).toEqual([{ id: 'b', author_id: 'a' }])
    await store.db.deleteFrom('author').execute()
    expect(await store.db.selectFrom('book').selectAll().execute()).toEqual([])
  })

  test('are undone when they leave rows that refer to nothing', async () => {
    const store = await testStores.SQLite<Tables>({ library: [authors, books] })
    await store.db.insertInto('author').values({ id: 'a', name: 'Clarice' }).execute()
    await store.db.insertInto('book').values({ id: 'b', author_id: 'a' }).execute()
    const careless = statements(3, 'careless', 'delete from author')
    await expect(migrate(store, { library: [authors, books, careless] })).rejects.toThrow(/rows of book without/)
    expect(await store.db.selectFrom('author').selectAll().execute()).toHaveLength(1)
  })
})
