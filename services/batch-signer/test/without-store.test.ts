// A start whose PostgreSQL is not there: behind a door that is shut, then opened (spec 2, Readiness).
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SettingsFile, startServiceWorld, worldOfTest } from '@chancela/testkit/service-world'
import { type Door, doorTo, type TestStore, testStores } from '@chancela/testkit/stores'
import { temporaryFolder } from '@chancela/testkit/tools'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { batchSigner } from '../src/index.ts'
import type { BatchSignerSettings } from '../src/settings.ts'
import type { Tables } from '../src/store/tables.ts'

const API_KEY = 'a key of sixteen letters and more'
const surfaces = ['batch-signer', 'batch-signer-compact'] as const

let store: TestStore<Tables>
beforeAll(async () => {
  store = await testStores.PostgreSQL<Tables>(batchSigner.migrations)
})

/** A site with a file in its input folder, whose database is behind a shut door. */
async function site() {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'in'))
  writeFileSync(join(folder, 'in', 'waiting.txt'), 'to be signed')
  const door = await doorTo(store.url)
  await door.shut()
  onTestFinished(() => door.shut())
  return { folder, door }
}

async function start({ folder, door }: { folder: string; door: Door }, settings: SettingsFile = {}) {
  const close = startServiceWorld<Tables, BatchSignerSettings>(batchSigner, {
    database: 'PostgreSQL',
    clock: () => new Date(),
    after: { store, dataFolder: folder },
    settings: {
      Database: { Url: door.url },
      Compact: { Port: 0 },
      Auth: { ApiKey: API_KEY },
      Storage: { Inputs: [{ Name: 'default', Path: 'in' }] },
      WatchedFolder: { StabilityPollIntervalMs: 50, StabilityRequiredSamples: 1 },
      ...settings,
    },
  }).then((world) => ({ world, close: world.close }))
  const world = await worldOfTest(close)
  const call = (surface: string, path: string, init: RequestInit = {}) =>
    fetch(world.urlOf(surface) + path, { headers: { 'X-API-Key': API_KEY }, ...init })
  return { ...world, call }
}

describe.each(surfaces)('%s', (surface) => {
  test('started without its database is alive and not ready, refuses every other call and touches no folder', async () => {
    const place = await site()
    const { call } = await start(place)
    expect((await call(surface, '/api/health')).status).toBe(200)
    const ready = await call(surface, '/api/ready')
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({ ready: false })

    const form = () => {
      const body = new FormData()
      body.append('file', new File(['content'], 'a.txt'))
      return { method: 'POST', body }
    }
    const others: [string, RequestInit?][] = [
      ['/'],
      ['/', { headers: { accept: 'text/html' } }],
      ['/api/jobs'],
      ['/api/jobs?page=nothing'],
      ['/api/metrics'],
      ['/openapi/v1.json'],
      ['/no/such/route'],
      ['/api/files', form()],
      ['/api/jobs/abc', { method: 'DELETE' }],
      ['/api/health', { method: 'POST' }],
    ]
    for (const [path, init] of others) {
      const answer = await call(surface, path, init)
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5'])
      expect(answer.headers.get('content-type')).toContain('application/problem+json')
      expect(await answer.json()).toMatchObject({ status: 503, code: 'service.busy' })
    }
    expect(readdirSync(join(place.folder, 'in'))).toEqual(['waiting.txt'])
    expect(existsSync(join(place.folder, 'batch-signer'))).toBe(false)
  })
})

test('the check of the database stays red after it is back, and tells to restart, as the log does once', async () => {
  const place = await site()
  const { call, log, stop } = await start(place)
  const detail = async () => {
    const answer = await call('batch-signer', '/api/ready/details')
    expect(answer.status).toBe(503)
    const { checks } = (await answer.json()) as { checks: { name: string; ok: boolean; detail: string }[] }
    expect(checks).toMatchObject([{ name: 'database', ok: false }])
    return checks[0]!.detail
  }
  const compact = async () => {
    const answer = await call('batch-signer-compact', '/api/ready')
    const { checks } = (await answer.json()) as { checks: Record<string, string> }
    return [answer.status, checks.database]
  }
  expect(await (await call('batch-signer', '/api/ready')).json()).toEqual({
    ready: false,
    checks: [{ name: 'database', ok: false }],
  })
  expect((await call('batch-signer', '/api/ready/details', { headers: {} })).status).toBe(401)
  const before = await detail()
  expect(before).toContain('must be restarted')
  expect(await compact()).toEqual([503, `fail: ${before}`])

  await place.door.open()
  await vi.waitUntil(async () => (await detail()) !== before, { interval: 100 })
  const after = await detail()
  expect(after).toContain('must be restarted')
  expect(await compact()).toEqual([503, `fail: ${after}`])
  expect((await call('batch-signer', '/api/jobs')).status).toBe(503)
  expect(log().match(/the database answers again/g)).toHaveLength(1)
  expect(readdirSync(join(place.folder, 'in'))).toEqual(['waiting.txt'])
  await stop()

  const restarted = await start(place)
  const listed = await restarted.call('batch-signer', '/api/jobs')
  expect(listed.status).toBe(200)
})

test('Readiness:RequireApiKey holds without the database, too', async () => {
  const { call } = await start(await site(), { Readiness: { RequireApiKey: true } })
  expect((await call('batch-signer', '/api/ready', { headers: {} })).status).toBe(401)
  expect((await call('batch-signer', '/api/ready')).status).toBe(503)
})

test('wrong settings and a wrong password still end the start', async () => {
  const place = await site()
  await expect(start(place, { Auth: { ApiKey: API_KEY, ApiKeyHeader: 'a header' } })).rejects.toThrow(
    'Auth:ApiKeyHeader',
  )
  await place.door.open()
  const url = Object.assign(new URL(place.door.url), { password: 'wrong' }).href
  await expect(start({ ...place, door: { ...place.door, url } })).rejects.toThrow('rejects the user or the password')
})
