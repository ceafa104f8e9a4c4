// Redirect URIs are registered per key: who may redirect users where (spec 1 B, Authentication; cloud-hub facts 3.4).
import { createKey } from '@chancela/service-kernel/http'
import { describe, expect, test } from 'vitest'
import { listRedirectUris, registerRedirectUri, unregisterRedirectUri } from '../src/actions/redirect-uris.ts'
import { allowRedirects, REDIRECT_URI } from './test-support/authorized.ts'
import { databases, newClient, sharedHub, testOnce } from './test-support/hub-world.ts'

for (const database of databases) {
  describe(`redirect URIs (${database})`, () => {
    const once = testOnce(database)
    const world = sharedHub(database)
    const create = (redirectUri: string) => world().json('POST', '/api/sessions', { redirectUri })

    once.each([
      ['the one that is registered', REDIRECT_URI],
      ['with a query of its own for each request', `${REDIRECT_URI}?fileId=7f3a&x=%2F`],
      ['spelled as browsers read it', 'HTTPS://APP.example:443/return'],
      ['with dots a browser resolves', 'https://app.example/other/../return'],
    ])('takes %s', async (_what, redirectUri) => {
      await allowRedirects(world())
      expect(await create(redirectUri)).toMatchObject({ status: 200, body: { services: [] } })
    })

    once.each([
      ['another path', 'https://app.example/return/more'],
      ['a path in another case', 'https://app.example/Return'],
      ['a slash too many', 'https://app.example/return/'],
      ['a path left by dots', 'https://app.example/return/../admin'],
      ['a path left by encoded dots', 'https://app.example/return/%2e%2e/admin'],
      ['another host', 'https://evil.example/return'],
      ['a host that begins alike', 'https://app.example.evil.example/return'],
      ['another port', 'https://app.example:8443/return'],
      ['another scheme', 'http://app.example/return'],
      ['a scheme no browser of a user should follow', 'javascript:alert(1)'],
    ])('refuses %s as not registered, and shows it', async (_what, redirectUri) => {
      await allowRedirects(world())
      expect(await create(redirectUri)).toMatchObject({
        status: 422,
        body: { code: 'UnauthorizedRedirectUri', details: { redirectUri } },
      })
    })

    once.each([
      ['a path', '/return'],
      ['no scheme', '//app.example/return'],
      ['words', 'not a uri'],
      ['a backslash', 'https://app.example\\.evil.example/return'],
      ['userinfo', 'https://app.example@evil.example/return'],
      ['a fragment', `${REDIRECT_URI}#x`],
      ['a control character', `${REDIRECT_URI}\u0000`],
      ['a blank before it', ` ${REDIRECT_URI}`],
      ['a tab inside', 'https://app.exam\tple/return'],
    ])('refuses %s as no absolute URI, before it asks for a registration', async (_what, redirectUri) => {
      await allowRedirects(world())
      expect(await create(redirectUri)).toMatchObject({
        status: 422,
        body: { code: 'InvalidRedirectUri', details: null },
      })
    })

    once('a registration with a query wants that query and no other', async () => {
      await allowRedirects(world(), 'https://tenant.example/return?tenant=7')
      expect((await create('https://tenant.example/return?tenant=7')).status).toBe(200)
      for (const query of ['', '?tenant=8', '?tenant=7&x=1'])
        expect((await create(`https://tenant.example/return${query}`)).body.code).toBe('UnauthorizedRedirectUri')
    })

    test("another key's registration is not one's own, even of the same application", async () => {
      const { store, clock, client } = world()
      const other = await createKey(store, { applicationId: client.id, description: 'another' }, clock())
      await allowRedirects(world(), 'https://other.example/return', other.id)
      expect((await create('https://other.example/return')).body.code).toBe('UnauthorizedRedirectUri')
    })

    test('registering, listing and unregistering', async () => {
      const { db } = world().store
      const { keyId } = await newClient(world().store)
      const now = world().clock()
      expect(await registerRedirectUri(db, keyId, 'https://B.example/return', now)).toBe('https://b.example/return')
      expect(await registerRedirectUri(db, keyId, 'https://b.example/return', now)).toBe('https://b.example/return')
      expect(await registerRedirectUri(db, keyId, 'http://b.example/return', now)).toBeUndefined()
      const registered = { keyId, uri: 'https://b.example/return', createdAt: now.toISOString() }
      expect(await listRedirectUris(db, keyId)).toEqual([registered])
      expect(await listRedirectUris(db)).toContainEqual(registered)
      expect(await unregisterRedirectUri(db, keyId, 'https://B.example/return')).toBe('https://b.example/return')
      expect(await unregisterRedirectUri(db, keyId, 'https://B.example/return')).toBeUndefined()
      expect(await listRedirectUris(db, keyId)).toEqual([])
    })
  })
}
