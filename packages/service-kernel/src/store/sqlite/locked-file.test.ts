// A file that another process has locked, as a backup tool or an operator's console may: a real second process.
import { nextLine, program } from '@chancela/testkit/programs'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { passingTrouble } from '../../errors/index.ts'
import { type Migration, runStatement, sharingTransactions } from '../index.ts'

interface Tables {
  counter: { value: number }
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

const locker = program(
  import.meta.url,
  `import { openStore } from '@chancela/service-kernel/store'
   const store = await openStore({ url: process.env.STORE_URL, service: process.env.STORE_SERVICE })
   await store.transaction(async () => {
     console.log('locked')
     await new Promise((resolve) => setTimeout(resolve, 600_000))
   })`,
)

/** A store whose file another process has locked, until it is killed. */
async function lockedStore() {
  const store = await testStores.SQLite<Tables>({ counters: [createCounter] })
  const process = await locker({ STORE_URL: store.url, STORE_SERVICE: store.service })
  expect(await nextLine(process)).toBe('locked')
  return { store, unlock: () => void process.kill('SIGKILL') }
}

const add = (db: TestStore<Tables>['db']) =>
  db
    .updateTable('counter')
    .set((row) => ({ value: row('value', '+', 1) }))
    .execute()

const valueIn = async ({ db }: Pick<TestStore<Tables>, 'db'>) =>
  (await db.selectFrom('counter').select('value').executeTakeFirstOrThrow()).value

/** The ways to write; each is done once. */
const writes = (store: TestStore<Tables>): readonly Promise<unknown>[] => [
  add(store.db),
  store.transaction((tx) => add(tx)),
  sharingTransactions(store).transaction((tx) => add(tx)),
  runStatement(store.db, 'update counter set value = value + 1', []),
]

const ALL = 4

test('writes to a locked file wait, reads and other work do not, and the writes are done once it is free', async () => {
  const { store, unlock } = await lockedStore()
  const done: string[] = []
  const writing = Promise.all(writes(store)).then(() => done.push('write'))
  expect(await valueIn(store)).toBe(0)
  // The first tries of all are over by then: had they waited in the thread, they would have ended.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(await valueIn(store)).toBe(0)
  done.push('read')
  unlock()
  await writing
  expect(done).toEqual(['read', 'write'])
  expect(await valueIn(store)).toBe(ALL)
})

test('writes to a file that stays locked are refused as busy, and nothing of them is done', async () => {
  const { store, unlock } = await lockedStore()
  const outcomes = await Promise.allSettled(writes(store))
  for (const outcome of outcomes)
    expect(passingTrouble(outcome.status === 'rejected' ? outcome.reason : undefined)).toBe('store-busy')
  unlock()
  await Promise.all(writes(store))
  expect(await valueIn(store)).toBe(ALL)
})

test('closing waits for writes that wait for the lock', async () => {
  const { store, unlock } = await lockedStore()
  const writing = Promise.all(writes(store))
  await valueIn(store)
  const again = await store.reopen()
  const closed = store.close()
  unlock()
  await Promise.all([writing, closed])
  expect(await valueIn(again)).toBe(ALL)
})
