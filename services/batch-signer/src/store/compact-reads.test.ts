import { randomUUID } from 'node:crypto'
import { testClock } from '@chancela/testkit/clock'
import { testStores } from '@chancela/testkit/stores'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { storesOf } from '../test-support/as-new.ts'
import { type OpenStore, openBatchStore } from '../test-support/ledger-world.ts'
import { type CompactFilter, compactMetrics, compactPage, isNameActive } from './compact-reads.ts'
import { JobLedger, type NewJob } from './job-ledger.ts'

const throwOn = (error: unknown) => {
  throw error
}

async function openJobs(open: OpenStore) {
  const store = await openBatchStore(open)
  const ledger = new JobLedger({ store, owner: 'test', namesOnce: true, onTrouble: throwOn, onRecovery: () => {} })
  const clock = testClock()
  const jobOf = (fileName: string, more: Partial<NewJob> = {}): NewJob => ({
    id: randomUUID(),
    fileName,
    originalPath: `/in/${fileName}`,
    inputFolder: 'default',
    format: 'Pades',
    source: 'Watcher',
    profileName: 'default',
    message: 'Seen.',
    ...more,
  })
  return {
    store,
    ledger,
    clock,
    queue: async (fileName: string, more: Partial<NewJob> = {}) => {
      clock.advance(1000)
      const job = jobOf(fileName, more)
      expect(await ledger.enqueue(job, clock())).toStrictEqual({ outcome: 'Enqueued' })
      return job.id
    },
    refused: async (fileName: string, code: string, more: Partial<NewJob> = {}) => {
      clock.advance(1000)
      const job = jobOf(fileName, more)
      await ledger.recordRefused({ ...job, code, error: 'No.' }, clock())
      return job.id
    },
    /** Completes all queued jobs. */
    finish: async (encrypted = false) => {
      for (const { id, file_name } of await ledger.claim(100, clock())) {
        clock.advance(1000)
        const outputName = `${file_name}.out`
        await ledger.reachedKey(id, { sha256: 'ab', length: 3, outputName }, clock())
        await ledger.signed(id, { message: 'Signed.' }, clock())
        const times = { queueMs: 1, signingMs: 10, verificationMs: 5, outputMs: 6 }
        await ledger.completed(id, { ...times, encrypted, outputLength: 9, message: 'Done.' }, clock())
      }
    },
    fail: async (code: string) => {
      for (const { id } of await ledger.claim(100, clock())) {
        clock.advance(1000)
        await ledger.failed(id, { from: 'Processing', code, error: 'No.' }, clock())
      }
    },
    names: async (filter: CompactFilter) =>
      (await compactPage(store.db, filter, { offset: 0, limit: 50 })).rows.map(({ file_name }) => file_name),
    total: async (filter: CompactFilter) => (await compactPage(store.db, filter, { offset: 0, limit: 1 })).total,
  }
}

/** One job of every kind, the oldest first. */
async function mixedJobs(open: OpenStore) {
  const jobs = await openJobs(open)
  await jobs.queue('done.pdf')
  await jobs.finish()
  await jobs.queue('sealed.xml', {
    format: 'Xades',
    source: 'Upload',
    inputFolder: null,
    externalReference: 'Order 50%',
  })
  await jobs.finish(true)
  await jobs.queue('broken.pdf', { profileName: 'secret' })
  await jobs.fail('job.signing-failed')
  await jobs.queue('LATE.rem', { format: 'Cades' })
  await jobs.fail('cnab240.payment-date-passed')
  await jobs.refused('done.pdf', 'file.already-processed', { source: 'Rescan', originalPath: '/other/done.pdf' })
  await jobs.queue('running.bin', { format: 'Cades', encryptionRequested: true })
  await jobs.ledger.claim(1, jobs.clock())
  await jobs.queue('waiting_a.pdf', { source: 'Upload', inputFolder: null })
  const canceled = await jobs.queue('waiting b.pdf')
  await jobs.ledger.canceled(canceled, 'Queued', 'Canceled.', jobs.clock())
  return jobs
}

const cases: readonly (readonly [what: string, filter: CompactFilter, names: readonly string[]])[] = [
  ['Pending jobs', { status: 'Pending' }, ['waiting_a.pdf']],
  ['Processing jobs', { status: 'Processing' }, ['running.bin']],
  ['Completed jobs', { status: 'Completed' }, ['sealed.xml', 'done.pdf']],
  ['Failed jobs, without the Rejected', { status: 'Failed' }, ['broken.pdf']],
  ['Rejected jobs', { status: 'Rejected' }, ['done.pdf', 'LATE.rem']],
  ['Rejected jobs of one format', { status: 'Rejected', signatureFormat: 'Cades' }, ['LATE.rem']],
  ['Canceled jobs', { status: 'Canceled' }, ['waiting b.pdf']],
  ['uploads', { source: 'RestApi' }, ['waiting_a.pdf', 'sealed.xml']],
  ['files of folders that completed', { source: 'WatchedFolder', status: 'Completed' }, ['done.pdf']],
  ['one format', { signatureFormat: 'Xades' }, ['sealed.xml']],
  ['part of a name, whatever its case', { filenameContains: 'Late.R' }, ['LATE.rem']],
  ['part of a name, literally', { filenameContains: 'waiting_' }, ['waiting_a.pdf']],
  ['part of a reference, literally', { externalReferenceContains: 'order 50%' }, ['sealed.xml']],
  ['no wildcard in a reference', { externalReferenceContains: '5%0' }, []],
  [
    'jobs that encrypt: done so, asked so, or by their profile',
    { encryption: { enabled: true, encryptingProfiles: ['secret'] } },
    ['running.bin', 'broken.pdf', 'sealed.xml'],
  ],
  [
    'jobs that do not encrypt',
    { encryption: { enabled: false, encryptingProfiles: [] }, status: 'Failed' },
    ['broken.pdf'],
  ],
]

for (const [name, openNew] of Object.entries(testStores)) {
  const open = storesOf(openNew)

  describe(`the compact variant's reads on ${name}`, () => {
    test('list and count what passes a filter, the newest first', async () => {
      const { total, names } = await mixedJobs(open)
      expect(await names({})).toHaveLength(8)
      expect(await total({})).toBe(8)
      for (const [what, filter, expected] of cases) {
        expect(await names(filter), what).toStrictEqual(expected)
        expect(await total(filter), what).toBe(expected.length)
      }
    })

    test('include both ends of a time range', async () => {
      const { total, names, queue, clock } = await openJobs(open)
      await queue('1.pdf')
      await queue('2.pdf')
      const at = clock().toISOString()
      await queue('3.pdf')
      expect(await names({ createdFrom: at, createdTo: at })).toStrictEqual(['2.pdf'])
      expect(await total({ createdFrom: at })).toBe(2)
      expect(await total({ createdTo: at })).toBe(2)
    })

    test('page through a list', async () => {
      const { store, queue } = await openJobs(open)
      for (const n of [1, 2, 3, 4, 5]) await queue(`${n}.pdf`)
      const page = async (number: number) =>
        (await compactPage(store.db, {}, { offset: (number - 1) * 2, limit: 2 })).rows.map(({ file_name }) => file_name)
      expect([await page(1), await page(2), await page(3), await page(4)]).toStrictEqual([
        ['5.pdf', '4.pdf'],
        ['3.pdf', '2.pdf'],
        ['1.pdf'],
        [],
      ])
    })

    test('search slice by slice, and never lose or repeat a job between two', async () => {
      const { store, names, total } = await openJobs(open)
      // 45,000 jobs, several with the same time, one in a thousand with a name that is searched for.
      await sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 45000)
        insert into job (id, file_name, name_key, format, source, status, profile_name, created_at, updated_at, queued_at)
        select 'id' || n, 'f' || n, case when n % 1000 = 0 then 'rare' || n else 'f' || n end, 'Cades', 'Upload',
          'Completed', 'default', '2026-01-01T00:00:0' || (n / 20000) || '.' || (100 + n / 50 % 400) || 'Z', '', ''
        from numbers`.execute(store.db)
      expect(await total({ filenameContains: 'rare' })).toBe(45)
      expect(new Set(await names({ filenameContains: 'rare' })).size).toBe(45)
      expect(await total({ filenameContains: 'f', createdTo: '2026-01-01T00:00:01.999Z' })).toBe(39_960)
      const third = await compactPage(store.db, { filenameContains: 'rare' }, { offset: 30, limit: 10 })
      expect(third.rows.map(({ id }) => id)).toStrictEqual(
        (await compactPage(store.db, { filenameContains: 'rare' }, { offset: 0, limit: 50 })).rows
          .slice(30, 40)
          .map(({ id }) => id),
      )
    })

    test('know whether an active job holds a name', async () => {
      const { store, queue, fail } = await openJobs(open)
      await queue('Pagar.REM')
      expect(await isNameActive(store.db, 'pagar.rem')).toBe(true)
      await fail('job.signing-failed')
      expect(await isNameActive(store.db, 'pagar.rem')).toBe(false)
    })

    test('count for the metrics', async () => {
      const { store } = await mixedJobs(open)
      const completed = await store.db
        .selectFrom('job')
        .select(sql<string>`max(finished_at)`.as('at'))
        .where('status', '=', 'Completed')
        .executeTakeFirstOrThrow()
      const failed = await store.db
        .selectFrom('job')
        .select(sql<string>`max(finished_at)`.as('at'))
        .where('status', '=', 'Failed')
        .executeTakeFirstOrThrow()
      expect(await compactMetrics(store.db)).toStrictEqual({
        totalJobs: 8,
        pendingJobs: 1,
        processingJobs: 1,
        completedJobs: 2,
        failedJobs: 1,
        rejectedJobs: 2,
        jobsBySource: { RestApi: 2, WatchedFolder: 6 },
        jobsBySignatureFormat: { Pades: 5, Xades: 1, Cades: 2 },
        averageProcessingMs: 21,
        lastSuccessfulUtc: completed.at,
        lastFailedUtc: failed.at,
      })
    })

    test('count nothing in an empty store', async () => {
      const { store } = await openJobs(open)
      expect(await compactMetrics(store.db)).toStrictEqual({
        totalJobs: 0,
        pendingJobs: 0,
        processingJobs: 0,
        completedJobs: 0,
        failedJobs: 0,
        rejectedJobs: 0,
        jobsBySource: {},
        jobsBySignatureFormat: {},
        averageProcessingMs: 0,
        lastSuccessfulUtc: null,
        lastFailedUtc: null,
      })
    })
  })
}
