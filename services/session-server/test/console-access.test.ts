import { routesOf } from '@chancela/service-kernel/http'
import { browserOf, newAdministrator, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { sharedSessionServer } from './test-support/session-world.ts'

/** Routes allowed without a session. */
const open = new Set([
  'GET /api/session/ways',
  'POST /api/session',
  'DELETE /api/session',
  'GET /api/session/oidc',
  'GET /oidc/callback',
  'POST /agents/enrol',
  'GET /agents/channel',
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

// Access is decided before the request is read.
describe('access to the console on SQLite', () => {
  const world = sharedSessionServer('SQLite')
  const routes = () =>
    routesOf(world().apps['session-server-console']!)
      .map(({ route: { method, path, page } }) => ({ method, path, page, name: `${method} ${path}` }))
      .filter(({ page, name }) => !page && !open.has(name))

  test('every route but those of signing in answers 401 without a sign-in', async () => {
    expect(routes().length).toBeGreaterThan(25)
    for (const { method, path, name } of routes()) {
      const { status, body, headers } = await browserOf(world()).call(method, path)
      expect([name, status, body.error.code]).toEqual([name, 401, 'UNAUTHORIZED'])
      expect(headers.get('x-correlation-id')).toMatch(/^[0-9a-f-]{36}$/)
    }
  })

  test('an API key opens nothing here', async () => {
    for (const { method, path, name } of routes()) {
      const { status } = await browserOf(world()).call(method, path, undefined, {
        'x-api-key': world().client.apiKey,
      })
      expect([name, status]).toEqual([name, 401])
    }
  })

  test('every route but those of the second factor answers 403 before an app is set up', async () => {
    const { email } = await newAdministrator(world())
    const browser = browserOf(world())
    await browser.signIn(email)
    for (const { method, path, name } of routes().filter(({ name }) => !visiting.has(name))) {
      const { status, body } = await browser.call(method, path)
      expect([name, status, body.error.code]).toEqual([name, 403, 'SECOND_FACTOR_REQUIRED'])
    }
  })

  test('another site’s call changes nothing, whatever it asks', async () => {
    const browser = await signedIn(world())
    const changing = routes().filter(({ method }) => method !== 'GET')
    for (const { method, path, name } of changing) {
      const { status } = await browser.call(method, path, undefined, { 'sec-fetch-site': 'same-site' })
      expect([name, status]).toEqual([name, 401])
    }
  })

  test('what is not there is not there', async () => {
    const browser = await signedIn(world())
    for (const path of ['/api', '/api/nothing', '/v1/sessions', '/openapi/v1.json']) {
      const { status, body } = await browser.call('GET', path)
      expect([path, status, body.error.code]).toEqual([path, 404, 'ENDPOINT_NOT_FOUND'])
    }
  })
})
