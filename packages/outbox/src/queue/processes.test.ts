import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { DAY, systemClock } from '@chancela/service-kernel/clock'
import type { Migration } from '@chancela/service-kernel/store'
import { testClock } from '@chancela/testkit/clock'
import { nextLine, type Program, program } from '@chancela/testkit/programs'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { enqueueJobs, type JobTables, jobMigrations, startWorker } from './index.ts'

interface Tables extends JobTables {
  effect: { job_id: string; done_by: string }
}

const createEffect: Migration = {
  id: 1,
  name: 'effect',
  breaking: false,
  up: async (db) => {
    await sql`create table effect (job_id text not null, done_by text not null)`.execute(db)
  },
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ payload: { n } }))

/** A program that runs the module text with the store of the test open as `store`. */
const storeProgram = (moduleText: string): Program =>
  program(
    import.meta.url,
    `import { openStore } from '@chancela/service-kernel/store'
     import { claimJobs, completeJobs, enqueueJobs, startWorker } from '@chancela/outbox/queue'
     const store = await openStore({ url: process.env.STORE_URL, service: process.env.STORE_SERVICE })
     ${moduleText}`,
  )

const placeOf = ({ url, service }: TestStore<Tables>) => ({ STORE_URL: url, STORE_SERVICE: service })

async function killHard(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Works as `node-a` on jobs that never end. */
const endlessWorker = storeProgram(
  `let begun = 0
   startWorker(store, {
     queue: 'mail', instance: 'node-a', concurrency: 5, batch: 20, clock: () => new Date(), retry: { waitSeconds: [1] },
     handle: () => new Promise(() => { if (++begun === 5) console.log('five begun') }),
     onError: (error) => console.error(error),
   })`,
)

/** Claims all due jobs, and prints them. */
const claimer = storeProgram(
  `const ids = []
   const claim = { queue: 'mail', instance: process.env.INSTANCE, limit: 5, leaseSeconds: 600 }
   for (let empty = 0; empty < 3; ) {
     const jobs = await claimJobs(store.db, claim, new Date())
     ids.push(...jobs.map(({ id }) => id))
     empty = jobs.length === 0 ? empty + 1 : 0
   }
   console.log(JSON.stringify(ids))
   await store.close()`,
)

const enqueuer = storeProgram(
  `await enqueueJobs(store.db, 'mail', [{ payload: 'from afar' }], new Date())
   await store.close()`,
)

for (const [name, open] of Object.entries(testStores)) {
  const openQueue = () => open<Tables>({ jobs: jobMigrations, effects: [createEffect] })

  /** A process that claims 20 of 100 jobs as `node-a`, starts some of them, and is killed before any ends. */
  const openAfterCrash = async () => {
    const store = await openQueue()
    await enqueueJobs(store.db, 'mail', numbered(100), new Date())
    const child = await endlessWorker(placeOf(store))
    expect(await nextLine(child)).toBe('five begun')
    await killHard(child)
    return store
  }

  /** Works off everything, with each job's effect and its completion in one transaction. */
  const workOff = async (store: TestStore<Tables>, instance: string, clock = systemClock) => {
    const troubles: unknown[] = []
    const worker = startWorker<unknown, Tables>(store, {
      queue: 'mail',
      instance,
      clock,
      retry: { waitSeconds: [1] },
      handle: ({ id: job_id }, { complete }) =>
        store.transaction(async (tx) => {
          await tx.insertInto('effect').values({ job_id, done_by: instance }).execute()
          await complete(tx)
        }),
      onError: (error) => troubles.push(error),
    })
    await worker.idle()
    await worker.stop()
    expect(troubles).toEqual([])
  }

  const attemptsOfDone = async ({ db }: TestStore<Tables>) => {
    const rows = await db.selectFrom('durable_job').select('attempts').where('state', '=', 'done').execute()
    const count = (attempts: number) => rows.filter((row) => row.attempts === attempts).length
    return { once: count(1), twice: count(2) }
  }

  const effects = async ({ db }: TestStore<Tables>) => {
    const rows = await db.selectFrom('effect').select('job_id').execute()
    return { all: rows.length, distinct: new Set(rows.map((row) => row.job_id)).size }
  }

  describe(`several processes on ${name}`, () => {
    test('what a killed process held is finished by the same instance as soon as it is back', async () => {
      const store = await openAfterCrash()
      await workOff(store, 'node-a')
      expect(await effects(store)).toEqual({ all: 100, distinct: 100 })
      expect(await attemptsOfDone(store)).toEqual({ once: 80, twice: 20 })
    })

    test('what a killed process held is finished by another instance once the leases have run out', async () => {
      const store = await openAfterCrash()
      const clock = testClock(new Date())
      await workOff(store, 'node-b', clock)
      expect(await effects(store)).toEqual({ all: 80, distinct: 80 })
      clock.advance(DAY)
      await workOff(store, 'node-b', clock)
      expect(await effects(store)).toEqual({ all: 100, distinct: 100 })
      expect(await attemptsOfDone(store)).toEqual({ once: 80, twice: 20 })
    })

    test('three processes claim 600 jobs, each exactly once', async () => {
      const store = await openQueue()
      await enqueueJobs(store.db, 'mail', numbered(600), new Date())
      const claimers = await Promise.all(['a', 'b', 'c'].map((INSTANCE) => claimer({ ...placeOf(store), INSTANCE })))
      const claimed = (await Promise.all(claimers.map(nextLine))).flatMap((line) => JSON.parse(line) as string[])
      expect(claimed).toHaveLength(600)
      expect(new Set(claimed).size).toBe(600)
    })
  })
}

test('on PostgreSQL a job enqueued by one process is begun by another without a poll', async () => {
  const store = await testStores.PostgreSQL<Tables>({ jobs: jobMigrations })
  const handled = new Promise<unknown>((resolve) => {
    const worker = startWorker(store, {
      queue: 'mail',
      instance: 'listener',
      clock: systemClock,
      retry: { waitSeconds: [] },
      pollSeconds: 3_600,
      handle: async ({ payload }) => resolve(payload),
      onError: resolve,
    })
    onTestFinished(() => worker.stop())
  })
  await enqueuer(placeOf(store))
  expect(await handled).toBe('from afar')
})
