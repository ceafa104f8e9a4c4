import { testClock } from '@chancela/testkit/clock'
import { type TestStore, testStores } from '@chancela/testkit/stores'
import Type from 'typebox'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DAY, MINUTE, plus } from '../../clock/index.ts'
import { serve } from '../serve.ts'
import { listen, testApp } from '../test-support/test-app.ts'
import {
  createApplication,
  createKey,
  disableApplication,
  enableApplication,
  listApplications,
  listKeys,
  revokeKey,
} from './manage.ts'
import { openApiKeyRing } from './ring.ts'
import type { KeyForm } from './secret.ts'
import { type ApiKeyTables, apiKeyMigrations } from './tables.ts'

const hashing = vi.hoisted(() => ({ calls: [] as string[] }))
vi.mock(import('./secret.ts'), async (original) => {
  const real = await original()
  const secretHash = (secret: string): string => {
    hashing.calls.push(secret)
    return real.secretHash(secret)
  }
  return { ...real, secretHash }
})
afterEach(() => void hashing.calls.splice(0))

const noon = new Date('2026-03-02T12:00:00.000Z')
const set = { 'api-keys': apiKeyMigrations }

for (const [name, open] of Object.entries(testStores)) {
  describe(`API keys on ${name}`, () => {
    const keyStore = () => open<ApiKeyTables>(set)

    async function keyOf(
      store: TestStore<ApiKeyTables>,
      more: { expiresAt?: Date; form?: KeyForm; application?: string } = {},
    ) {
      const { application = 'demo', ...rest } = more
      const { id: applicationId } = await createApplication(store, application, noon)
      return { applicationId, ...(await createKey(store, { applicationId, description: 'for tests', ...rest }, noon)) }
    }

    async function ringOf(store: TestStore<ApiKeyTables>, clock = testClock(noon), refreshSeconds = 60) {
      const ring = await openApiKeyRing(store, { clock, refreshSeconds })
      onTestFinished(() => ring.close())
      return ring
    }

    test('a key is shown once and kept as a hash only', async () => {
      const store = await keyStore()
      const { key, id } = await keyOf(store)
      expect(key).toMatch(/^[0-9a-f]{64}$/)
      const row = await store.db.selectFrom('api_key').selectAll().executeTakeFirstOrThrow()
      expect(JSON.stringify(row)).not.toContain(key)
      const [listed] = await listKeys(store)
      expect(listed).toEqual({
        id,
        application_id: row.application_id,
        application: 'demo',
        description: 'for tests',
        created_at: noon.toISOString(),
        expires_at: null,
        revoked_at: null,
        last_used_at: null,
      })
    })

    test('a key works written whole, with its application, and by its secret alone', async () => {
      const store = await keyStore()
      const { key, id, applicationId } = await keyOf(store, { form: 'application|secret' })
      const ring = await ringOf(store)
      const caller = { applicationId, application: 'demo', keyId: id }
      expect(key).toMatch(/^demo\|[0-9a-f]{64}$/)
      expect(ring.find(key)).toEqual(caller)
      expect(ring.find(key.split('|')[1])).toEqual(caller)
    })

    test('every key of an application works, until it is revoked', async () => {
      const store = await keyStore()
      const first = await keyOf(store)
      const second = await createKey(store, { applicationId: first.applicationId, description: 'second' }, noon)
      const ring = await ringOf(store)
      expect([first.key, second.key].map((key) => ring.find(key)?.keyId)).toEqual([first.id, second.id])
      await revokeKey(store, first.id, noon)
      await ring.refresh()
      expect([first.key, second.key].map((key) => ring.find(key)?.keyId)).toEqual([undefined, second.id])
    })

    test('a key ends at its expiry, to the millisecond', async () => {
      const store = await keyStore()
      const { key } = await keyOf(store, { expiresAt: plus(noon, DAY) })
      const clock = testClock(noon)
      const ring = await ringOf(store, clock)
      clock.advance(DAY - 1)
      expect(ring.find(key)).toBeDefined()
      clock.advance(1)
      expect(ring.find(key)).toBeUndefined()
    })

    test('disabling an application shuts out its keys, enabling it lets them in again', async () => {
      const store = await keyStore()
      const { key, applicationId } = await keyOf(store)
      const ring = await ringOf(store)
      await disableApplication(store, applicationId, noon)
      await ring.refresh()
      expect(ring.find(key)).toBeUndefined()
      await enableApplication(store, applicationId)
      await ring.refresh()
      expect(ring.find(key)).toBeDefined()
    })

    test('a change made by another instance arrives by notification', async () => {
      const store = await keyStore()
      const ring = await ringOf(store)
      const other = await store.reopen()
      const { id: applicationId } = await createApplication(other, 'late', noon)
      const { key, id } = await createKey(other, { applicationId, description: 'late' }, noon)
      await vi.waitFor(() => expect(ring.find(key)).toBeDefined())
      await revokeKey(other, id, noon)
      await vi.waitFor(() => expect(ring.find(key)).toBeUndefined())
    })

    test('a change nobody told of is noticed at the next refresh', async () => {
      const store = await keyStore()
      const { key } = await keyOf(store)
      const ring = await ringOf(store, testClock(noon), 0.05)
      await store.db.updateTable('api_key').set({ revoked_at: noon.toISOString() }).execute()
      await vi.waitFor(() => expect(ring.find(key)).toBeUndefined())
    })

    test('keys stay in force while the store cannot be read', async () => {
      const store = await keyStore()
      const { key } = await keyOf(store)
      const problems: unknown[] = []
      const ring = await openApiKeyRing(store, {
        clock: testClock(noon),
        refreshSeconds: 0.05,
        onProblem: (error) => problems.push(error),
      })
      await store.db.schema.alterTable('api_key').renameTo('elsewhere').execute()
      await vi.waitFor(() => expect(problems.length).toBeGreaterThan(0))
      expect(ring.find(key)).toBeDefined()
      await store.db.schema.alterTable('elsewhere').renameTo('api_key').execute()
      await ring.close()
    })

    test('the last use is written apart from the calls, at most once a minute', async () => {
      const store = await keyStore()
      const { key } = await keyOf(store)
      const clock = testClock(noon)
      const ring = await ringOf(store, clock)
      const lastUse = async () => (await listKeys(store))[0]?.last_used_at
      ring.find(key)
      expect(await lastUse()).toBeNull()
      await ring.refresh()
      expect(await lastUse()).toBe(noon.toISOString())
      clock.advance(MINUTE - 1)
      ring.find(key)
      await ring.refresh()
      expect(await lastUse()).toBe(noon.toISOString())
      clock.advance(1)
      ring.find(key)
      await ring.refresh()
      expect(await lastUse()).toBe(plus(noon, MINUTE).toISOString())
    })

    test('names are unique and can stand in a header', async () => {
      const store = await keyStore()
      await createApplication(store, ' demo ', noon)
      await expect(createApplication(store, 'demo', noon)).rejects.toMatchObject({ code: 'application.name-taken' })
      for (const wrong of ['', ' ', 'a|b', 'a\nb', 'x'.repeat(101)]) {
        await expect(createApplication(store, wrong, noon)).rejects.toMatchObject({ code: 'application.name-invalid' })
      }
      expect((await listApplications(store)).map((application) => application.name)).toEqual(['demo'])
    })

    test('what does not exist cannot be changed, and a key needs a description', async () => {
      const store = await keyStore()
      const absent = '00000000-0000-4000-8000-000000000000'
      const refusals = { code: 'application.not-found', status: 404 }
      await expect(createKey(store, { applicationId: absent, description: 'x' }, noon)).rejects.toMatchObject(refusals)
      await expect(disableApplication(store, absent, noon)).rejects.toMatchObject(refusals)
      await expect(enableApplication(store, absent)).rejects.toMatchObject(refusals)
      await expect(revokeKey(store, absent, noon)).rejects.toMatchObject({ code: 'api-key.not-found', status: 404 })
      await expect(createKey(store, { applicationId: absent, description: ' ' }, noon)).rejects.toMatchObject({
        code: 'api-key.description-missing',
      })
      expect(await listKeys(store)).toEqual([])
    })

    test('missing, unknown, revoked, expired and shut-out keys are told apart by nothing', async () => {
      const store = await keyStore()
      const good = await keyOf(store)
      const revoked = await keyOf(store, { application: 'revoked' })
      const expired = await keyOf(store, { application: 'expired', expiresAt: plus(noon, -1) })
      const disabled = await keyOf(store, { application: 'disabled' })
      await revokeKey(store, revoked.id, noon)
      await disableApplication(store, disabled.applicationId, noon)

      const ring = await ringOf(store)
      const { app } = await testApp({ keys: { ring } })
      serve(
        app,
        { method: 'GET', path: '/a', summary: 'A.', answer: Type.String() },
        ({ caller }) => caller.application,
      )
      const url = await listen(app)
      const call = async (key?: string) => {
        const answer = await fetch(`${url}/a`, key === undefined ? {} : { headers: { 'x-api-key': key } })
        const headers = [...answer.headers].filter(([header]) => !['x-correlation-id', 'date'].includes(header))
        return { status: answer.status, headers, body: await answer.text() }
      }
      expect((await call(good.key)).body).toBe('"demo"')

      // From here on the ring is not refreshed in the background, so any read would come from a call.
      await ring.close()
      const reads = vi.spyOn(store.db, 'selectFrom')
      hashing.calls.splice(0)
      const presented = [undefined, 'f'.repeat(64), revoked.key, expired.key, disabled.key]
      const answers: unknown[] = []
      for (const key of presented) answers.push(await call(key))
      expect(answers).toEqual(presented.map(() => answers[0]))
      expect(answers[0]).toMatchObject({ status: 401 })
      // The same work: one hash each, whatever was presented, and nothing read from the store.
      expect(hashing.calls).toHaveLength(presented.length)
      expect(reads).not.toHaveBeenCalled()
    })
  })
}

describe('where a key may stand', () => {
  const open = testStores.SQLite

  test('in the headers the service names, or after the words it accepts in Authorization', async () => {
    const store = await open<ApiKeyTables>(set)
    const { id: applicationId } = await createApplication(store, 'demo', noon)
    const { key } = await createKey(store, { applicationId, description: 'd', form: 'application|secret' }, noon)
    const ring = await openApiKeyRing(store)
    onTestFinished(() => ring.close())
    const { app } = await testApp({
      keys: { ring, headers: ['X-Api-Key', 'X-Other'], authorization: ['Bearer', 'ApiKey'] },
    })
    serve(app, { method: 'GET', path: '/a', summary: 'A.', answer: Type.String() }, () => 'in')
    const url = await listen(app)
    const status = async (headers: Record<string, string>) => (await fetch(`${url}/a`, { headers })).status
    expect(await status({ 'x-API-key': key })).toBe(200)
    expect(await status({ 'x-other': key })).toBe(200)
    expect(await status({ authorization: `Bearer ${key}` })).toBe(200)
    expect(await status({ authorization: `apikey ${key}` })).toBe(200)
    expect(await status({ authorization: `Basic ${key}` })).toBe(401)
    expect(await status({ authorization: key })).toBe(401)
    expect(await status({ 'x-api-key': `${key}x` })).toBe(401)
  })

  test('not in Authorization, unless the service says so', async () => {
    const { app } = await testApp()
    serve(app, { method: 'GET', path: '/a', summary: 'A.', answer: Type.String() }, () => 'in')
    const answer = await fetch(`${await listen(app)}/a`, { headers: { authorization: `Bearer ${'k'.repeat(64)}` } })
    expect(answer.status).toBe(401)
  })
})
