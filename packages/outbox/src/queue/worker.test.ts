import { once } from 'node:events'
import { DAY, SECOND } from '@chancela/service-kernel/clock'
import type { Migration } from '@chancela/service-kernel/store'
import { testClock } from '@chancela/testkit/clock'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  type ClaimedJob,
  deadJobs,
  enqueueJob,
  enqueueJobs,
  findJob,
  HopelessJob,
  type JobTables,
  type JobWorker,
  jobCounts,
  jobMigrations,
  LeaseLost,
  startWorker,
  type WorkerOptions,
  type WorkerTrouble,
} from './index.ts'

interface Tables extends JobTables {
  effect: { job_id: string }
}

const createEffect: Migration = {
  id: 1,
  name: 'effect',
  breaking: false,
  up: async (db) => {
    await sql`create table effect (job_id text not null)`.execute(db)
  },
}

interface Numbered {
  readonly n: number
}

/** A gate that blocks handlers until the test opens it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ payload: { n } }))

for (const [name, openStore] of Object.entries(testStores)) {
  describe(`a worker on ${name}`, () => {
    const openQueue = () => openStore<Tables>({ jobs: jobMigrations, effects: [createEffect] })

    /** Starts a worker, stopped at the end of the test; it polls only when woken, so no poll hides a lost wake-up. */
    function start(store: Pick<TestStore<Tables>, 'db' | 'listen'>, options: Partial<WorkerOptions<Numbered>>) {
      const troubles: WorkerTrouble[] = []
      const worker = startWorker<Numbered, Tables>(store as TestStore<Tables>, {
        queue: 'mail',
        instance: 'one',
        clock: testClock('2026-03-02T12:00:00.000Z'),
        retry: { waitSeconds: [] },
        pollSeconds: 3_600,
        handle: async () => undefined,
        onError: (_error, trouble) => troubles.push(trouble),
        ...options,
      })
      onTestFinished(() => worker.stop({ drainSeconds: 0 }))
      return Object.assign(worker, { troubles }) satisfies JobWorker
    }

    const now = new Date('2026-03-02T12:00:00.000Z')

    test('works off what is there and records it as done', async () => {
      const store = await openQueue()
      const ids = await enqueueJobs(store.db, 'mail', numbered(100), now)
      const handled: number[] = []
      const worker = start(store, { handle: async ({ payload }) => void handled.push(payload.n) })
      await worker.idle()
      expect(handled).toEqual(numbered(100).map(({ payload }) => payload.n))
      expect(await findJob(store.db, ids[99]!)).toMatchObject({ state: 'done', attempts: 1, claimed_by: 'one' })
      expect(await jobCounts(store.db, 'mail')).toMatchObject({ waiting: 0, claimed: 0, dead: 0 })
    })

    test('begins a job at once when it is enqueued, from another store as well', async () => {
      const store = await openQueue()
      const other = await store.reopen()
      const begun = Array.from({ length: 3 }, () => gate())
      const worker = start(store, { handle: async ({ payload }) => begun[payload.n]!.open() })
      await worker.idle()
      for (const [n, { opened }] of begun.entries()) {
        await enqueueJob(n % 2 ? store.db : other.db, 'mail', { payload: { n } }, now)
        await opened
      }
    })

    test('begins nothing before the transaction that enqueues it has committed', async () => {
      const store = await openQueue()
      const order: string[] = []
      const begun = gate()
      const worker = start(store, {
        handle: async () => {
          order.push('begun')
          begun.open()
        },
      })
      await worker.idle()
      await store.transaction(async (tx) => {
        await enqueueJob(tx, 'mail', { payload: { n: 1 } }, now)
        order.push('still open')
      })
      await begun.opened
      expect(order).toEqual(['still open', 'begun'])
    })

    test('runs as many at a time as it may, and no more', async () => {
      const store = await openQueue()
      await enqueueJobs(store.db, 'mail', numbered(20), now)
      const allBusy = gate()
      let running = 0
      let most = 0
      const worker = start(store, {
        concurrency: 4,
        handle: async () => {
          running += 1
          most = Math.max(most, running)
          if (running === 4) allBusy.open()
          await allBusy.opened
          running -= 1
        },
      })
      await worker.idle()
      expect(most).toBe(4)
    })

    test('shares 1,000 jobs with nine others so that each job is done exactly once', async () => {
      const store = await openQueue()
      const second = await store.reopen()
      await enqueueJobs(store.db, 'mail', numbered(1_000), now)
      const handled: number[] = []
      const workers = Array.from({ length: 10 }, (_, w) =>
        start(w % 2 ? store : second, {
          instance: `worker ${w}`,
          batch: 10,
          handle: async ({ payload }) => void handled.push(payload.n),
        }),
      )
      await Promise.all(workers.map((worker) => worker.idle()))
      expect(handled.sort((a, b) => a - b)).toEqual(numbered(1_000).map(({ payload }) => payload.n))
      expect(workers.flatMap(({ troubles }) => troubles)).toEqual([])
    })

    test('retries on schedule, and keeps the job with its error when the attempts are used up', async () => {
      const store = await openQueue()
      const clock = testClock(now)
      const id = (await enqueueJob(store.db, 'mail', { payload: { n: 1 } }, now))!
      const attempts: { attempt: number; at: string }[] = []
      const worker = start(store, {
        clock,
        retry: { waitSeconds: [10, 60] },
        handle: async ({ attempt }) => {
          attempts.push({ attempt, at: clock().toISOString() })
          throw new Error('busy line', { cause: new Error('storm') })
        },
      })
      for (const seconds of [0, 9, 1, 59, 1, 86_400]) {
        clock.advance(seconds * SECOND)
        await worker.idle()
      }
      expect(attempts).toEqual([
        { attempt: 1, at: '2026-03-02T12:00:00.000Z' },
        { attempt: 2, at: '2026-03-02T12:00:10.000Z' },
        { attempt: 3, at: '2026-03-02T12:01:10.000Z' },
      ])
      expect(await deadJobs(store.db, 'mail', 1)).toMatchObject([
        { id, attempts: 3, last_error: 'Error: busy line; because Error: storm' },
      ])
      expect(worker.troubles.map(({ kind }) => kind)).toEqual(['retried', 'retried', 'dead'])
    })

    test('comes back by itself when a retry falls due', async () => {
      const store = await openQueue()
      const done = gate()
      await enqueueJob(store.db, 'mail', { payload: { n: 1 } }, new Date())
      start(store, {
        clock: () => new Date(),
        retry: { waitSeconds: [0.05] },
        handle: async ({ attempt }) => {
          if (attempt === 1) throw new Error('once')
          done.open()
        },
      })
      await done.opened
    })

    test('gives up at once on a job its handler calls hopeless, and on a handler that throws before it begins', async () => {
      const store = await openQueue()
      await enqueueJobs(store.db, 'mail', numbered(2), now)
      const worker = start(store, {
        retry: { waitSeconds: [1, 1, 1] },
        handle: ({ payload }) => {
          if (payload.n === 0) throw new HopelessJob('gone for good')
          throw new Error('not even a promise')
        },
      })
      await worker.idle()
      expect(await deadJobs(store.db, 'mail', 10)).toMatchObject([
        { last_error: 'HopelessJob: gone for good', attempts: 1 },
      ])
      expect(await jobCounts(store.db, 'mail')).toMatchObject({ waiting: 1, claimed: 0 })
    })

    test('makes an end of a job that ended every worker that held it', async () => {
      const store = await openQueue()
      const id = (await enqueueJob(store.db, 'mail', { payload: { n: 1 } }, now))!
      await store.db.updateTable('durable_job').set({ attempts: 2 }).execute()
      const handled = vi.fn(async () => undefined)
      const worker = start(store, { retry: { waitSeconds: [1] }, handle: handled })
      await worker.idle()
      expect(handled).not.toHaveBeenCalled()
      expect(await findJob(store.db, id)).toMatchObject({ state: 'dead', attempts: 3 })
    })

    test('records nothing for a job whose lease it lost; the new holder does', async () => {
      const store = await openQueue()
      const clock = testClock(now)
      const id = (await enqueueJob(store.db, 'mail', { payload: { n: 1 } }, now))!
      const [slowBegun, slowMayEnd] = [gate(), gate()]
      const slow = start(store, {
        clock,
        retry: { waitSeconds: [1] },
        instance: 'slow',
        concurrency: 1,
        batch: 1,
        handle: async () => {
          slowBegun.open()
          await slowMayEnd.opened
        },
      })
      await slowBegun.opened
      clock.advance(61 * SECOND)
      const [heirBegun, heirMayEnd] = [gate(), gate()]
      const heir = start(store, {
        clock,
        retry: { waitSeconds: [1] },
        instance: 'heir',
        handle: async () => {
          heirBegun.open()
          await heirMayEnd.opened
        },
      })
      await heirBegun.opened
      slowMayEnd.open()
      await slow.idle()
      expect(slow.troubles.map(({ kind }) => kind)).toEqual(['lease-lost'])
      expect(await findJob(store.db, id)).toMatchObject({ state: 'claimed', claimed_by: 'heir' })
      heirMayEnd.open()
      await heir.idle()
      expect(heir.troubles).toEqual([])
      expect(await findJob(store.db, id)).toMatchObject({ state: 'done', claimed_by: 'heir', attempts: 2 })
    })

    test('breaks off an attempt of its own whose job it had to claim again', async () => {
      const store = await openQueue()
      const clock = testClock(now)
      const id = (await enqueueJob(store.db, 'mail', { payload: { n: 1 } }, now))!
      const begun = gate()
      const reasons: unknown[] = []
      const worker = start(store, {
        clock,
        retry: { waitSeconds: [1] },
        handle: async ({ attempt }, { signal }) => {
          if (attempt === 2) return
          begun.open()
          await once(signal, 'abort')
          reasons.push(signal.reason)
        },
      })
      await begun.opened
      clock.advance(61 * SECOND)
      await worker.idle()
      expect(reasons).toEqual([expect.any(LeaseLost)])
      expect(await findJob(store.db, id)).toMatchObject({ state: 'done', attempts: 2 })
      expect(worker.troubles.map(({ kind }) => kind)).toEqual(['lease-lost'])
    })

    test('extends the lease while a handler runs', async () => {
      const store = await openQueue()
      const clock = testClock(now)
      const id = (await enqueueJob(store.db, 'mail', { payload: { n: 1 } }, now))!
      const [begun, mayEnd] = [gate(), gate()]
      const worker = start(store, {
        clock,
        leaseSeconds: 0.3,
        handle: async () => {
          begun.open()
          await mayEnd.opened
        },
      })
      await begun.opened
      clock.advance(250)
      await vi.waitFor(async () => {
        expect(await findJob(store.db, id)).toMatchObject({ due_at: '2026-03-02T12:00:00.550Z', claimed_by: 'one' })
      })
      mayEnd.open()
      await worker.idle()
      expect(worker.troubles).toEqual([])
    })

    test('aborts the signal of a handler whose lease was lost', async () => {
      const store = await openQueue()
      await enqueueJob(store.db, 'mail', { payload: { n: 1 } }, now)
      const begun = gate()
      const reasons: unknown[] = []
      const worker = start(store, {
        leaseSeconds: 0.3,
        handle: (_job, { signal }) =>
          new Promise((_resolve, reject) => {
            begun.open()
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason)
              reject(signal.reason)
            })
          }),
      })
      await begun.opened
      await store.db.updateTable('durable_job').set({ claim_token: 'another', claimed_by: 'another' }).execute()
      await worker.idle()
      expect(reasons).toEqual([expect.any(LeaseLost)])
      expect(worker.troubles.map(({ kind }) => kind)).toEqual(['lease-lost'])
    })

    test('completes a job and its effect in one transaction, or neither', async () => {
      const store = await openQueue()
      const clock = testClock(now)
      const [id] = await enqueueJobs(store.db, 'mail', numbered(1), now)
      const worker = start(store, {
        clock,
        retry: { waitSeconds: [10] },
        handle: ({ id: job_id, attempt }, { complete }) =>
          store.transaction(async (tx) => {
            await tx.insertInto('effect').values({ job_id }).execute()
            await complete(tx)
            if (attempt === 1) throw new Error('after all')
          }),
      })
      await worker.idle()
      expect(await store.db.selectFrom('effect').selectAll().execute()).toEqual([])
      clock.advance(10 * SECOND)
      await worker.idle()
      expect(await store.db.selectFrom('effect').selectAll().execute()).toEqual([{ job_id: id }])
      expect(await findJob(store.db, id!)).toMatchObject({ state: 'done', attempts: 2 })
    })

    test('rolls the effect back when the lease was lost before the commit', async () => {
      const store = await openQueue()
      await enqueueJobs(store.db, 'mail', numbered(1), now)
      const worker = start(store, {
        handle: ({ id: job_id }, { complete }) =>
          store.transaction(async (tx) => {
            await tx.updateTable('durable_job').set({ claim_token: 'another' }).execute()
            await tx.insertInto('effect').values({ job_id }).execute()
            await complete(tx)
          }),
      })
      await worker.idle()
      expect(await store.db.selectFrom('effect').selectAll().execute()).toEqual([])
      expect(await deadJobs(store.db, 'mail', 1)).toMatchObject([{ last_error: expect.stringContaining('LeaseLost') }])
    })

    test('drains on stop: ends what it began, gives back what it did not begin', async () => {
      const store = await openQueue()
      await enqueueJobs(store.db, 'mail', numbered(10), now)
      const [bothBegun, mayEnd] = [gate(), gate()]
      const begun: ClaimedJob[] = []
      const worker = start(store, {
        concurrency: 2,
        batch: 6,
        handle: async (job) => {
          if (begun.push(job) === 2) bothBegun.open()
          await mayEnd.opened
        },
      })
      await bothBegun.opened
      const stopped = worker.stop()
      const other = start(store, { instance: 'two' })
      await vi.waitFor(async () => {
        await other.idle()
        expect(await jobCounts(store.db, 'mail')).toMatchObject({ waiting: 0, claimed: 2 })
      })
      mayEnd.open()
      await stopped
      expect(begun).toHaveLength(2)
      expect(await findJob(store.db, begun[1]!.id)).toMatchObject({ state: 'done', claimed_by: 'one', attempts: 1 })
      const settled = await store.db.selectFrom('durable_job').select(['state', 'attempts']).distinct().execute()
      expect(settled).toEqual([{ state: 'done', attempts: 1 }])
    })

    test('breaks off on stop when the time is up, and gives the job back as if never begun', async () => {
      const store = await openQueue()
      const id = (await enqueueJob(store.db, 'mail', { payload: { n: 1 } }, now))!
      const begun = gate()
      const worker = start(store, {
        handle: (_job, { signal }) =>
          new Promise((_resolve, reject) => {
            begun.open()
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
      })
      await begun.opened
      await worker.stop({ drainSeconds: 0 })
      expect(await findJob(store.db, id)).toMatchObject({ state: 'waiting', attempts: 0, last_error: null })
      expect(worker.troubles).toEqual([])
    })

    test('claims nothing after it was stopped', async () => {
      const store = await openQueue()
      const handled = vi.fn(async () => undefined)
      const worker = start(store, { handle: handled })
      await worker.idle()
      await worker.stop()
      await enqueueJob(store.db, 'mail', { payload: { n: 1 } }, now)
      await worker.idle()
      expect(handled).not.toHaveBeenCalled()
      expect(await jobCounts(store.db, 'mail')).toMatchObject({ waiting: 1 })
    })

    test('deletes done jobs after the time they are kept', async () => {
      const store = await openQueue()
      const clock = testClock(now)
      await enqueueJobs(store.db, 'mail', numbered(3), now)
      const worker = start(store, { clock, keepDoneSeconds: DAY / SECOND })
      await worker.idle()
      expect(await store.db.selectFrom('durable_job').selectAll().execute()).toHaveLength(3)
      clock.advance(DAY + SECOND)
      await worker.idle()
      expect(await store.db.selectFrom('durable_job').selectAll().execute()).toEqual([])
    })
  })
}

test('a worker on PostgreSQL survives the loss of all its connections', async () => {
  const store = await testStores.PostgreSQL<Tables>({ jobs: jobMigrations })
  const killer = await store.reopen()
  const handled: number[] = []
  const worker = startWorker<Numbered, Tables>(store, {
    queue: 'mail',
    instance: 'one',
    clock: () => new Date(),
    retry: { waitSeconds: [0, 0, 0] },
    handle: async ({ payload }) => {
      if (payload.n === 5) await killConnections(killer)
      handled.push(payload.n)
    },
    onError: () => undefined,
  })
  onTestFinished(() => worker.stop())
  await enqueueJobs(killer.db, 'mail', numbered(20), new Date())
  await vi.waitFor(async () => expect(await jobCounts(killer.db, 'mail')).toMatchObject({ waiting: 0, claimed: 0 }))
  await enqueueJob(killer.db, 'mail', { payload: { n: 20 } }, new Date())
  await vi.waitFor(() => expect(new Set(handled).size).toBe(21))
})

const killConnections = ({ db }: { db: TestStore<Tables>['db'] }) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
