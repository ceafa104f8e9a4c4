import { browserOf, codeOf, copyOf, newAdministrator, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { databases, sharedHub, startHub, testOnce } from './test-support/hub-world.ts'

for (const database of databases) {
  describe(`access to the admin page on ${database}`, () => {
    const once = testOnce(database)
    const world = sharedHub(database)

    test('an administrator signs in with password and code', async () => {
      const { email, secret } = await signedIn(world())
      const browser = browserOf(world())
      expect((await browser.signIn(email, codeOf(secret, world().clock()))).body).toMatchObject({
        email,
        way: 'password',
        secondFactor: 'on',
        factors: ['app'],
      })
      expect((await browser.call('GET', '/api/session')).body.email).toBe(email)
      const copy = copyOf(browser)
      await browser.call('DELETE', '/api/session')
      expect((await browser.call('GET', '/api/session')).status).toBe(401)
      expect((await copy.call('GET', '/api/session')).status).toBe(401)
    })

    test('wrong sign-ins at two services on one database count together, also when they come at once', async () => {
      const one = await startHub(database)
      const other = await startHub(database, { after: one })
      const { email } = await newAdministrator(one)
      for (const address of [email, `${crypto.randomUUID()}@example.com`]) {
        const browsers = Array.from({ length: 12 }, (_, n) => browserOf(n % 2 === 0 ? one : other))
        const answers = await Promise.all(browsers.map((browser) => browser.signIn(address, undefined, 'outra senha')))
        const statuses = answers.map(({ status }) => status).sort()
        expect(statuses).toEqual([...Array(5).fill(401), ...Array(7).fill(429)])
      }
      for (const hub of [one, other]) expect((await browserOf(hub).signIn(email)).status).toBe(429)
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
