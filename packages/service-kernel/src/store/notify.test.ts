import { setImmediate as nextTurn } from 'node:timers/promises'
import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'

/** Resolves on the next wake-up, however long it takes; the test's timeout catches one that never comes. */
const nextWake = (listen: (wake: () => void) => unknown) => new Promise<void>((resolve) => listen(resolve))

for (const [name, open] of Object.entries(testStores)) {
  /** A store that listens already: PostgreSQL's first wake-up means that it is connected. */
  const openListening = async () => {
    const store = await open({})
    const ready = store.dialect === 'sqlite' ? Promise.resolve() : nextWake((wake) => store.listen('warm-up', wake))
    await ready
    return store
  }

  /** Long enough for a wake-up to arrive if one was sent: PostgreSQL delivers in order, SQLite in a loop turn. */
  const aWakeUpOf = async (store: Awaited<ReturnType<typeof openListening>>) => {
    if (store.dialect === 'sqlite') return nextTurn()
    const other = await store.reopen()
    const bell = nextWake((wake) => store.listen('bell', wake))
    await other.notify(other.db, 'bell')
    await bell
  }

  describe(`wake-ups on ${name}`, () => {
    test('reach a listener of the same store and of another store on the same database', async () => {
      const store = await openListening()
      const other = await store.reopen()
      const woken = Promise.all([
        nextWake((wake) => store.listen('door', wake)),
        nextWake((wake) => other.listen('door', wake)),
      ])
      await store.notify(store.db, 'door')
      await woken
    })

    test('reach nobody on another channel, nor in another service', async () => {
      const store = await openListening()
      const stranger = await openListening()
      const heard: string[] = []
      store.listen('window', () => heard.push('window'))
      stranger.listen('door', () => heard.push('stranger'))
      const door = nextWake((wake) => store.listen('door', wake))
      await store.notify(store.db, 'door')
      await door
      const last = nextWake((wake) => stranger.listen('last', wake))
      await stranger.notify(stranger.db, 'last')
      await last
      expect(heard).toEqual([])
    })

    test('wait for the commit', async () => {
      const store = await openListening()
      const heard: string[] = []
      const door = nextWake((wake) => store.listen('door', wake)).then(() => heard.push('door'))
      await store.transaction(async (tx) => {
        await store.notify(tx, 'door')
        await aWakeUpOf(store)
        heard.push('end of the transaction')
      })
      await door
      expect(heard).toEqual(['end of the transaction', 'door'])
    })

    test('are dropped with a transaction that rolls back', async () => {
      const store = await openListening()
      const heard: string[] = []
      store.listen('door', () => heard.push('door'))
      await store
        .transaction((tx) => store.notify(tx, 'door').then(() => Promise.reject(new Error('no'))))
        .catch(() => 0)
      const bell = nextWake((wake) => store.listen('bell', wake))
      await store.notify(store.db, 'bell')
      await bell
      expect(heard).toEqual([])
    })

    test('stop when asked, and with the store', async () => {
      const store = await openListening()
      const other = await store.reopen()
      const heard: string[] = []
      const stop = store.listen('door', () => heard.push('stopped'))
      other.listen('door', () => heard.push('closed'))
      stop()
      await other.close()
      const door = nextWake((wake) => store.listen('door', wake))
      await store.notify(store.db, 'door')
      await door
      expect(heard).toEqual([])
    })
  })
}

describe('wake-ups on PostgreSQL', () => {
  test('come back after the connection was lost, and then wake everyone once', async () => {
    const store = await testStores.PostgreSQL({})
    const wakes = vi.fn<() => void>()
    store.listen('door', wakes)
    await vi.waitFor(() => expect(wakes).toHaveBeenCalledTimes(1))
    const lost = await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%'`.execute(store.db)
    expect(lost.rows).toHaveLength(1)
    await vi.waitFor(() => expect(wakes).toHaveBeenCalledTimes(2))
    await store.notify(store.db, 'door')
    await vi.waitFor(() => expect(wakes).toHaveBeenCalledTimes(3))
  })
})
