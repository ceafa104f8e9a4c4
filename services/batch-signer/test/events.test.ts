import { DAY, HOUR } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { sharedOperations, startWorld, type World } from './test-support/operations-world.ts'

interface Page {
  items: { id: string; timestamp: string; eventType: string; message: string; code?: string; actor: string }[]
  page: number
  pageSize: number
  totalCount: number
}

const pageOf = async (world: World, query = ''): Promise<Page> =>
  (await (await world.call('GET', `/api/events${query}`)).json()) as Page

const messages = async (world: World, query: string) => (await pageOf(world, query)).items.map(({ message }) => message)

/** Five events, an hour apart, beside the service's own. */
async function withEvents(world: World): Promise<World> {
  const { events, store } = world.context
  const record = async (type: string, text: string, code?: string) => {
    world.clock.advance(HOUR)
    await events.record(store.db, { type, actor: 'api-key', text, ...(code !== undefined && { code }) })
  }
  await record('PipelinePaused', 'Pipeline paused by api-key. Reason: 100% full_disk')
  await record('PipelineResumed', 'Pipeline resumed by api-key.')
  await record('InputDiverged', 'AÇÃO.pdf was rewritten.', 'job.input-diverged')
  await record('JobDeleted', 'Job 1 deleted.')
  await record('JobDeleted', 'Job 2 deleted.')
  return world
}

for (const database of ['SQLite', 'PostgreSQL'] as const)
  describe(`GET /api/events on ${database}`, () => {
    const fresh = sharedOperations(database)

    test('lists the operational events, newest first', async () => {
      const world = await withEvents(await fresh())
      const { items, ...rest } = await pageOf(world)
      expect(rest).toStrictEqual({ page: 1, pageSize: 50, totalCount: 6 })
      expect(items.map(({ eventType }) => eventType)).toStrictEqual([
        'JobDeleted',
        'JobDeleted',
        'InputDiverged',
        'PipelineResumed',
        'PipelinePaused',
        'ServiceStarted',
      ])
      expect(items[2]).toStrictEqual({
        id: expect.any(String),
        timestamp: '2026-03-02T15:00:00.000Z',
        eventType: 'InputDiverged',
        message: 'AÇÃO.pdf was rewritten.',
        code: 'job.input-diverged',
        actor: 'api-key',
      })
      expect(items[0]).not.toHaveProperty('code')
    })

    test('filters by type, date range and text', async () => {
      const world = await withEvents(await fresh())
      expect(await messages(world, '?eventType=InputDiverged')).toStrictEqual(['AÇÃO.pdf was rewritten.'])
      expect(await messages(world, '?eventType=PipelinePaused&eventType=PipelineResumed')).toHaveLength(2)
      expect(await messages(world, '?from=2026-03-02T16:00:00Z')).toStrictEqual(['Job 2 deleted.', 'Job 1 deleted.'])
      expect(await messages(world, '?from=2026-03-02T16:00:00&to=2026-03-02T17:00:00')).toStrictEqual([
        'Job 1 deleted.',
      ])
      expect(await messages(world, '?to=2026-03-02T10:00:00-03:00')).toHaveLength(1)
      expect(await messages(world, '?from=2026-03-02T19:00:00+03:00&to=2026-03-03')).toHaveLength(2)
      // A day alone is one of the site, which begins at three o'clock of UTC.
      expect(await messages(world, '?from=2026-03-02&to=2026-03-03')).toEqual(
        await messages(world, '?from=2026-03-02T03:00:00Z&to=2026-03-03T03:00:00Z'),
      )
      expect(await messages(world, `?contains=${encodeURIComponent('ação')}`)).toHaveLength(1)
      expect(await messages(world, `?contains=${encodeURIComponent('100% full_')}`)).toHaveLength(1)
      expect(await messages(world, '?contains=%25')).toHaveLength(1)
      expect(await messages(world, '?contains=job.input-diverged')).toHaveLength(1)
    })

    test('pages: 50 by default, at most 200', async () => {
      const world = await withEvents(await fresh())
      expect(await messages(world, '?pageSize=2&page=2')).toStrictEqual([
        'AÇÃO.pdf was rewritten.',
        'Pipeline resumed by api-key.',
      ])
      expect((await pageOf(world, '?pageSize=200')).pageSize).toBe(200)
      expect(await pageOf(world, '?page=10737418')).toMatchObject({ items: [], totalCount: 6 })
    })

    test('refuses what makes no sense with validation.filter-invalid, never widening it', async () => {
      const world = await withEvents(await fresh())
      const wrong = [
        'from=yesterday',
        'to=2026-13-01',
        'from=2026-02-30',
        'from=2026-03-02T25:00:00Z',
        'from=2026-03-03&to=2026-03-02',
        'from=2026-03-02&to=2026-03-02',
        'page=0',
        'page=-3',
        'page=',
        'page=two',
        'page=1.5',
        'page=10737419',
        'pageSize=0',
        'pageSize=201',
        'pageSize=5000',
        'pageSize=many',
        'eventType=',
        'eventType=JobDeleted&eventType=%20',
      ]
      for (const query of wrong) {
        const answer = await world.call('GET', `/api/events?${query}`)
        const { code } = (await answer.json()) as { code: string }
        expect([query, answer.status, code]).toStrictEqual([query, 400, 'validation.filter-invalid'])
      }
      for (const name of ['page', 'pageSize']) {
        const refused = await (await world.call('GET', `/api/events?${name}=0`)).json()
        expect(refused, 'by name').toMatchObject({ errors: { [name]: [expect.any(String)] } })
      }
    })

    test('types lists the types that are there', async () => {
      const world = await withEvents(await fresh())
      expect(await (await world.call('GET', '/api/events/types')).json()).toStrictEqual({
        types: ['InputDiverged', 'JobDeleted', 'PipelinePaused', 'PipelineResumed', 'ServiceStarted'],
      })
    })
  })

describe('the life of the service', () => {
  test('is in the event log: ServiceStarted and ServiceStopping', async () => {
    const world = await startWorld()
    world.clock.advance(DAY)
    await world.stop()
    const again = await startWorld({ after: world })
    expect((await pageOf(again)).items.map(({ eventType, timestamp }) => [eventType, timestamp])).toStrictEqual([
      ['ServiceStarted', '2026-03-03T12:00:00.000Z'],
      ['ServiceStopping', '2026-03-03T12:00:00.000Z'],
      ['ServiceStarted', '2026-03-02T12:00:00.000Z'],
    ])
  })
})
