import { testStores } from '@chancela/testkit/stores'
import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { sharingTransactions } from './shared-transactions.ts'
import type { Store } from './store.ts'

interface Tables {
  word: { id: number; text: string }
}

const schema = {
  words: [
    {
      id: 1,
      name: 'words',
      breaking: false,
      up: async (db: Kysely<unknown>) => {
        await sql`create table word (id integer primary key, text text not null)`.execute(db)
      },
    },
  ],
}

for (const [database, open] of Object.entries(testStores)) {
  describe(`transactions that are shared on ${database}`, () => {
    const write = (store: Store<Tables>, id: number, text = 'word') =>
      store.transaction(async (tx) => {
        await tx.insertInto('word').values({ id, text }).execute()
        if (text === 'wrong') throw new Error(`${id} is wrong`)
        return id
      })

    const idsIn = async (store: Store<Tables>) =>
      (await store.db.selectFrom('word').select('id').orderBy('id').execute()).map(({ id }) => id)

    test('everybody gets his own result, and finds it written', async () => {
      const store = sharingTransactions(await open<Tables>(schema))
      const numbers = Array.from({ length: 100 }, (_, n) => n)
      expect(await Promise.all(numbers.map((id) => write(store, id)))).toEqual(numbers)
      expect(await idsIn(store)).toEqual(numbers)
    })

    test('work that throws is undone, and nothing else with it', async () => {
      const store = sharingTransactions(await open<Tables>(schema))
      const outcomes = await Promise.allSettled([write(store, 1), write(store, 2, 'wrong'), write(store, 3)])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(outcomes[1]).toMatchObject({ reason: { message: '2 is wrong' } })
      expect(await idsIn(store)).toEqual([1, 3])
    })

    test('what the database refuses is refused to whoever wrote it', async () => {
      const store = sharingTransactions(await open<Tables>(schema))
      await write(store, 1)
      const outcomes = await Promise.allSettled([write(store, 2), write(store, 1), write(store, 3)])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
      expect(await idsIn(store)).toEqual([1, 2, 3])
    })
  })
}

test('on SQLite what comes at once is written at once', async () => {
  const plain = await testStores.SQLite<Tables>(schema)
  let transactions = 0
  const store = sharingTransactions({
    ...plain,
    transaction: (work) => {
      transactions += 1
      return plain.transaction(work)
    },
  } as typeof plain)
  const numbers = Array.from({ length: 32 }, (_, n) => n)
  await Promise.all(
    numbers.map((id) => store.transaction((tx) => tx.insertInto('word').values({ id, text: '' }).execute())),
  )
  expect(transactions).toBe(1)
})

// A page limit makes SQLite fail as on a full disk, with the same code and the same consequences.
test('on SQLite a full disk is the reason that everybody is told, and nothing of them is written', async () => {
  const plain = await testStores.SQLite<Tables>(schema)
  const store = sharingTransactions(plain)
  const pages = await sql<{ page_count: number }>`pragma page_count`.execute(plain.db)
  await sql`pragma max_page_count = ${sql.lit(pages.rows[0]!.page_count)}`.execute(plain.db)
  await sql`pragma cache_size = 1`.execute(plain.db)
  const write = (id: number, length: number) =>
    store.transaction((tx) =>
      tx
        .insertInto('word')
        .values({ id, text: 'x'.repeat(length) })
        .execute(),
    )
  const outcomes = await Promise.allSettled([write(1, 10), write(2, 100_000), write(3, 10)])
  for (const outcome of outcomes.filter(({ status }) => status === 'rejected'))
    expect(plain.problem((outcome as PromiseRejectedResult).reason)?.message).toContain('is full')
  expect(outcomes[1]!.status).toBe('rejected')
  const kept = outcomes.flatMap(({ status }, at) => (status === 'fulfilled' ? [at + 1] : []))
  expect((await plain.db.selectFrom('word').select('id').execute()).map(({ id }) => id)).toEqual(kept)
  await sql`pragma max_page_count = 100000`.execute(plain.db)
  await write(4, 100_000)
})
