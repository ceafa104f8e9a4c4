import { routesOf } from '@chancela/service-kernel/http'
import { browserOf, codeOf, copyOf, newAdministrator, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { databases, sharedHub, testOnce } from './test-support/hub-world.ts'

/** Routes allowed without a session. */
const open = new Set([
  'GET /api/session/ways',
  'POST /api/session',
  'DELETE /api/session',
  'GET /api/session/oidc',
  'GET /oidc/callback',
  'GET /health',
  'GET /ready',
])

/** Routes allowed with a session but without an authenticator app. */
const visiting = new Set([
  'GET /api/session',
  'POST /api/session/proof',
  'POST /api/session/second-factor',
  'PUT /api/session/second-factor',
])

for (const database of databases) {
  describe(`access to the admin page on ${database}`, () => {
    const once = testOnce(database)
    const world = sharedHub(database)
    const routes = () =>
      routesOf(world().apps['cloud-hub-console']!)
        .map(({ route: { method, path, page } }) => ({ method, path, page, name: `${method} ${path}` }))
        .filter(({ page, name }) => !page && !open.has(name))

    test('an administrator signs in with password and code', async () => {
      const { email, secret } = await signedIn(world())
      const browser = browserOf(world())
      expect((await browser.signIn(email, codeOf(secret, world().clock()))).body).toMatchObject({
        email,
        way: 'password',
        secondFactor: 'on',
      })
      expect((await browser.call('GET', '/api/session')).body.email).toBe(email)
      const copy = copyOf(browser)
      await browser.call('DELETE', '/api/session')
      expect((await browser.call('GET', '/api/session')).status).toBe(401)
      expect((await copy.call('GET', '/api/session')).status).toBe(401)
    })

    once('every route but those of signing in answers 401 without a sign-in, and to an API key', async () => {
      expect(routes().length).toBeGreaterThan(25)
      const key = { 'x-api-key': world().client.apiKey }
      for (const { method, path, name } of routes())
        for (const headers of [{}, key]) {
          const { status, body } = await browserOf(world()).call(method, path, undefined, headers)
          expect([name, status, body.error.code]).toEqual([name, 401, 'UNAUTHORIZED'])
        }
    })

    once('every route but those of the second factor answers 403 before an app is set up', async () => {
      const { email } = await newAdministrator(world())
      const browser = browserOf(world())
      await browser.signIn(email)
      for (const { method, path, name } of routes().filter(({ name }) => !visiting.has(name))) {
        const { status, body } = await browser.call(method, path)
        expect([name, status, body.error.code]).toEqual([name, 403, 'SECOND_FACTOR_REQUIRED'])
      }
    })

    once('another site’s call changes nothing, whatever it asks', async () => {
      const browser = await signedIn(world())
      for (const { method, path, name } of routes().filter(({ method }) => method !== 'GET')) {
        const { status } = await browser.call(method, path, undefined, { 'sec-fetch-site': 'same-site' })
        expect([name, status]).toEqual([name, 401])
      }
    })

    once('neither the contract of clients nor what holders see is served here', async () => {
      const browser = await signedIn(world())
      for (const path of ['/api/sessions/services', '/callbacks/x', '/choose/x', '/openapi/v1.json']) {
        const { status, body } = await browser.call('GET', path)
        expect([path, status, body.error.code]).toEqual([path, 404, 'ENDPOINT_NOT_FOUND'])
      }
    })
  })
}
