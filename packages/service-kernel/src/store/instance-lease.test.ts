import { testStores } from '@chancela/testkit/stores'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '../http/index.ts'
import { type InstanceLease, instanceLeaseMigrations, type LeaseTimes, type Store, takeInstanceLease } from './index.ts'

interface Tables {
  instance_lease: {
    id: number
    holder: string
    beat: number
    host: string
    space: string | null
    pid: number
    process_started: string | null
  }
}

const logger = createLogger({ service: 'lease-test', level: 'silent' })

/** Nobody is taken for dead, however slow this machine is. */
const lasting: LeaseTimes = { beat: 20, lease: 600_000, look: 10 }
/** Whoever stands still is dead soon. */
const short: LeaseTimes = { beat: 20, lease: 100, look: 10 }

async function take(store: Store<Tables>, times: LeaseTimes, onLost = vi.fn()): Promise<InstanceLease> {
  const lease = await takeInstanceLease(store, { logger, onLost, times })
  onTestFinished(() => lease.release())
  return lease
}

const row = (store: Store<Tables>) => store.db.selectFrom('instance_lease').selectAll().executeTakeFirstOrThrow()

/** A process on another machine, which this one cannot ask the system about. */
const stranger = { id: 1, holder: 'stranger', beat: 7, host: 'elsewhere', space: 'elsewhere', pid: 1 }

for (const [name, open] of Object.entries(testStores)) {
  describe(`the lease of a store on ${name}`, () => {
    const fresh = () => open<Tables>({ 'instance-lease': instanceLeaseMigrations })

    test('is refused to a second process of this machine at once, and free once it is given back', async () => {
      const store = await fresh()
      const first = await takeInstanceLease(store, { logger, onLost: vi.fn() })
      await expect(take(await store.reopen(), lasting)).rejects.toMatchObject({
        name: 'StartupProblem',
        setting: `${store.service} Database:Url`,
      })
      expect(first.isHeld()).toBe(true)
      await first.release()
      expect(await take(store, lasting)).toMatchObject({ isAlone: true })
    })

    test('of a process of this machine that is gone is taken at once', async () => {
      const store = await fresh()
      await take(store, lasting)
      await store.db.updateTable('instance_lease').set({ holder: 'gone', process_started: '1' }).execute()
      const lease = await take(await store.reopen(), lasting)
      expect([lease.isHeld(), lease.isAlone]).toEqual([true, true])
    })

    test('of another machine is refused as soon as it counts', async () => {
      const store = await fresh()
      await take(store, lasting)
      await store.db.updateTable('instance_lease').set({ space: 'elsewhere' }).execute()
      await expect(take(await store.reopen(), lasting)).rejects.toMatchObject({ name: 'StartupProblem' })
    })

    test('of another machine that counts no more is taken over, and it may only be frozen', async () => {
      const store = await fresh()
      await store.db
        .insertInto('instance_lease')
        .values({ ...stranger, process_started: null })
        .execute()
      expect(await take(store, short)).toMatchObject({ isAlone: false })
      expect((await row(store)).holder).not.toBe('stranger')
    })

    test('of another machine that counts no more goes to one of two that wait', async () => {
      const store = await fresh()
      await store.db
        .insertInto('instance_lease')
        .values({ ...stranger, process_started: null })
        .execute()
      const both = await Promise.allSettled([take(store, short), take(await store.reopen(), short)])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    })

    test('that another has taken is lost: its holder is told once and does not take it back', async () => {
      const store = await fresh()
      const onLost = vi.fn()
      const lease = await take(store, lasting, onLost)
      await store.db.updateTable('instance_lease').set({ holder: 'stranger' }).execute()
      await expect.poll(() => onLost.mock.calls.length).toBe(1)
      expect(lease.isHeld()).toBe(false)
      await lease.release()
      expect((await row(store)).holder).toBe('stranger')
    })

    test('is not held for sure after a pause as long as it lasts', async () => {
      const lease = await take(await fresh(), { ...short, beat: 600_000 })
      await expect.poll(() => lease.isHeld()).toBe(false)
    })
  })
}
