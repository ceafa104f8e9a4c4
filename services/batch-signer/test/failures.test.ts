import { rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { complete, databases, fail, type JobsWorld, sharedJobs } from './test-support/jobs-world.ts'

const SINCE = '2026-11-15T11:00:00.000Z'
const ENCRYPTED = { cause: 'job.signing-failed/pdf.encrypted' }

for (const database of databases) {
  const freshJobs = sharedJobs(database)

  describe(`failures by cause on ${database}`, () => {
    test('are counted since a time, each with the newest as an example, the most frequent first', async () => {
      const world = await freshJobs()
      await fail(world, { ...ENCRYPTED, fileName: 'too-early.pdf' })
      world.clock.advance(60_000)
      const since = world.clock().toISOString()
      await fail(world, { code: 'job.output-exists', cause: 'job.output-exists', fileName: 'there.pdf' })
      for (const fileName of ['a.pdf', 'b.pdf']) {
        world.clock.advance(1_000)
        await fail(world, { ...ENCRYPTED, fileName })
      }
      await complete(world)
      const { status, body } = await world.json('GET', `/dashboard/api/failures?since=${since}`)
      expect(status).toBe(200)
      expect(body).toEqual({
        since,
        causes: [
          expect.objectContaining({ ...ENCRYPTED, code: 'job.signing-failed', count: 2, retriable: true }),
          expect.objectContaining({ cause: 'job.output-exists', count: 1 }),
        ],
      })
      expect(body.causes[0]).toMatchObject({
        newestAt: world.clock().toISOString(),
        example: { fileName: 'b.pdf', errorMessage: 'It did not work.' },
      })
      const { body: day } = await world.json('GET', '/dashboard/api/failures')
      expect(day.causes[0].count).toBe(3)
    })

    test('of one cause are retried together, each under the rules of a retry, and a second click takes nothing', async () => {
      const world = await freshJobs()
      const jobs = [await fail(world, ENCRYPTED), await fail(world, ENCRYPTED), await fail(world, ENCRYPTED)]
      const other = await fail(world)
      await rm(jobs[1]!.originalPath)
      world.clock.advance(5_000)
      const first = await retried(world, ENCRYPTED)
      expect(first).toEqual({
        taken: 2,
        refused: [{ code: 'job.input-missing', count: 1, jobId: jobs[1]!.id }],
        until: world.clock().toISOString(),
        next: null,
      })
      const { body } = await world.json('GET', '/api/jobs?source=Retry')
      const parents = body.items.map(({ parentJobId }: { parentJobId: string }) => parentJobId)
      expect(parents.sort()).toEqual([jobs[0]!.id, jobs[2]!.id].sort())
      expect(await retried(world, ENCRYPTED)).toMatchObject({ taken: 0, refused: [{ code: 'job.input-missing' }] })
      expect((await world.json('GET', `/api/jobs/${other.id}`)).body.status).toBe('Failed')
      const causes = (await world.json('GET', `/dashboard/api/failures?since=${SINCE}`)).body.causes
      expect(causes.map(({ count }: { count: number }) => count)).toEqual([1, 1])
      const events = (await world.context.events.list({ type: ['FailuresRetried'] })).items
      expect(events.at(-1)).toMatchObject({
        actor: 'api-key',
        code: 'job.signing-failed',
        text: expect.stringMatching(/2 were queued again and 1 could not be\.$/),
      })
    })

    test('that fail again after the click are left alone by it, and counted once', async () => {
      const world = await freshJobs()
      await fail(world, ENCRYPTED)
      const until = world.clock().toISOString()
      expect(await retried(world, { ...ENCRYPTED, until })).toMatchObject({ taken: 1, next: null })
      world.clock.advance(1_000)
      const [again] = await world.context.ledger.claim(1, world.clock())
      const change = { from: 'Processing', code: 'job.signing-failed', error: 'Still so.' } as const
      await world.context.ledger.failed(again!.id, { ...change, errorCause: ENCRYPTED.cause }, world.clock())
      expect(await retried(world, { ...ENCRYPTED, until })).toMatchObject({ taken: 0, refused: [] })
      const { body } = await world.json('GET', `/dashboard/api/failures?since=${SINCE}`)
      expect(body.causes).toEqual([
        expect.objectContaining({ count: 1, example: expect.objectContaining({ jobId: again!.id }) }),
      ])
    })

    test('are refused by name for a time that is none, and for a cause left out', async () => {
      const world = await freshJobs()
      const { status, body } = await world.json('GET', '/dashboard/api/failures?since=yesterday')
      expect([status, body.code]).toEqual([400, 'validation.filter-invalid'])
      const bodies = [{ ...ENCRYPTED, since: '2026-02-31' }, { since: SINCE }]
      for (const wrong of bodies) expect((await post(world, wrong)).status).toBe(400)
    })
  })
}

const post = (world: JobsWorld, body: object) => world.json('POST', '/dashboard/api/failures/retry', body)

async function retried(world: JobsWorld, order: object) {
  const { status, body } = await post(world, { since: SINCE, ...order })
  expect(status).toBe(200)
  return body
}
