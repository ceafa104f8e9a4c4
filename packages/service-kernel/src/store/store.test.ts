import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { isUniqueViolation, type Migration, openStore } from './index.ts'

interface Tables {
  account: { id: string; balance: number; note: string | null }
  blob: { id: string; bytes: Uint8Array }
}

const createTables: Migration = {
  id: 1,
  name: 'accounts',
  breaking: false,
  up: async (db, dialect) => {
    await sql`create table account (id text primary key, balance integer not null, note text)`.execute(db)
    await sql`create unique index account_note on account (note)`.execute(db)
    await sql`create table blob (id text primary key, bytes ${sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea')})`.execute(
      db,
    )
  },
}

for (const [name, open] of Object.entries(testStores)) {
  const openWithAccount = async () => {
    const store = await open<Tables>({ accounts: [createTables] })
    await store.db.insertInto('account').values({ id: 'a', balance: 100, note: null }).execute()
    return store
  }

  describe(`a store on ${name}`, () => {
    test('keeps what a transaction wrote once it resolves', async () => {
      const store = await openWithAccount()
      const answer = await store.transaction(async (tx) => {
        await tx.updateTable('account').set({ balance: 90 }).where('id', '=', 'a').execute()
        return 'written'
      })
      expect(answer).toBe('written')
      expect(await store.db.selectFrom('account').select('balance').executeTakeFirst()).toStrictEqual({ balance: 90 })
    })

    test('shows a column that came after the same query was first asked', async () => {
      const store = await openWithAccount()
      const all = () => store.db.selectFrom('account').selectAll().execute()
      expect(await all()).toStrictEqual([{ id: 'a', balance: 100, note: null }])
      await sql`alter table account add column limited integer`.execute(store.db)
      expect(await all()).toStrictEqual([{ id: 'a', balance: 100, note: null, limited: null }])
    })

    test('keeps nothing of a transaction that throws', async () => {
      const store = await openWithAccount()
      const failing = store.transaction(async (tx) => {
        await tx.updateTable('account').set({ balance: 0 }).execute()
        throw new Error('changed my mind')
      })
      await expect(failing).rejects.toThrow('changed my mind')
      expect(await store.db.selectFrom('account').select('balance').executeTakeFirst()).toEqual({ balance: 100 })
    })

    test('loses no update when many transactions read, think and write at once', async () => {
      const store = await openWithAccount()
      const withdraw = () =>
        store.transaction(async (tx) => {
          const row = await tx
            .selectFrom('account')
            .select('balance')
            .$if(name === 'PostgreSQL', (q) => q.forUpdate())
            .executeTakeFirstOrThrow()
          await tx
            .updateTable('account')
            .set({ balance: row.balance - 1 })
            .execute()
        })
      await Promise.all(Array.from({ length: 50 }, withdraw))
      expect(await store.db.selectFrom('account').select('balance').executeTakeFirst()).toEqual({ balance: 50 })
    })

    test('loses no update when two stores on the same database write at once', async () => {
      const store = await openWithAccount()
      const second = await store.reopen()
      const withdraw = ({ transaction }: typeof second) =>
        transaction(async (tx) => {
          await tx
            .updateTable('account')
            .set(({ eb }) => ({ balance: eb('balance', '-', 1) }))
            .execute()
          await tx.selectFrom('account').selectAll().execute()
        })
      await Promise.all(Array.from({ length: 40 }, (_, i) => withdraw(i % 2 ? store : second)))
      expect(await store.db.selectFrom('account').select('balance').executeTakeFirst()).toEqual({ balance: 60 })
    })

    test('gives rows, numbers, truth and bytes of the same shape as the other database', async () => {
      const store = await openWithAccount()
      await store.db
        .insertInto('blob')
        .values({ id: 'b', bytes: Buffer.from('ação') })
        .execute()
      const { bytes } = await store.db.selectFrom('blob').select('bytes').executeTakeFirstOrThrow()
      const { rows } = await sql`select count(*) as rows_counted, sum(balance) as total, max(balance) > 5 as rich,
        9007199254740991 as large from account`.execute(store.db)
      expect(rows).toStrictEqual([{ rows_counted: 1, total: 100, rich: 1, large: 9007199254740991 }])
      expect(bytes).toBeInstanceOf(Uint8Array)
      expect(Buffer.from(bytes).toString()).toBe('ação')
    })

    test('refuses to read an integer that a number cannot hold exactly', async () => {
      const store = await openWithAccount()
      await expect(sql`select 9007199254740993 as large`.execute(store.db)).rejects.toThrow('too large')
    })

    const unportable = { 'a Date': new Date(), 'a boolean': true, 'an object': { a: 1 }, undefined: undefined }
    for (const [what, value] of Object.entries(unportable)) {
      test(`refuses ${what} as a bound value and writes nothing`, async () => {
        const store = await openWithAccount()
        await expect(sql`update account set note = ${value}`.execute(store.db)).rejects.toThrow(TypeError)
        await expect(sql`update account set balance = ${1}, note = ${value}`.execute(store.db)).rejects.toThrow(
          TypeError,
        )
        expect(await store.db.selectFrom('account').selectAll().execute()).toEqual([
          { id: 'a', balance: 100, note: null },
        ])
      })
    }

    test('refuses a text with U+0000 as wrong input, in a list as well, and writes nothing', async () => {
      const store = await openWithAccount()
      const refused = { kind: 'validation', details: { reason: expect.any(String) } }
      const { db } = store
      await expect(db.updateTable('account').set({ note: 'a\u0000' }).execute()).rejects.toMatchObject(refused)
      await expect(db.selectFrom('account').selectAll().where('id', '=', '\u0000').execute()).rejects.toMatchObject(
        refused,
      )
      const inTransaction = store.transaction(async (tx) => {
        await tx.updateTable('account').set({ balance: 1 }).execute()
        await tx.selectFrom('account').selectAll().where('id', 'in', ['a', '\u0000']).execute()
      })
      await expect(inTransaction).rejects.toMatchObject(refused)
      expect(await db.selectFrom('account').selectAll().execute()).toEqual([{ id: 'a', balance: 100, note: null }])
    })

    test('tells a taken key from other failures', async () => {
      const store = await openWithAccount()
      const insert = (row: Tables['account']) =>
        store.db
          .insertInto('account')
          .values(row)
          .execute()
          .catch((e: unknown) => e)
      const failures = {
        primary: await insert({ id: 'a', balance: 1, note: null }),
        index: await insert({ id: 'b', balance: 1, note: 'x' }).then(() => insert({ id: 'c', balance: 1, note: 'x' })),
        missing: await insert({ id: 'd', balance: null as unknown as number, note: null }),
        syntax: await sql`selekt`.execute(store.db).catch((e: unknown) => e),
      }
      const told = Object.fromEntries(Object.entries(failures).map(([kind, error]) => [kind, isUniqueViolation(error)]))
      expect(told).toEqual({ primary: true, index: true, missing: false, syntax: false })
      expect(isUniqueViolation('23505')).toBe(false)
    })

    test('closes twice without complaint, and answers no query afterwards', async () => {
      const store = await openWithAccount()
      const second = await store.reopen()
      await Promise.all([second.close(), second.close()])
      await expect(second.db.selectFrom('account').selectAll().execute()).rejects.toThrow()
      expect(await store.db.selectFrom('account').selectAll().execute()).toHaveLength(1)
    })
  })
}

test('a stream left half read on SQLite does not spoil the next statement', async () => {
  const store = await testStores.SQLite<Tables>({ accounts: [createTables] })
  await store.db
    .insertInto('account')
    .values(['a', 'b'].map((id) => ({ id, balance: 1, note: null })))
    .execute()
  const read = store.db.selectFrom('account').selectAll().orderBy('id')
  for await (const row of read.stream()) {
    expect(row.id).toBe('a')
    break
  }
  expect(await read.execute()).toHaveLength(2)
  await store.db.deleteFrom('account').execute()
})

test('a value that names no known database is refused without being repeated', async () => {
  for (const url of ['mysql://root:hunter2@host/db', 'hunter2', '', 'sqlserver:hunter2']) {
    const refused = openStore({ url, service: 'cloud-hub' })
    await expect(refused).rejects.toMatchObject({ name: 'StartupProblem', setting: 'cloud-hub Database:Url' })
    await expect(refused).rejects.not.toThrow(/hunter2/)
  }
})

test('a database in memory belongs to one store alone', async () => {
  const [one, other] = await Promise.all(['a', 'b'].map((service) => openStore({ url: 'sqlite::memory:', service })))
  await sql`create table t (id)`.execute(one!.db)
  await expect(sql`select * from t`.execute(other!.db)).rejects.toThrow('no such table')
  await Promise.all([one!.close(), other!.close()])
})
