import { plus, SECOND } from '@chancela/service-kernel/clock'
import type { Store } from '@chancela/service-kernel/store'
import { testStores } from '@chancela/testkit/stores'
import { describe, expect, test } from 'vitest'
import {
  claimJobs,
  completeJobs,
  deadJobs,
  deleteDone,
  enqueueJob,
  enqueueJobs,
  extendLeases,
  failJob,
  findJob,
  type JobTables,
  jobCounts,
  jobMigrations,
  type NewJob,
  nextDue,
  releaseAbandoned,
  releaseJobs,
  retryDead,
} from './index.ts'

const noon = new Date('2026-03-02T12:00:00.000Z')
const later = (seconds: number) => plus(noon, seconds * SECOND)

const numbered = (count: number): NewJob[] => Array.from({ length: count }, (_, n) => ({ payload: { n } }))

for (const [name, open] of Object.entries(testStores)) {
  const openQueue = () => open<JobTables>({ jobs: jobMigrations })
  const claim = (store: Store<JobTables>, limit = 1, now = noon, instance = 'one') =>
    claimJobs<{ n: number }, JobTables>(store.db, { queue: 'mail', instance, limit, leaseSeconds: 60 }, now)
  const claimOne = async (...args: Parameters<typeof claim>) => (await claim(...args))[0]!

  describe(`enqueueing on ${name}`, () => {
    test('keeps every payload as it was, in the order given', async () => {
      const { db } = await openQueue()
      const payloads = [{ text: 'ação "and" \\ 日本 \u0000 \ud800?' }, [1, null, true], 'plain', 0, null]
      const ids = await enqueueJobs(
        db,
        'mail',
        payloads.map((payload) => ({ payload })),
        noon,
      )
      const jobs = await claimJobs(db, { queue: 'mail', instance: 'one', limit: 10, leaseSeconds: 60 }, noon)
      expect(jobs.map(({ payload }) => payload)).toEqual(payloads)
      expect(jobs.map(({ id }) => id)).toEqual(ids)
      expect(jobs[0]).toMatchObject({ queue: 'mail', attempt: 1, createdAt: noon })
    })

    test('adds a thousand jobs in one statement', async () => {
      const store = await openQueue()
      const ids = await enqueueJobs(store.db, 'mail', numbered(1_000), noon)
      expect(new Set(ids).size).toBe(1_000)
      expect(await jobCounts(store.db, 'mail')).toEqual({ waiting: 1_000, claimed: 0, dead: 0, oldestDueAt: noon })
    })

    test('adds nothing for nothing, and refuses a payload JSON cannot hold', async () => {
      const store = await openQueue()
      expect(await enqueueJobs(store.db, 'mail', [], noon)).toEqual([])
      await expect(enqueueJob(store.db, 'mail', { payload: undefined }, noon)).rejects.toThrow(TypeError)
      expect(await claim(store, 10)).toEqual([])
    })

    test('leaves nothing and wakes nobody when its transaction rolls back', async () => {
      const store = await openQueue()
      const heard: string[] = []
      const listen = (queue: string) =>
        new Promise<void>((resolve) => {
          store.listen(`durable_job ${queue}`, () => {
            heard.push(queue)
            resolve()
          })
        })
      const listening = listen('warm-up')
      await store.notify(store.db, 'durable_job warm-up')
      await listening
      void listen('mail')
      const undone = store.transaction(async (tx) => {
        await enqueueJobs(tx, 'mail', numbered(3), noon)
        throw new Error('no')
      })
      await expect(undone).rejects.toThrow('no')
      const bell = listen('bell')
      await enqueueJob(store.db, 'bell', { payload: 1 }, noon)
      await bell
      expect(heard).not.toContain('mail')
      expect(await claim(store, 10)).toEqual([])
    })

    test('adds no second job with the key of an unfinished one, and a new one once that is finished', async () => {
      const store = await openQueue()
      const keyed = () => enqueueJob(store.db, 'mail', { payload: { n: 1 }, dedupeKey: 'invoice-7' }, noon)
      const first = await keyed()
      expect(first).toBeTypeOf('string')
      expect(await keyed()).toBeUndefined()
      const job = await claimOne(store)
      expect(await keyed()).toBeUndefined()
      await completeJobs(store.db, [job], noon)
      expect(await keyed()).toBeTypeOf('string')
      expect(await enqueueJob(store.db, 'post', { payload: 1, dedupeKey: 'invoice-7' }, noon)).toBeTypeOf('string')
    })

    test('tells which of many jobs were added', async () => {
      const store = await openQueue()
      const keys = ['a', 'b', 'a', undefined, undefined]
      const jobs = keys.map((dedupeKey) => ({ payload: {}, ...(dedupeKey && { dedupeKey }) }))
      const added = await enqueueJobs(store.db, 'mail', jobs, noon)
      expect(added.map((id) => id !== undefined)).toEqual([true, true, false, true, true])
      expect(await claim(store, 10)).toHaveLength(4)
    })

    test('adds one job when ten ask at once with the same key', async () => {
      const store = await openQueue()
      const second = await store.reopen()
      const keyed = (_: unknown, n: number) =>
        enqueueJob(n % 2 ? store.db : second.db, 'mail', { payload: { n }, dedupeKey: 'k' }, noon)
      const ids = await Promise.all(Array.from({ length: 10 }, keyed))
      expect(ids.filter((id) => id !== undefined)).toHaveLength(1)
    })
  })

  describe(`claiming on ${name}`, () => {
    test('takes what is due, the longest due first, and nothing before its time', async () => {
      const store = await openQueue()
      const runAts = [5, -10, -20, 0]
      await enqueueJobs(
        store.db,
        'mail',
        runAts.map((s) => ({ payload: { n: s }, runAt: later(s) })),
        noon,
      )
      expect((await claimOne(store)).payload).toEqual({ n: -20 })
      expect((await claimOne(store)).payload).toEqual({ n: -10 })
      expect((await claim(store, 10)).map(({ payload }) => payload.n)).toEqual([0])
      expect((await claim(store, 10, later(5))).map(({ payload }) => payload.n)).toEqual([5])
    })

    test('sees its own queue only', async () => {
      const store = await openQueue()
      await enqueueJob(store.db, 'post', { payload: {} }, noon)
      expect(await claim(store, 10)).toEqual([])
    })

    test('gives each of 1,000 jobs to exactly one of ten claimers', async () => {
      const store = await openQueue()
      const second = await store.reopen()
      await enqueueJobs(store.db, 'mail', numbered(1_000), noon)
      const claimAll = async (claimer: number) => {
        const mine: string[] = []
        for (let empty = 0; empty < 3; ) {
          const jobs = await claim(claimer % 2 ? store : second, 7, noon, `claimer ${claimer}`)
          mine.push(...jobs.map(({ id }) => id))
          empty = jobs.length === 0 ? empty + 1 : 0
        }
        return mine
      }
      const claimed = (await Promise.all(Array.from({ length: 10 }, (_, claimer) => claimAll(claimer)))).flat()
      expect(claimed).toHaveLength(1_000)
      expect(new Set(claimed).size).toBe(1_000)
    })

    test('takes a job again once its lease has run out, and not a moment before', async () => {
      const store = await openQueue()
      await enqueueJob(store.db, 'mail', { payload: {} }, noon)
      const first = await claimOne(store)
      expect(await claim(store, 1, later(59.999), 'two')).toEqual([])
      const second = await claimOne(store, 1, later(60), 'two')
      expect(second).toMatchObject({ id: first.id, attempt: 2 })
      expect(second.token).not.toBe(first.token)
    })

    test('is told when to look again', async () => {
      const store = await openQueue()
      expect(await nextDue(store.db, 'mail')).toBeUndefined()
      await enqueueJob(store.db, 'mail', { payload: {}, runAt: later(30) }, noon)
      expect(await nextDue(store.db, 'mail')).toEqual(later(30))
      await claim(store, 1, later(30))
      expect(await nextDue(store.db, 'mail')).toEqual(later(90))
    })
  })

  describe(`settling on ${name}`, () => {
    const openClaimed = async () => {
      const store = await openQueue()
      await enqueueJob(store.db, 'mail', { payload: {} }, noon)
      return { store, job: await claimOne(store) }
    }

    test('completes many jobs in one statement and says which', async () => {
      const store = await openQueue()
      await enqueueJobs(store.db, 'mail', numbered(50), noon)
      const jobs = await claim(store, 50)
      expect(await completeJobs(store.db, jobs, later(1))).toEqual(new Set(jobs.map(({ id }) => id)))
      expect(await findJob(store.db, jobs[0]!.id)).toMatchObject({ state: 'done', finished_at: later(1).toISOString() })
      expect(await completeJobs(store.db, [], noon)).toEqual(new Set())
    })

    test('completes a job again without harm, as after a lost answer', async () => {
      const { store, job } = await openClaimed()
      await completeJobs(store.db, [job], noon)
      expect(await completeJobs(store.db, [job], noon)).toEqual(new Set([job.id]))
    })

    test('refuses whoever lost the lease, whatever it wants', async () => {
      const { store, job: old } = await openClaimed()
      const current = await claimOne(store, 1, later(60), 'two')
      expect(await completeJobs(store.db, [old], later(61))).toEqual(new Set())
      expect(await failJob(store.db, old, { error: 'late', retryAt: undefined }, later(61))).toBe(false)
      expect(await extendLeases(store.db, [old], 60, later(61))).toEqual(new Set())
      await releaseJobs(store.db, 'mail', [old], later(61))
      expect(await findJob(store.db, old.id)).toMatchObject({ state: 'claimed', claimed_by: 'two', attempts: 2 })
      expect(await completeJobs(store.db, [current], later(61))).toEqual(new Set([current.id]))
    })

    test('keeps a job from others for as long as its lease is extended', async () => {
      const { store, job } = await openClaimed()
      expect(await extendLeases(store.db, [job], 60, later(50))).toEqual(new Set([job.id]))
      expect(await claim(store, 1, later(100), 'two')).toEqual([])
      expect(await claim(store, 1, later(110), 'two')).toHaveLength(1)
    })

    test('lets a failed job wait for its retry and keeps the error', async () => {
      const { store, job } = await openClaimed()
      expect(await failJob(store.db, job, { error: 'busy line', retryAt: later(10) }, noon)).toBe(true)
      expect(await findJob(store.db, job.id)).toMatchObject({ state: 'waiting', last_error: 'busy line', attempts: 1 })
      expect(await claim(store, 1, later(9.999))).toEqual([])
      expect(await claimOne(store, 1, later(10))).toMatchObject({ id: job.id, attempt: 2 })
    })

    test('keeps a dead job with its error, out of reach of claims', async () => {
      const { store, job } = await openClaimed()
      await failJob(store.db, job, { error: 'no such number', retryAt: undefined }, later(1))
      expect(await claim(store, 1, later(1e6))).toEqual([])
      expect(await jobCounts(store.db, 'mail')).toEqual({ waiting: 0, claimed: 0, dead: 1, oldestDueAt: undefined })
      expect(await deadJobs(store.db, 'mail', 10)).toMatchObject([{ id: job.id, last_error: 'no such number' }])
    })

    test('gives a released job to the next claimer at once, its attempt not counted', async () => {
      const { store, job } = await openClaimed()
      await releaseJobs(store.db, 'mail', [job], later(1))
      expect(await claimOne(store, 1, later(1), 'two')).toMatchObject({ id: job.id, attempt: 1 })
    })

    test('frees what an instance held before it died, and only that, its attempt counted', async () => {
      const store = await openQueue()
      await enqueueJobs(store.db, 'mail', numbered(4), noon)
      const mine = await claim(store, 2, noon, 'one')
      await claim(store, 1, noon, 'two')
      expect(await releaseAbandoned(store.db, { queue: 'mail', instance: 'one' }, later(1))).toBe(2)
      expect(await releaseAbandoned(store.db, { queue: 'mail', instance: 'one' }, later(1))).toBe(0)
      const again = await claim(store, 10, later(1), 'one')
      expect(again.map(({ attempt }) => attempt).sort()).toEqual([1, 2, 2])
      expect(again.map(({ id }) => id)).toEqual(expect.arrayContaining(mine.map(({ id }) => id)))
    })
  })

  describe(`the dead and the done on ${name}`, () => {
    const openWithDead = async (jobs: NewJob[]) => {
      const store = await openQueue()
      for (const job of jobs) {
        await enqueueJob(store.db, 'mail', job, noon)
        const claimed = await claimOne(store)
        await failJob(store.db, claimed, { error: 'x', retryAt: undefined }, noon)
      }
      return store
    }

    test('a dead job can be given all its attempts again', async () => {
      const store = await openWithDead(numbered(2))
      const [one] = await deadJobs(store.db, 'mail', 1)
      expect(await retryDead(store.db, { queue: 'mail', ids: [one!.id] }, later(5))).toEqual([one!.id])
      expect(await claimOne(store, 1, later(5))).toMatchObject({ id: one!.id, attempt: 1 })
      expect(await retryDead(store.db, { queue: 'mail' }, later(5))).toHaveLength(1)
      expect(await retryDead(store.db, { queue: 'mail' }, later(5))).toEqual([])
    })

    test('of dead jobs with one key the latest comes back, and none while the key is in use', async () => {
      const keyed = (n: number) => ({ payload: { n }, dedupeKey: 'k' })
      const store = await openWithDead([keyed(1), keyed(2)])
      expect(await retryDead(store.db, { queue: 'mail' }, noon)).toHaveLength(1)
      expect((await claimOne(store)).payload).toEqual({ n: 2 })
      expect(await retryDead(store.db, { queue: 'mail' }, noon)).toEqual([])
      expect(await deadJobs(store.db, 'mail', 10)).toHaveLength(1)
    })

    test('done jobs are deleted once old enough, a limited number at a time; dead ones never', async () => {
      const store = await openWithDead(numbered(1))
      await enqueueJobs(store.db, 'mail', numbered(5), noon)
      await completeJobs(store.db, await claim(store, 5), noon)
      const prune = (before: Date) => deleteDone(store.db, { queue: 'mail', before, limit: 3 })
      expect(await prune(noon)).toBe(0)
      expect([await prune(later(1)), await prune(later(1)), await prune(later(1))]).toEqual([3, 2, 0])
      expect(await deadJobs(store.db, 'mail', 10)).toHaveLength(1)
    })
  })
}
