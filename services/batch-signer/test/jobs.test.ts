import { randomUUID } from 'node:crypto'
import { plus } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { insertMany } from '../src/test-support/many-jobs.ts'
import { complete, databases, fail, queue, sharedJobs } from './test-support/jobs-world.ts'

for (const database of databases) {
  const freshJobs = sharedJobs(database)

  describe(`GET /api/jobs on ${database}`, () => {
    test('lists jobs newest first, in pages, with the fields of the specification', async () => {
      const world = await freshJobs()
      const ids: string[] = []
      for (let n = 0; n < 5; n += 1) {
        ids.unshift((await queue(world, { fileName: `${n}.pdf` })).id)
        world.clock.advance(1_000)
      }
      const { status, body } = await world.json('GET', '/api/jobs?page=1&pageSize=3')
      expect(status).toBe(200)
      expect(body).toMatchObject({ page: 1, pageSize: 3, totalCount: 5 })
      expect(body.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 3))
      expect(Object.keys(body.items[0])).toEqual([
        'id',
        'fileName',
        'originalPath',
        'format',
        'source',
        'status',
        'createdAt',
        'updatedAt',
        'parentJobId',
        'errorMessage',
        'profileName',
        'errorCode',
        'errorCause',
        'approval',
      ])
      expect(body.items[0]).toMatchObject({
        status: 'Queued',
        source: 'Watcher',
        parentJobId: null,
        errorMessage: null,
      })
      const second = await world.json('GET', '/api/jobs?page=2&pageSize=3')
      expect(second.body.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3))
      expect((await world.json('GET', '/api/jobs?page=10737418&pageSize=200')).body.items).toEqual([])
    })

    test('cuts by status, profile, name, days, format and source; all given must hold', async () => {
      const world = await freshJobs()
      world.profiles.set('second', {})
      const done = await complete(world, { fileName: 'Relatório-1.pdf' })
      world.clock.advance(1)
      const failed = await fail(world, { fileName: 'other.xml', format: 'Xades', profileName: 'second' })
      world.clock.set('2026-11-17T03:00:00.000Z')
      const late = await queue(world, {
        fileName: 'RELATÓRIO-2.txt',
        format: 'Cades',
        source: 'Upload',
        inputFolder: null,
      })
      const listed = async (query: string) => {
        const { status, body } = await world.json('GET', `/api/jobs?${query}`)
        expect(status, query).toBe(200)
        const ids = body.items.map(({ id }: { id: string }) => id)
        expect(body.totalCount, query).toBe(ids.length)
        return ids
      }
      expect(await listed('status=Completed')).toEqual([done.id])
      expect(await listed('status=Queued')).toEqual([late.id])
      expect(await listed('status=Failed&profile=SECOND')).toEqual([failed.id])
      expect(await listed('status=Failed&profile=default')).toEqual([])
      expect(await listed('fileName=relat%C3%B3rio')).toEqual([late.id, done.id])
      expect(await listed('fileName=%25')).toEqual([])
      expect(await listed('fileName=relat%C3%B3rio&status=Queued')).toEqual([late.id])
      expect(await listed('from=2026-11-16')).toEqual([late.id])
      expect(await listed('to=2026-11-16')).toEqual([failed.id, done.id])
      expect(await listed('from=2026-11-15&to=2026-11-15&format=Xades')).toEqual([failed.id])
      expect(await listed('status=Queued&from=2026-11-17&to=2026-11-17')).toEqual([late.id])
      expect(await listed('source=Upload')).toEqual([late.id])
      expect(await listed('format=Cades&source=Watcher')).toEqual([])
    })

    test('a bad filter value is refused, never widened', async () => {
      const world = await freshJobs()
      const bad = [
        'status=Done',
        'status=',
        'status=Failed&status=Queued',
        'profile=nobody',
        'format=Jades',
        'source=Mail',
        'fileName=',
        'from=15/11/2026',
        'from=2026-02-31',
        'to=2026-11-15T00:00:00Z',
        'from=2026-11-16&to=2026-11-15',
        'page=0',
        'page=-1',
        'page=1.5',
        'page=one',
        'page=10737419',
        'pageSize=0',
        'pageSize=201',
        'pageSize=1e2',
      ]
      for (const query of bad) {
        const { status, body } = await world.json('GET', `/api/jobs?${query}`)
        expect([query, status, body.code]).toEqual([query, 400, 'validation.filter-invalid'])
      }
    })

    test('pages far back hold what a list of everything holds there', async () => {
      const world = await freshJobs()
      world.profiles.set('second', {})
      const jobs = Array.from({ length: 2_600 }, (_, n) => ({
        id: randomUUID() as string,
        at: plus(world.clock(), Math.floor(n / 7) * 997).toISOString(),
        fileName: `${n}.pdf`,
        status: 'Failed' as const,
        profile: n % 3 === 0 ? 'second' : 'default',
        format: n % 11 === 0 ? ('Xades' as const) : ('Pades' as const),
      }))
      await insertMany(world.store, jobs)
      const newestFirst = [...jobs].sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1))
      const check = async (query: string, holds: (job: (typeof jobs)[number]) => boolean, pages: readonly number[]) => {
        const expected = newestFirst.filter(holds).map(({ id }) => id)
        for (const page of pages) {
          const { body } = await world.json('GET', `/api/jobs?pageSize=50&page=${page}${query}`)
          expect(body.totalCount).toBe(expected.length)
          const ids = body.items.map(({ id }: { id: string }) => id)
          expect(ids, `page ${page} of ${query}`).toEqual(expected.slice((page - 1) * 50, page * 50))
        }
      }
      await check('', () => true, [1, 40, 41, 45, 51, 52, 53])
      await check('&status=Failed', () => true, [1, 43, 52])
      await check('&status=Completed', () => false, [1, 2])
      await check('&profile=second', ({ profile }) => profile === 'second', [1, 9, 18])
      await check('&format=Xades', ({ format }) => format === 'Xades', [1, 3, 5])
      await check(
        '&format=Xades&profile=second&status=Failed',
        (job) => job.format === 'Xades' && job.profile === 'second',
        [1, 2],
      )
      await check('&fileName=9', ({ fileName }) => fileName.includes('9'), [1, 5, 13])
      await check('&from=2026-11-15&to=2026-11-15', () => true, [1, 48])
      await check('&from=2026-11-16', () => false, [1])
    })
  })

  describe(`GET /api/jobs/{id} on ${database}`, () => {
    test('answers the job with its history, the oldest line first', async () => {
      const world = await freshJobs()
      const job = await complete(world, { fileName: 'a.pdf', externalReference: 'order 7' })
      const { status, body } = await world.json('GET', `/api/jobs/${job.id.toUpperCase()}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        id: job.id,
        status: 'Completed',
        cnab240: null,
        approval: null,
        outputEncrypted: false,
        outputFileName: 'a.signed.pdf',
        inputFolder: 'default',
        errorCode: null,
        contentLength: 7,
        externalReference: 'order 7',
        inputDisposal: 'deleted',
        timings: { queueMs: 5, signingMs: 20, verificationMs: 7, outputMs: 3 },
      })
      expect(body.contentSha256).toMatch(/^[0-9a-f]{64}$/)
      expect(body.history.map(({ status: state }: { status: string }) => state)).toEqual([
        'Queued',
        'Processing',
        'Verifying',
        'Completed',
      ])
      expect(Object.keys(body.history[0])).toEqual(['id', 'timestamp', 'status', 'message'])
    })

    test('a failed job carries its code, also in its history', async () => {
      const world = await freshJobs()
      const { id } = await fail(world)
      const { body } = await world.json('GET', `/api/jobs/${id}`)
      expect(body).toMatchObject({ status: 'Failed', errorCode: 'job.signing-failed', outputFileName: null })
      expect(body.history.at(-1)).toMatchObject({ status: 'Failed', code: 'job.signing-failed' })
    })

    test('an id nobody has, or that is no GUID, is job.not-found on every path', async () => {
      const world = await freshJobs()
      for (const id of [randomUUID(), 'nonsense', '%00', 'a'.repeat(5_000)])
        for (const [method, rest] of [
          ['GET', ''],
          ['GET', '/output'],
          ['GET', '/approvals'],
          ['POST', '/retry'],
          ['POST', '/cancel'],
        ] as const) {
          const { status, body } = await world.json(method, `/api/jobs/${id}${rest}`)
          expect([status, body.code]).toEqual([404, 'job.not-found'])
        }
    })

    test('the approval record of a job that never parked is approval.not-required', async () => {
      const world = await freshJobs()
      const { id } = await queue(world)
      const { status, body } = await world.json('GET', `/api/jobs/${id}/approvals`)
      expect([status, body.code]).toEqual([404, 'approval.not-required'])
    })

    test('payments and their summary are shown to the dashboard, while the job is in flight and after', async () => {
      const world = await freshJobs()
      const { id } = await queue(world)
      const { ledger } = world.context
      await ledger.claim(1, world.clock())
      const summary = { totalCentavos: 123_456, paymentCount: 1, payerName: 'ACME' }
      const payments = [{ record: 3, amountCentavos: 123_456, payeeName: 'Ana' }]
      const key = { sha256: 'ab'.repeat(32), length: 1, outputName: 'payments.txt.p7m' }
      await ledger.reachedKey(
        id,
        { ...key, cnab240: JSON.stringify(summary), payments: JSON.stringify(payments) },
        world.clock(),
      )
      const path = `/dashboard/api/jobs/${id}/payments`
      expect((await world.json('GET', path)).body).toEqual({ summary, payments })
      await ledger.failed(
        id,
        { from: 'Processing', code: 'cnab240.payment-date-passed', error: 'Too late.' },
        world.clock(),
      )
      expect((await world.json('GET', path)).body).toEqual({ summary, payments })
      expect(JSON.stringify((await world.json('GET', `/api/jobs/${id}`)).body)).not.toContain('Ana')
    })
  })
}
