import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConnectionLock } from './connection-lock.ts'

test('users come in the order they asked, one at a time', async () => {
  const lock = new ConnectionLock()
  const order: number[] = []
  let inside = 0
  await Promise.all(
    [1, 2, 3, 4].map(async (who) => {
      await lock.take()
      inside += 1
      expect(inside).toBe(1)
      await Promise.resolve()
      order.push(who)
      inside -= 1
      lock.release()
    }),
  )
  expect(order).toEqual([1, 2, 3, 4])
})

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('a query on the store inside its own transaction is refused instead of waiting for itself for ever', async () => {
  const store = await testStores.SQLite({})
  const stuck = store.transaction(async () => {
    const waiting = sql`select 1`.execute(store.db)
    const told = expect(waiting).rejects.toThrow('inside one, query with `tx` only')
    await vi.advanceTimersByTimeAsync(30_000)
    await told
  })
  await stuck
  expect((await sql`select 1 as one`.execute(store.db)).rows).toEqual([{ one: 1 }])
})
