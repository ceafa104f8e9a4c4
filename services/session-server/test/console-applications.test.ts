import { HOUR, plus } from '@chancela/service-kernel/clock'
import { refusal, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { databases, type SessionWorld, sharedSessionServer } from './test-support/session-world.ts'

/** How the contract answers a key. */
const answersTo = async ({ json }: SessionWorld, apiKey: string): Promise<number> =>
  (await json('GET', '/v1/sessions/status?sessionId=x', undefined, { 'X-API-Key': apiKey })).status

for (const database of databases) {
  describe(`applications and keys on ${database}`, () => {
    const world = sharedSessionServer(database)
    const named = () => `app ${crypto.randomUUID()}`

    const withKey = async () => {
      const browser = await signedIn(world())
      const { body: application } = await browser.call('POST', '/api/applications', { name: named() })
      const { body: made } = await browser.call('POST', `/api/applications/${application.id}/keys`, {
        description: 'a key',
      })
      return { browser, application, made }
    }

    test('a key is shown once and works with the next call', async () => {
      const { browser, application, made } = await withKey()
      expect(made).toEqual({ id: expect.any(String), key: expect.stringMatching(/^[0-9a-f]{64}$/) })
      const { body: all } = await browser.call('GET', '/api/applications')
      const key = {
        id: made.id,
        description: 'a key',
        createdAt: world().clock().toISOString(),
        expiresAt: null,
        revokedAt: null,
        lastUsedAt: null,
      }
      expect(all.find(({ id }: { id: string }) => id === application.id)).toEqual({ ...application, keys: [key] })
      expect(JSON.stringify(all)).not.toContain(made.key)
      expect(await answersTo(world(), made.key)).toBe(200)
      const rows = await world().store.db.selectFrom('api_key').selectAll().execute()
      expect(JSON.stringify(rows) + world().log()).not.toContain(made.key)
    })

    test('a revoked key is refused with the next call', async () => {
      const { browser, application, made } = await withKey()
      expect((await browser.call('DELETE', `/api/keys/${made.id}`)).status).toBe(204)
      expect(await answersTo(world(), made.key)).toBe(401)
      const { body } = await browser.call('GET', '/api/applications')
      const own = body.find(({ id }: { id: string }) => id === application.id)
      expect(own.keys[0].revokedAt).toBe(world().clock().toISOString())
    })

    test('an expired key is refused', async () => {
      const { browser, application } = await withKey()
      const expiresAt = plus(world().clock(), HOUR).toISOString()
      const path = `/api/applications/${application.id}/keys`
      const { body: made } = await browser.call('POST', path, { description: 'for an hour', expiresAt })
      expect(await answersTo(world(), made.key)).toBe(200)
      world().clock.advance(HOUR)
      expect(await answersTo(world(), made.key)).toBe(401)
    })

    test('a disabled application is refused with every key, until it is enabled', async () => {
      const { browser, application, made } = await withKey()
      const path = `/api/applications/${application.id}`
      expect((await browser.call('PUT', path, { disabled: true })).body).toMatchObject({
        ...application,
        disabled: true,
        keys: [{ id: made.id }],
      })
      expect(await answersTo(world(), made.key)).toBe(401)
      expect((await browser.call('PUT', path, { disabled: false })).body.disabled).toBe(false)
      expect(await answersTo(world(), made.key)).toBe(200)
    })

    test('each refusal is told apart', async () => {
      const { browser, application } = await withKey()
      const keys = `/api/applications/${application.id}/keys`
      const key = { description: 'x' }
      expect(refusal(await browser.call('POST', '/api/applications', { name: application.name }))).toEqual([
        409,
        'APPLICATION_NAME_TAKEN',
      ])
      expect(refusal(await browser.call('POST', '/api/applications', { name: 'a|b' }))).toEqual([
        422,
        'APPLICATION_NAME_INVALID',
      ])
      expect(refusal(await browser.call('PUT', '/api/applications/none', { disabled: true }))).toEqual([
        404,
        'APPLICATION_NOT_FOUND',
      ])
      expect(refusal(await browser.call('POST', '/api/applications/none/keys', key))).toEqual([
        404,
        'APPLICATION_NOT_FOUND',
      ])
      expect(refusal(await browser.call('DELETE', '/api/keys/none'))).toEqual([404, 'API_KEY_NOT_FOUND'])
      for (const wrong of [
        { description: ' ' },
        { ...key, expiresAt: world().clock().toISOString() },
        { ...key, expiresAt: 'soon' },
      ])
        expect(refusal(await browser.call('POST', keys, wrong))).toEqual([400, 'INVALID_REQUEST'])
    })

    test('what was done is told once with who did it, and what was refused or changed nothing is not', async () => {
      const { browser, application, made } = await withKey()
      await browser.call('PUT', `/api/applications/${application.id}`, { disabled: true })
      await browser.call('PUT', `/api/applications/${application.id}`, { disabled: false })
      for (let times = 0; times < 2; times += 1) await browser.call('DELETE', `/api/keys/${made.id}`)
      await browser.call('POST', '/api/applications', { name: application.name })
      const { body } = await browser.call('GET', `/api/events?q=${encodeURIComponent(application.name)}`)
      expect(body.items.map(({ type, actor }: { type: string; actor: string }) => [type, actor])).toEqual(
        ['ApiKeyRevoked', 'ApplicationEnabled', 'ApplicationDisabled', 'ApiKeyCreated', 'ApplicationCreated'].map(
          (type) => [type, browser.email],
        ),
      )
      expect(JSON.stringify(body)).not.toContain(made.key)
    })
  })
}
