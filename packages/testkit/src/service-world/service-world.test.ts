import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KernelSettings } from '@chancela/service-kernel/config'
import { type ApiKeyTables, createApplication, createKey } from '@chancela/service-kernel/http'
import { describe, expect, test, vi } from 'vitest'
import { testClock } from '../clock/index.ts'
import { sampleService } from '../sample-service/index.ts'
import {
  callerOf,
  type Database,
  databases,
  type ServiceWorldOptions,
  sharedWorld,
  startServiceWorld,
  withSections,
  worldOfTest,
} from './index.ts'

const clock = testClock()

/** The sample service with an authorized caller. */
async function start(database: Database, options: Partial<ServiceWorldOptions<ApiKeyTables>> = {}) {
  const service = await startServiceWorld<ApiKeyTables, KernelSettings>(sampleService, { database, clock, ...options })
  const { id: applicationId } = await createApplication(service.store, `app ${crypto.randomUUID()}`, clock())
  const { key } = await createKey(service.store, { applicationId, description: 'test' }, clock())
  const caller = callerOf(service.urlOf('sample'), { 'X-API-Key': key })
  // The running service notices keys added directly to the database after a moment.
  await vi.waitUntil(async () => (await caller.call('GET', '/api/notes/none')).status !== 401)
  return { world: { ...service, ...caller }, close: service.close }
}

for (const database of databases) {
  describe(`a world on ${database}`, () => {
    const shared = sharedWorld(() => start(database))
    const seen: string[] = []

    test.each(['one', 'another'])('that is shared is the same for %s test', async () => {
      const { dataFolder, json } = shared()
      seen.push(dataFolder)
      expect(new Set(seen).size).toBe(1)
      expect((await json('POST', '/api/notes', { text: 'hello' })).status).toBe(201)
    })

    test('is the whole service on its database, with the settings of a file', async () => {
      const { settings, store, log, json } = shared()
      expect(await store.version()).toContain(database)
      expect([settings.Database.Url, settings.Health.CacheSeconds]).toEqual([store.url, 0])
      expect((await json('GET', '/api/ready')).body).toMatchObject({ ready: true })
      expect(log()).toContain('/api/ready')
    })

    test('that was stopped is started again on its data, which only the first removes', async () => {
      const first = await start(database)
      const { id } = (await first.world.json('POST', '/api/notes', { text: 'remember' })).body
      await first.world.stop()
      const second = await start(database, { after: first.world })
      expect((await second.world.json('GET', `/api/notes/${id}`)).body).toEqual({ id, text: 'remember' })
      await second.close()
      expect(existsSync(first.world.dataFolder)).toBe(true)
      await first.close()
      expect(existsSync(first.world.dataFolder)).toBe(false)
    })
  })
}

describe('a world', () => {
  test('of a test ends with it', async () => {
    const close = vi.fn(async () => {})
    expect(await worldOfTest(Promise.resolve({ world: 'w', close }))).toBe('w')
    expect(close).not.toHaveBeenCalled()
    closed = close
  })
  let closed = vi.fn(async () => {})

  test('of an earlier test has ended', () => expect(closed).toHaveBeenCalledTimes(1))

  test('finds the files that were put into its data folder before it started', async () => {
    const prepare = async (folder: string) => writeFileSync(join(folder, 'master.key'), 'not a key')
    const settings = { Secrets: { MasterKeyFile: 'master.key' } }
    await expect(startServiceWorld(sampleService, { database: 'SQLite', clock, settings, prepare })).rejects.toThrow(
      /master\.key/,
    )
  })

  test('is not started with settings that its service refuses', async () => {
    const settings = { Http: { Port: 'many' } }
    await expect(startServiceWorld(sampleService, { database: 'SQLite', clock, settings })).rejects.toThrow(/Port/)
  })
})

test('sections lie over sections: what is not named stays, and what is no section is replaced', () => {
  const base = { Http: { Port: 1, PublicUrl: 'x' }, Profiles: [1, 2] } as never
  expect(withSections(base, { Http: { Port: 2 }, Mail: { Enabled: true }, Profiles: [3] } as never)).toEqual({
    Http: { Port: 2, PublicUrl: 'x' },
    Mail: { Enabled: true },
    Profiles: [3],
  })
})
