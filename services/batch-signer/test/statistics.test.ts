import { describe, expect, test } from 'vitest'
import { complete, databases, fail, type JobsWorld, queue, sharedJobs, startJobs } from './test-support/jobs-world.ts'

for (const database of databases) {
  const freshJobs = sharedJobs(database)

  describe(`the numbers of the dashboard on ${database}`, () => {
    test('the overview counts every state, the last day, its quarters of an hour and the newest jobs', async () => {
      const world = await freshJobs()
      world.clock.set('2026-11-14T12:00:00.000Z')
      await complete(world, { fileName: 'before.pdf' })
      world.clock.set('2026-11-15T12:00:30.000Z')
      await complete(world, { fileName: 'a.pdf', encrypted: true })
      await fail(world)
      const canceled = await queue(world)
      await world.json('POST', `/api/jobs/${canceled.id}/cancel`)
      const running = await queue(world, { fileName: 'running.pdf' })
      await world.context.ledger.claim(1, world.clock())
      await queue(world)
      const { status, body } = await world.json('GET', '/dashboard/api/overview')
      expect(status).toBe(200)
      expect(body).toMatchObject({
        counts: {
          Queued: 1,
          Processing: 1,
          Verifying: 0,
          Completed: 2,
          Failed: 1,
          Canceled: 1,
          AwaitingSigner: 0,
          AwaitingApproval: 0,
        },
        last24h: { completed: 1, failed: 1, canceled: 1, encrypted: 1 },
        slots: { used: 0, of: 128 },
        longestRunning: { jobId: running.id, fileName: 'running.pdf', startedAt: world.clock().toISOString() },
        paused: false,
        reason: null,
        performance: {
          averageJobMs: 30,
          averageSigningMs: 20,
          averageVerificationMs: 7,
          averageQueueMs: 5,
          averageOutputMs: 3,
          minMs: 30,
          maxMs: 30,
          lastMinute: 1,
          slowest: { totalMs: 30 },
          since: '2026-11-14T12:00:00.000Z',
        },
      })
      expect(body.throughput).toHaveLength(96)
      expect(body.throughput.at(-1)).toEqual({ at: '2026-11-15T12:00:00.000Z', completed: 1, failed: 1, canceled: 1 })
      expect(body.recent).toHaveLength(5)
    })

    test('a store without jobs has numbers, too', async () => {
      const world = await freshJobs()
      const { body } = await world.json('GET', '/dashboard/api/overview')
      expect(body).toMatchObject({
        longestRunning: null,
        recent: [],
        performance: { averageJobMs: null, slowest: null },
      })
    })

    test('the statistics count by kind and tell what ended, by hour up to a week and by day beyond', async () => {
      const world = await freshJobs()
      await complete(world, { format: 'Cades', fileName: 'a.txt' })
      await fail(world, { source: 'Upload', inputFolder: null })
      const { body } = await world.json('GET', '/dashboard/api/statistics?from=2026-11-15&to=2026-11-15')
      expect(body).toMatchObject({
        byStatus: { Completed: 1, Failed: 1 },
        bySource: { Watcher: 1, Upload: 1 },
        byFormat: { Cades: 1, Pades: 1 },
        byProfile: { default: 2 },
      })
      expect(body.buckets).toHaveLength(24)
      // The day of the site begins at three o'clock of UTC.
      expect(body.buckets[0].at).toBe('2026-11-15T03:00:00.000Z')
      expect(body.buckets[9]).toEqual({
        at: '2026-11-15T12:00:00.000Z',
        completed: 1,
        failed: 1,
        canceled: 0,
        encrypted: 0,
        averageQueueMs: 5,
        averageSigningMs: 20,
        averageVerificationMs: 7,
        averageOutputMs: 3,
        longestMs: 30,
      })
      expect(body.buckets[0]).toMatchObject({ completed: 0, averageQueueMs: null, longestMs: null })
      const month = await world.json('GET', '/dashboard/api/statistics?from=2026-11-01&to=2026-11-30')
      expect(month.body.buckets).toHaveLength(30)
      expect((await world.json('GET', '/dashboard/api/statistics')).body.buckets).toHaveLength(7 * 24)
      expect(month.body.buckets[14]).toMatchObject({ at: '2026-11-15T03:00:00.000Z', completed: 1, failed: 1 })
      const bad = await world.json('GET', '/dashboard/api/statistics?from=yesterday')
      expect([bad.status, bad.body.code]).toEqual([400, 'validation.filter-invalid'])
    })
  })

  describe(`the days of the site on ${database}`, () => {
    test('a job of the late evening belongs to that day, in lists, deep pages and statistics', async () => {
      const world = await freshJobs()
      // 22:30 of the 15th in São Paulo.
      world.clock.set('2026-11-16T01:30:00.000Z')
      const evening = await complete(world, { fileName: 'evening.pdf' })
      world.clock.set('2026-11-16T03:00:00.000Z')
      const midnight = await complete(world, { fileName: 'midnight.pdf' })
      const ids = async (query: string) => {
        const { body } = await world.json('GET', `/api/jobs?${query}`)
        expect(body.totalCount).toBe(body.items.length)
        return body.items.map(({ id }: { id: string }) => id)
      }
      for (const more of ['', '&status=Completed', '&fileName=i', '&format=Pades&source=Watcher']) {
        expect(await ids(`from=2026-11-15&to=2026-11-15${more}`)).toEqual([evening.id])
        expect(await ids(`from=2026-11-16&to=2026-11-16${more}`)).toEqual([midnight.id])
        expect(await ids(`to=2026-11-15${more}`)).toEqual([evening.id])
        expect(await ids(`from=2026-11-15${more}`)).toEqual([midnight.id, evening.id])
      }
      const completedIn = async (query: string) => {
        const { body } = await world.json('GET', `/dashboard/api/statistics?${query}`)
        return body.buckets.reduce((sum: number, { completed }: { completed: number }) => sum + completed, 0)
      }
      expect(await completedIn('from=2026-11-15&to=2026-11-15')).toBe(1)
      expect(await completedIn('from=2026-11-01&to=2026-11-15')).toBe(1)
      expect(await completedIn('from=2026-11-16&to=2026-11-16')).toBe(1)
    })
  })

  describe(`GET /dashboard/api/live on ${database}`, () => {
    test('tells of changed jobs with the counts, and a stop of the service ends it', async () => {
      const world = await startJobs(database)
      const stream = await liveEvents(world)
      const job = await queue(world)
      const told = await stream.until('jobs')
      expect(told.changed).toContainEqual({ id: job.id, status: 'Queued' })
      expect(told.counts).toMatchObject({ Queued: 1 })
      await world.stop()
      await stream.ended
    })

    test('takes a key like every other route', async () => {
      const world = await freshJobs()
      const answer = await fetch(`${world.baseUrl}/dashboard/api/live`)
      expect(answer.status).toBe(401)
    })
  })
}

/** Reads a stream of server-sent events. */
async function liveEvents(world: JobsWorld) {
  const answer = await world.call('GET', '/dashboard/api/live')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  let text = ''
  const ended = (async () => {
    for await (const chunk of answer.body!) text += Buffer.from(chunk).toString()
  })()
  const until = async (event: string) => {
    await expect.poll(() => text).toContain(`event: ${event}\n`)
    const [, data = ''] = new RegExp(`event: ${event}\ndata: (.*)\n`).exec(text) ?? []
    return JSON.parse(data)
  }
  await expect.poll(() => text).toContain('retry:')
  return { until, ended }
}
