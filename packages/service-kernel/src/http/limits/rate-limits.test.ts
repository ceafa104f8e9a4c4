import { testClock } from '@chancela/testkit/clock'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { SECOND } from '../../clock/index.ts'
import { clientNetwork } from '../client-address.ts'
import type { RouteShape } from '../route.ts'
import { serve } from '../serve.ts'
import { listen, testApp } from '../test-support/test-app.ts'
import { type RateLimiting, rateLimits } from './rate-limits.ts'

const twoPerMinute = { PermitsPerWindow: 2, WindowSeconds: 60 }

async function limitedService(rateLimits: RateLimiting, options = {}) {
  const clock = testClock()
  const { app } = await testApp({ clock, rateLimits, ...options })
  const open = { method: 'GET', summary: 'S.', access: 'anonymous', answer: Type.String() } as const
  const routes: RouteShape[] = [
    { ...open, path: '/a', policy: 'Upload' },
    { ...open, path: '/b', policy: 'Upload' },
    { ...open, path: '/c', policy: 'Export' },
    { ...open, path: '/free' },
  ]
  for (const route of routes) serve(app, route as never, (() => 'ok') as never)
  const url = await listen(app)
  const call = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers })
  return { clock, call, status: async (path: string, headers = {}) => (await call(path, headers)).status }
}

const caller = (keyId: string) => ({ applicationId: 'a', application: 'A', keyId })

const limits = { Upload: twoPerMinute, Export: twoPerMinute }

describe('rate limits', () => {
  test('routes of one policy share a counter, policies do not', async () => {
    const { status } = await limitedService(limits)
    expect([await status('/a'), await status('/b'), await status('/a'), await status('/b')]).toEqual([
      200, 200, 429, 429,
    ])
    expect([await status('/c'), await status('/c'), await status('/c')]).toEqual([200, 200, 429])
    expect(await status('/free')).toBe(200)
  })

  test('a refused call is told in whole seconds when to come back, and nothing else of the limit', async () => {
    const { call, status, clock } = await limitedService(limits)
    await status('/a')
    clock.advance(500)
    await status('/a')
    const refused = await call('/a')
    expect(refused.headers.get('retry-after')).toBe('60')
    clock.advance(59 * SECOND)
    expect((await call('/a')).headers.get('retry-after')).toBe('1')
    expect([...refused.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
  })

  test('the window is fixed: it ends when it ends, however many calls were refused', async () => {
    const { status, clock } = await limitedService(limits)
    await status('/a')
    clock.advance(30 * SECOND)
    await status('/a')
    expect(await status('/a')).toBe(429)
    clock.advance(30 * SECOND - 1)
    expect(await status('/a')).toBe(429)
    clock.advance(1)
    expect([await status('/a'), await status('/a'), await status('/a')]).toEqual([200, 200, 429])
  })

  test('limits can be switched off', async () => {
    const { status } = await limitedService({ ...limits, Enabled: false })
    expect(await Promise.all(Array.from({ length: 5 }, () => status('/a')))).toEqual(Array(5).fill(200))
  })

  test('an app may put all its routes under one policy', async () => {
    const { status } = await limitedService({ ...limits, All: twoPerMinute }, { defaultPolicy: 'All' })
    expect([await status('/free'), await status('/free'), await status('/free')]).toEqual([200, 200, 429])
  })

  test('a policy without settings stops the start with the name of the setting', async () => {
    await expect(limitedService({ Upload: twoPerMinute })).rejects.toMatchObject({
      name: 'StartupProblem',
      setting: 'RateLimiting:Export',
    })
  })

  test('clients beyond all measure do not fill the memory: the oldest are forgotten first', () => {
    const count = rateLimits(limits, testClock()).policy('Upload')!
    for (const client of ['first', 'first', 'second', 'second']) count(client)
    expect(() => count('first')).toThrow()
    for (let client = 0; client < 99_999; client += 1) count(String(client))
    expect(() => count('second')).toThrow()
    expect(() => count('first')).not.toThrow()
  })

  test('strangers and wrong keys use up nobody else’s calls, and each right key has its own', async () => {
    const keys = { first: caller('first'), second: caller('second') }
    const ring = { find: (key: string | undefined) => keys[key as keyof typeof keys] }
    const { app } = await testApp({ rateLimits: limits, keys: { ring } })
    serve(app, { method: 'GET', path: '/a', summary: 'A.', policy: 'Upload' }, () => {})
    const url = await listen(app)
    const call = async (key?: string) => (await fetch(`${url}/a`, { headers: key ? { 'x-api-key': key } : {} })).status
    const calls = async (...given: readonly (string | undefined)[]) => {
      const statuses = []
      for (const key of given) statuses.push(await call(key))
      return statuses
    }
    expect(await calls(undefined, 'guess', undefined, 'guess')).toEqual([401, 401, 429, 429])
    expect(await calls('first', 'first', 'first', 'second', 'second', 'second')).toEqual([204, 204, 429, 204, 204, 429])
  })

  test('guessing keys is limited too', async () => {
    const { app } = await testApp({ rateLimits: limits })
    serve(app, { method: 'GET', path: '/a', summary: 'A.', policy: 'Upload' }, () => {})
    const url = await listen(app)
    const guess = async () => (await fetch(`${url}/a`, { headers: { 'x-api-key': 'guess' } })).status
    expect([await guess(), await guess(), await guess()]).toEqual([401, 401, 429])
  })
})

describe('the client a limit counts', () => {
  test('is the peer: a header of its own making does not give it a new counter', async () => {
    const { status } = await limitedService(limits)
    const pretending = (address: string) => status('/a', { 'x-forwarded-for': address })
    expect([await pretending('1.1.1.1'), await pretending('2.2.2.2'), await pretending('3.3.3.3')]).toEqual([
      200, 200, 429,
    ])
  })

  test('is whom a trusted proxy names, the nearest address that is no trusted proxy', async () => {
    const { status } = await limitedService(limits, { settings: { trustedProxies: ['loopback', '10.0.0.0/8'] } })
    const forwarded = (addresses: string) => status('/a', { 'x-forwarded-for': addresses })
    expect([
      await forwarded('8.8.8.8'),
      await forwarded('6.6.6.6, 8.8.8.8'),
      await forwarded('8.8.8.8, 10.1.2.3'),
    ]).toEqual([200, 200, 429])
    expect(await forwarded('9.9.9.9')).toBe(200)
  })

  test('is the proxy itself when it names something that is no address', async () => {
    const { status } = await limitedService(limits, { settings: { trustedProxies: ['loopback'] } })
    const forwarded = (addresses: string) => status('/a', { 'x-forwarded-for': addresses })
    expect([await forwarded('unknown'), await forwarded('_hidden'), await forwarded('x')]).toEqual([200, 200, 429])
  })

  test('is the same with and without the port some proxies append', async () => {
    const { status } = await limitedService(limits, { settings: { trustedProxies: ['loopback'] } })
    const forwarded = (addresses: string) => status('/a', { 'x-forwarded-for': addresses })
    expect([await forwarded('8.8.8.8:1234'), await forwarded('8.8.8.8'), await forwarded('8.8.8.8:99')]).toEqual([
      200, 200, 429,
    ])
  })

  test('is a whole /64 on IPv6', async () => {
    const { status } = await limitedService(limits, { settings: { trustedProxies: ['loopback'] } })
    const forwarded = (addresses: string) => status('/a', { 'x-forwarded-for': addresses })
    expect([
      await forwarded('2001:db8:1:2::1'),
      await forwarded('2001:DB8:1:2:ffff::9'),
      await forwarded('[2001:db8:1:2::5]:443'),
      await forwarded('2001:db8:1:3::1'),
    ]).toEqual([200, 200, 429, 200])
  })

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0001:0:0:0:1', '2001:db8:0:1::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ])('%s counts as %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network)
  })
})
