import { describe, expect, test } from 'vitest'
import { batchMetricTable } from '../src/metrics.ts'
import { API_KEY, sharedOperations, startWorld } from './test-support/operations-world.ts'

describe('GET /api/metrics', () => {
  const fresh = sharedOperations()

  test('requires the key unless Metrics:RequireApiKey is false', async () => {
    const closed = await fresh()
    expect((await fetch(`${closed.baseUrl}/api/metrics`)).status).toBe(401)
    const open = await startWorld({ settings: { Metrics: { RequireApiKey: false } } })
    expect((await fetch(`${open.baseUrl}/api/metrics`)).status).toBe(200)
  })

  test('is Prometheus text in which every name carries the prefix bulk_', async () => {
    const world = await fresh()
    const answer = await world.call('GET', '/api/metrics')
    expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await answer.text()
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!)
    expect(names.filter((name) => !name.startsWith('bulk_'))).toStrictEqual([])
    for (const name of Object.keys(batchMetricTable)) expect(names).toContain(name)
  })

  test('never carries the key', async () => {
    const world = await fresh()
    expect(await (await world.call('GET', '/api/metrics')).text()).not.toContain(API_KEY)
  })
})
