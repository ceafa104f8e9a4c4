import { MINUTE } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { QUEUE_CHANNEL } from '../src/store/job-ledger.ts'
import { moveFrom, readPipelineState } from '../src/store/pipeline-state.ts'
import { newJob } from '../src/test-support/ledger-world.ts'
import { sharedOperations, startWorld, type World } from './test-support/operations-world.ts'

const post = (world: World, path: string, body?: unknown) =>
  world.call('POST', path, {
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

const pause = (world: World, body?: unknown) => post(world, '/api/pipeline/pause', body)
const resume = (world: World, body?: unknown) => post(world, '/api/pipeline/resume', body)
const state = async (world: World) => (await world.call('GET', '/api/pipeline/state')).json()

const events = async (world: World) => {
  const { items } = await world.context.events.list({ type: ['PipelinePaused', 'PipelineResumed'] })
  return items.map(({ type, text }) => [type, text])
}

for (const database of ['SQLite', 'PostgreSQL'] as const)
  describe(`the pause flag on ${database}`, () => {
    const fresh = sharedOperations(database)

    test('is moved by pause and resume, which answer the state', async () => {
      const world = await fresh()
      const paused = await pause(world, { reason: ' new token ' })
      expect(paused.status).toBe(200)
      expect(await paused.json()).toStrictEqual({
        paused: true,
        pausedAtUtc: '2026-03-02T12:00:00.000Z',
        resumedAtUtc: null,
        pausedBy: 'api-key',
        reason: 'new token',
        maxConcurrency: 128,
        jobsInFlight: 3,
        selfPaused: null,
        heldProfiles: [],
        jobsInFlightByFormat: { pades: 2, cades: 1, xades: 0, total: 3 },
      })
      world.clock.advance(MINUTE)
      expect(await (await resume(world)).json()).toMatchObject({
        paused: false,
        pausedAtUtc: '2026-03-02T12:00:00.000Z',
        resumedAtUtc: '2026-03-02T12:01:00.000Z',
        pausedBy: null,
        reason: null,
      })
      expect(await events(world)).toStrictEqual([
        ['PipelineResumed', 'Pipeline resumed by api-key.'],
        ['PipelinePaused', 'Pipeline paused by api-key. Reason: new token'],
      ])
    })

    test('stays where it is when it is moved there again: 200, no second event', async () => {
      const world = await fresh()
      await pause(world, { reason: 'first' })
      world.clock.advance(MINUTE)
      const again = await pause(world, { reason: 'second' })
      expect([again.status, await again.json()]).toMatchObject([200, { paused: true, reason: 'first' }])
      expect((await resume(world)).status).toBe(200)
      expect((await resume(world)).status).toBe(200)
      expect(await events(world)).toHaveLength(2)
    })

    test('moved by two at once is moved by one; the other gets pipeline.race-lost', async () => {
      const world = await fresh()
      const seen = await readPipelineState(world.context.store.db)
      const request = { actor: 'api-key', reason: undefined, now: world.clock() }
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => moveFrom(world.context, seen, 'pause', request)))
      const lost = outcomes.filter((one) => one.status === 'rejected')
      expect(lost).toHaveLength(2)
      for (const { reason } of lost) expect(reason).toMatchObject({ code: 'pipeline.race-lost', status: 409 })
      expect(await events(world)).toHaveLength(1)
    })

    test('survives a restart, and nothing is picked up while it is set', async () => {
      const world = await startWorld({ database })
      await pause(world, { reason: 'maintenance' })
      await world.stop()
      const again = await startWorld({ after: world })
      expect(await state(again)).toMatchObject({ paused: true, reason: 'maintenance' })
      await again.context.ledger.enqueue(newJob(), again.clock())
      expect(await again.context.ledger.claim(10, again.clock())).toHaveLength(0)
      await resume(again)
      expect(await again.context.ledger.claim(10, again.clock())).toHaveLength(1)
    })

    test('that is cleared wakes the workers', async () => {
      const world = await fresh()
      await pause(world)
      const woken = new Promise<void>((wake) => world.store.listen(QUEUE_CHANNEL, wake))
      await resume(world)
      await woken
    })
  })

test('a reason of more than 512 characters is refused with validation.reason-too-long', async () => {
  const world = await startWorld()
  expect((await pause(world, { reason: 'x'.repeat(512) })).status).toBe(200)
  const long = await resume(world, { reason: 'x'.repeat(513) })
  expect([long.status, await long.json()]).toMatchObject([400, { code: 'validation.reason-too-long' }])
  expect((await resume(world, { reason: null })).status).toBe(200)
})

test('pauses and resumes are counted, and the gauge tells the state', async () => {
  const world = await startWorld()
  const told: string[] = []
  world.live.listen(({ topics }) => void told.push(...topics))
  await pause(world)
  await pause(world)
  const text = await (await world.call('GET', '/api/metrics')).text()
  expect(text).toMatch(/^bulk_pipeline_pause_total 1$/m)
  expect(text).toMatch(/^bulk_pipeline_resume_total 0$/m)
  expect(text).toMatch(/^bulk_pipeline_paused 1$/m)
  expect(told).toStrictEqual(['pipeline'])
})
