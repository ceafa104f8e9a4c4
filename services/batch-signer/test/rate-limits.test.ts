import { SECOND } from '@chancela/service-kernel/clock'
import { describe, expect, test } from 'vitest'
import { startWorld, type World } from './test-support/operations-world.ts'
import { startBatchSigner } from './test-support/running-service.ts'

/** The policies of the specification: calls per 60 seconds and address. */
const policies = { Upload: 30, Actions: 60, Approval: 10, Export: 10, SignerNotification: 600 }

const state = (world: World, headers: Record<string, string> = {}) =>
  world.call('GET', '/api/pipeline/state', { headers })

async function exhaust(world: World): Promise<void> {
  for (let n = 0; n < 30; n++) expect((await state(world)).status).toBe(200)
  for (let n = 0; n < 30; n++) expect((await world.call('POST', '/api/pipeline/resume')).status).toBe(200)
}

const ways = { full: ['POST', '/api/rescan'], compact: ['GET', '/api/jobs'] } as const

describe('rate limits', () => {
  test('are the five policies of the specification', async () => {
    const { context } = await startWorld()
    for (const [policy, PermitsPerWindow] of Object.entries(policies))
      expect(context.settings.RateLimiting).toHaveProperty(policy, { PermitsPerWindow, WindowSeconds: 60 })
  })

  test('Actions is one fixed window for all its routes: 429 rate-limited with Retry-After', async () => {
    const world = await startWorld()
    await exhaust(world)
    world.clock.advance(20 * SECOND)
    const over = await world.call('POST', '/api/cleanup')
    expect([over.status, over.headers.get('retry-after'), await over.json()]).toMatchObject([
      429,
      '40',
      { code: 'rate-limited', status: 429 },
    ])
    world.clock.advance(40 * SECOND)
    expect((await state(world)).status).toBe(200)
  })

  test('do not touch routes without a policy, nor move by a forged address', async () => {
    const world = await startWorld()
    await exhaust(world)
    expect((await state(world, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(429)
    expect((await world.call('GET', '/api/events')).status).toBe(200)
    expect((await world.call('GET', '/api/ready/details')).status).toBe(200)
  })

  test('count callers without a key as well', async () => {
    const world = await startWorld({ settings: { RateLimiting: { Actions: { PermitsPerWindow: 2 } } } })
    const anonymous = () => fetch(`${world.baseUrl}/api/pipeline/state`)
    expect([(await anonymous()).status, (await anonymous()).status, (await anonymous()).status]).toStrictEqual([
      401, 401, 429,
    ])
  })

  test('leave the calls of a right key to it, whatever strangers at its address do, in both variants', async () => {
    const signer = await startBatchSigner({ database: 'SQLite', settings: { RateLimiting: { Enabled: true } } })
    for (const surface of ['full', 'compact'] as const) {
      const [method, path] = ways[surface]
      const strangers = []
      for (let n = 0; n < 62; n++) {
        const key = n % 2 ? 'a guess at the key' : null
        strangers.push((await signer[surface].call(method, path, { key })).status)
      }
      expect(strangers).toStrictEqual([...Array(60).fill(401), 429, 429])
      expect((await signer[surface].call(method, path)).status).toBe(200)
    }
  })

  test('can be switched off', async () => {
    const world = await startWorld({
      settings: { RateLimiting: { Enabled: false, Actions: { PermitsPerWindow: 1 } } as Record<string, unknown> },
    })
    for (let n = 0; n < 3; n++) expect((await state(world)).status).toBe(200)
  })
})
