import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  complete,
  databases,
  fail,
  type JobsWorld,
  pickUp,
  queue,
  sharedJobs,
  startJobs,
} from './test-support/jobs-world.ts'

for (const database of databases) {
  const freshJobs = sharedJobs(database)

  describe(`POST /api/jobs/{id}/retry on ${database}`, () => {
    test('queues the same file as a new job under the profile of the failed one, which stays Failed', async () => {
      const world = await freshJobs()
      const failed = await fail(world, { fileName: 'a.pdf', externalReference: 'order 7', encryptionRequested: true })
      const { status, body } = await world.json('POST', `/api/jobs/${failed.id}/retry`)
      expect(status).toBe(202)
      expect(body).toEqual({ newJobId: expect.any(String), parentJobId: failed.id, status: 'Queued' })
      const { body: retry } = await world.json('GET', `/api/jobs/${body.newJobId}`)
      expect(retry).toMatchObject({
        fileName: 'a.pdf',
        originalPath: failed.originalPath,
        inputFolder: 'default',
        format: 'Pades',
        source: 'Retry',
        profileName: 'default',
        parentJobId: failed.id,
        externalReference: 'order 7',
      })
      expect((await world.json('GET', `/api/jobs/${failed.id}`)).body.status).toBe('Failed')
    })

    test('is refused for a job that is not Failed', async () => {
      const world = await freshJobs()
      const ids = [(await complete(world)).id, (await queue(world)).id]
      for (const id of ids) expect(await refusal(world, `/api/jobs/${id}/retry`)).toEqual([409, 'job.not-failed'])
      const canceled = ids[1]!
      await world.json('POST', `/api/jobs/${canceled}/cancel`)
      expect(await refusal(world, `/api/jobs/${canceled}/retry`)).toEqual([409, 'job.not-failed'])
    })

    test('is refused when the input is gone, an active job holds it, or the rule of names refused it', async () => {
      const world = await freshJobs()
      const gone = await fail(world)
      await rm(gone.originalPath)
      expect(await refusal(world, `/api/jobs/${gone.id}/retry`)).toEqual([409, 'job.input-missing'])

      const again = await fail(world)
      expect((await world.json('POST', `/api/jobs/${again.id}/retry`)).status).toBe(202)
      expect(await refusal(world, `/api/jobs/${again.id}/retry`)).toEqual([409, 'job.already-processing'])
      await world.context.ledger.claim(1, world.clock())

      const named = await fail(world, { code: 'file.already-processed' })
      expect(await refusal(world, `/api/jobs/${named.id}/retry`)).toEqual([409, 'file.already-processed'])
    })

    test('is refused for a path of more than 850 characters, with 409 here', async () => {
      const world = await freshJobs()
      const deep = join(world.dataFolder, ...Array.from({ length: 5 }, () => 'd'.repeat(200)), 'a.pdf')
      const job = await fail(world, { fileName: 'a.pdf', originalPath: deep })
      expect(await refusal(world, `/api/jobs/${job.id}/retry`)).toEqual([409, 'job.path-too-long'])
    })

    test('is refused while the profile takes no work or no files', async () => {
      const world = await freshJobs()
      const job = await fail(world)
      world.profiles.set('default', { enabled: false })
      expect(await refusal(world, `/api/jobs/${job.id}/retry`)).toEqual([409, 'profile.disabled'])
      world.profiles.set('default', { enabled: true, method: 'SignerFolder' })
      expect(await refusal(world, `/api/jobs/${job.id}/retry`)).toEqual([409, 'profile.takes-no-files'])
    })

    test('of two retries at once, one is queued', async () => {
      const world = await freshJobs()
      const job = await fail(world)
      const answers = await Promise.all([1, 2].map(() => world.json('POST', `/api/jobs/${job.id}/retry`)))
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409])
    })
  })

  describe(`POST /api/jobs/{id}/cancel on ${database}`, () => {
    test('cancels a queued job, keeps its file and tells the reason in the history', async () => {
      const world = await freshJobs()
      const [one, other] = [await queue(world), await queue(world)]
      const { status, body } = await world.json('POST', `/api/jobs/${one.id}/cancel`, { reason: ' sent twice ' })
      expect({ status, body }).toEqual({ status: 200, body: { jobId: one.id, status: 'Canceled' } })
      expect((await world.json('POST', `/api/jobs/${other.id}/cancel`)).status).toBe(200)
      const last = async (id: string) => (await world.json('GET', `/api/jobs/${id}`)).body.history.at(-1).message
      expect(await last(one.id)).toBe('Operator canceled: sent twice.')
      expect(await last(other.id)).toBe('Operator canceled.')
      expect((await world.call('GET', `/api/jobs/${one.id}/output`)).status).toBe(409)
    })

    test('in-flight and ended jobs cannot be canceled and answer 409 job.not-queued', async () => {
      const world = await freshJobs()
      const done = await complete(world)
      const running = await queue(world)
      await pickUp(world, running.id)
      for (const id of [done.id, running.id])
        expect(await refusal(world, `/api/jobs/${id}/cancel`)).toEqual([409, 'job.not-queued'])
    })

    test('a worker that takes the job before the cancel commits makes it 409 job.race-lost', async () => {
      const world = await startJobs(database)
      const { ledger } = world.context
      const job = await queue(world)
      // The call has read the job as queued; the worker writes to the database first.
      const canceled = ledger.canceledInTime.bind(ledger)
      Object.assign(ledger, {
        canceledInTime: async (...given: Parameters<typeof canceled>) => {
          await pickUp(world, job.id)
          return canceled(...given)
        },
      })
      expect(await refusal(world, `/api/jobs/${job.id}/cancel`)).toEqual([409, 'job.race-lost'])
      expect((await world.json('GET', `/api/jobs/${job.id}`)).body.status).toBe('Processing')
    })

    test('a reason of more than 512 characters is refused', async () => {
      const world = await freshJobs()
      const { id } = await queue(world)
      const { status, body } = await world.json('POST', `/api/jobs/${id}/cancel`, { reason: 'x'.repeat(513) })
      expect([status, body.code]).toEqual([400, 'validation.reason-too-long'])
      expect((await world.json('POST', `/api/jobs/${id}/cancel`, { reason: 'x'.repeat(512) })).status).toBe(200)
    })
  })

  describe(`POST /dashboard/api/jobs/bulk on ${database}`, () => {
    test('each job has its own result', async () => {
      const world = await freshJobs()
      const done = await complete(world)
      const failed = await fail(world)
      const queued = await queue(world)
      const bulk = async (action: string, ids: readonly string[]) =>
        (await world.json('POST', '/dashboard/api/jobs/bulk', { action, ids })).body.results
      expect(await bulk('cancel', [queued.id, done.id, 'nonsense'])).toEqual([
        { id: queued.id, ok: true },
        { id: done.id, ok: false, code: 'job.not-queued' },
        { id: 'nonsense', ok: false, code: 'job.not-found' },
      ])
      expect(await bulk('retry', [failed.id, done.id])).toEqual([
        { id: failed.id, ok: true },
        { id: done.id, ok: false, code: 'job.not-failed' },
      ])
      expect(await bulk('delete', [queued.id, done.id, done.id])).toEqual([
        { id: queued.id, ok: true },
        { id: done.id, ok: true },
      ])
      expect((await world.json('GET', '/api/jobs')).body.totalCount).toBe(2)
      const many = Array.from({ length: 201 }, () => done.id)
      expect((await world.json('POST', '/dashboard/api/jobs/bulk', { action: 'delete', ids: many })).status).toBe(400)
    })
  })
}

async function refusal(world: JobsWorld, path: string): Promise<[number, string]> {
  const { status, body } = await world.json('POST', path)
  return [status, body.code]
}
