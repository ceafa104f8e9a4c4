import { copyOf, signedIn } from '@chancela/testkit/console'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test } from 'vitest'
import { sweepActivity } from '../src/workers/sweep-activity.ts'
import { clientAt, databases, sharedCore, startCore } from './test-support/core-world.ts'
import { authenticate, authorities, failedCall } from './test-support/management.ts'

for (const database of databases) {
  describe(`the admin page on ${database}`, () => {
    const world = sharedCore(database)

    test('signing out ends the session for every copy of its cookie', async () => {
      const browser = await signedIn(world())
      const copy = copyOf(browser)
      expect((await copy.call('GET', '/api/session')).status).toBe(200)
      await browser.call('DELETE', '/api/session')
      expect((await copy.call('GET', '/api/session')).status).toBe(401)
    })

    test('names that end a line or turn the direction are refused by their field', async () => {
      const { call } = await signedIn(world())
      for (const name of ['Cartório\r\nBcc: x', 'Car\u202etório', 'Cartório\u2029']) {
        const { status, body } = await call('POST', '/api/subscriptions', { name })
        expect([name, status, JSON.stringify(body)]).toEqual([name, 400, expect.stringContaining('name')])
      }
    })

    test('an administrator makes a subscription, an application with roles and a key, which works', async () => {
      const { call, email } = await signedIn(world())
      const name = `Cartório ${crypto.randomUUID()}`
      const { id: subscriptionId } = (await call('POST', '/api/subscriptions', { name })).body
      const asked = { subscriptionId, name: `app de ${name}`, roles: ['Worker'], rootRoles: [] }
      const { id } = (await call('POST', '/api/applications', asked)).body
      const made = await call('POST', `/api/applications/${id}/keys`, { description: 'produção' })
      const worker = callerOf(world().baseUrl, { 'X-Api-Key': made.body.key })
      const status = async () => (await worker.json('GET', '/Api/Authentication')).status
      expect(await status()).toBe(200)
      const listed = await call('GET', `/api/applications?subscriptionId=${subscriptionId}`)
      expect(listed.body).toMatchObject({ totalCount: 1, items: [{ id, disabled: false, rootRoles: [] }] })
      expect((await call('PUT', `/api/applications/${id}`, { disabled: true })).status).toBe(204)
      expect(await status()).toBe(401)
      await call('PUT', `/api/applications/${id}`, { disabled: false })
      await call('PUT', `/api/applications/${id}/subscriptions/${subscriptionId}`, { roles: ['Monitor'] })
      expect(await status()).toBe(403)
      await call('PUT', `/api/applications/${id}/root-roles`, { roles: ['Owner'] })
      expect((await worker.json('GET', '/api/subscriptions')).status).toBe(200)
      expect((await call('GET', `/api/applications/${id}`)).body).toMatchObject({ rootRoles: ['Owner'] })
      await call('DELETE', `/api/applications/${id}/keys/${made.body.info.id}`)
      expect(await status()).toBe(401)
      expect((await call('DELETE', `/api/applications/${id}`)).status).toBe(204)
      expect((await call('GET', `/api/applications/${id}`)).body.error.code).toBe('EntityNotFound')
      await call('PUT', `/api/subscriptions/${subscriptionId}`, { disabled: true })

      const { items } = (await call('GET', `/api/events?q=${encodeURIComponent(name)}`)).body
      expect(items.map(({ type }: { type: string }) => type)).toEqual([
        'SubscriptionDisabled',
        'ApplicationDeleted',
        'ApiKeyRevoked',
        'ApplicationRolesChanged',
        'ApplicationRolesChanged',
        'ApplicationEnabled',
        'ApplicationDisabled',
        'ApiKeyCreated',
        'ApplicationCreated',
        'SubscriptionCreated',
      ])
      expect(new Set(items.map(({ actor }: { actor: string }) => actor))).toEqual(new Set([email]))
      expect(JSON.stringify(items)).not.toContain(made.body.key.split('|')[1])
    })

    test('what applications do by their keys is in the same events, under their names', async () => {
      const { call } = await signedIn(world())
      const admin = await clientAt(world(), { roles: ['Admin'] })
      const name = crypto.randomUUID()
      await admin.json('POST', '/api/security-contexts', { name, trustedRoots: authorities.roots })
      const { items } = (await call('GET', `/api/events?q=${name}`)).body
      expect(items).toMatchObject([
        { type: 'SecurityContextCreated', actor: expect.stringMatching(/^application:app /) },
      ])
    })

    test('security contexts of a subscription are made, chosen, changed and deleted', async () => {
      const { call } = await signedIn(world())
      const { subscriptionId } = await clientAt(world())
      const path = `/api/subscriptions/${subscriptionId}/security-contexts`
      const data = { name: 'Própria', trustedRoots: authorities.roots }
      const { id } = (await call('POST', path, data)).body
      expect((await call('PUT', `${path}/default`, { id })).body.isDefault).toBe(true)
      expect((await call('DELETE', `${path}/${id}`)).body.error.code).toBe('EntityUnusable')
      await call('PUT', `${path}/default`, { id: null })
      expect((await call('PUT', `${path}/${id}`, { ...data, revocation: 'IgnoreUnknown' })).body.revocation).toBe(
        'IgnoreUnknown',
      )
      expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
      expect((await call('GET', path)).body.items).toHaveLength(1)
      const nowhere = `/api/subscriptions/${crypto.randomUUID()}/security-contexts`
      expect((await call('GET', nowhere)).body.error.code).toBe('EntityNotFound')
      expect((await call('POST', nowhere, data)).body.error.code).toBe('EntityNotFound')
    })

    test('authentications are listed newest first, without whole identifiers', async () => {
      const { call } = await signedIn(world())
      const client = await clientAt(world())
      await authenticate(client, 'ana-souza')
      await authenticate(client, 'expired')
      const path = `/api/authentications?subscriptionId=${client.subscriptionId}`
      const { body, text } = await call('GET', path)
      expect(body.items).toMatchObject([
        { outcome: 'CertificateExpired', generation: 'Second', securityContext: { name: 'ICP-Brasil' } },
        { outcome: 'Success', subject: 'ANA BEATRIZ SOUZA', identifier: '***.982.247-**' },
      ])
      expect(text).not.toContain('52998224725')
      expect((await call('GET', `${path}&outcome=failed`)).body.items).toHaveLength(1)
      const first = (await call('GET', `${path}&limit=1`)).body
      const second = (await call('GET', `${path}&limit=1&cursor=${first.nextCursor}`)).body
      expect([second.items[0].outcome, second.nextCursor]).toEqual(['Success', null])
      const overview = (await call('GET', '/api/overview')).body
      expect(overview.authentications.failed).toBeGreaterThan(0)
    })
  })
}

test.each(databases)('a failed call on %s is found by the exceptionCode its caller was told', async (database) => {
  const world = await startCore(database)
  const { call } = await signedIn(world)
  const failed = await failedCall(world)
  expect(failed).toMatchObject({ status: 500, body: { exceptionCode: expect.any(String) } })
  const { exceptionCode } = failed.body
  const find = (code: string) => call('GET', `/api/problems?exceptionCode=${encodeURIComponent(code)}`)
  await expect.poll(async () => (await find(exceptionCode)).body.items.length).toBe(1)
  expect((await find(` ${exceptionCode} `)).body.items).toMatchObject([
    {
      exceptionCode,
      code: 'UnexpectedError',
      path: '/api/v2/authentication/completion',
      problem: expect.stringContaining('used_nonce'),
    },
  ])
  expect(world.log()).toContain(exceptionCode)
  expect((await find('none')).body.items).toEqual([])
  expect((await call('GET', '/api/overview')).body.problems).toBe(1)

  // Swept when its days are over.
  await world.store.db.updateTable('problem_entry').set({ at: '2020-01-01T00:00:00.000Z' }).execute()
  const worker = sweepActivity(world.context)
  worker.start()
  await expect.poll(async () => (await find(exceptionCode)).body.items).toEqual([])
  await worker.stop()
})
