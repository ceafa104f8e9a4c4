import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { browserOf, codeOf, enrol, newAdministrator, PASSWORD, refusal, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { databases, sharedSessionServer, startSessionServer, testOnce } from './test-support/session-world.ts'

const CODES = '/api/session/second-factor/recovery-codes'

for (const database of databases) {
  describe(`recovery codes of administrators on ${database}`, () => {
    const once = testOnce(database)
    const world = sharedSessionServer(database)

    /** An administrator with recovery codes. */
    async function withCodes() {
      const owner = await signedIn(world())
      const { codes } = (await owner.call('POST', CODES)).body as { codes: readonly string[] }
      const left = async () => (await owner.call('GET', CODES)).body.left as number
      return { ...owner, codes, left }
    }

    test('are ten, shown once and kept as hashes; new ones end the old', async () => {
      const owner = await withCodes()
      expect(new Set(owner.codes).size).toBe(10)
      for (const code of owner.codes) expect(code).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/)
      expect(await owner.left()).toBe(10)
      const rows = await world().store.db.selectFrom('administrator_recovery_code').selectAll().execute()
      for (const code of owner.codes) expect(JSON.stringify(rows)).not.toContain(code)
      const again = (await owner.call('POST', CODES)).body.codes
      expect(again).toHaveLength(10)
      const refused = await browserOf(world()).signIn(owner.email, owner.codes[0])
      expect(refusal(refused)).toEqual([401, 'SIGN_IN_REFUSED'])
      expect((await browserOf(world()).signIn(owner.email, again[0])).status).toBe(200)
    })

    test('sign in once each, also when given twice at once, and end the other sessions', async () => {
      const owner = await withCodes()
      const code = owner.codes[3]!.toUpperCase().replaceAll('-', ' ')
      const tries = await Promise.all([1, 2, 3].map(() => browserOf(world()).signIn(owner.email, code)))
      expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401])
      expect((await owner.call('GET', '/api/session')).status).toBe(401)
      const browser = browserOf(world())
      await browser.signIn(owner.email, owner.codes[4])
      expect((await browser.call('GET', CODES)).body).toEqual({ left: 8 })
      const { items } = (await browser.call('GET', `/api/events?type=RecoveryCodeUsed&q=${owner.email}`)).body
      expect(items).toHaveLength(2)
      expect(items[0]).toMatchObject({ actor: owner.email, subject: { kind: 'administrator', id: owner.id } })
    })

    test('are not used up by a wrong password', async () => {
      const owner = await withCodes()
      const wrong = await browserOf(world()).signIn(owner.email, owner.codes[0], 'outra senha')
      expect(refusal(wrong)).toEqual([401, 'SIGN_IN_REFUSED'])
      expect(await owner.left()).toBe(10)
    })

    test('stand for a code of the app that was lost: for a proof, and for another app', async () => {
      const owner = await withCodes()
      const elsewhere = browserOf(world())
      await elsewhere.signIn(owner.email, codeOf(owner.secret, world().clock()))
      world().clock.advance(10 * MINUTE)
      const proof = { password: PASSWORD, code: owner.codes[0] }
      expect((await owner.call('POST', '/api/session/proof', proof)).status).toBe(204)
      expect((await elsewhere.call('GET', '/api/session')).status).toBe(401)
      const { secret } = (await owner.call('POST', '/api/session/second-factor')).body
      const codes = { code: codeOf(secret, world().clock()), presentCode: owner.codes[1] }
      expect((await owner.call('PUT', '/api/session/second-factor', codes)).status).toBe(200)
      expect(await owner.left()).toBe(8)
    })

    test('need a recent proof and an app, and go with the app', async () => {
      const owner = await withCodes()
      const admin = await signedIn(world())
      await admin.call('DELETE', `/api/administrators/${owner.id}/second-factor`)
      const browser = browserOf(world())
      await browser.signIn(owner.email)
      await enrol(browser, world())
      expect((await browser.call('GET', CODES)).body).toEqual({ left: 0 })
      world().clock.advance(10 * MINUTE + SECOND)
      expect(refusal(await browser.call('POST', CODES))).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
    })

    once('are for those who have an app', async () => {
      const own = await startSessionServer(database, { settings: { Auth: { RequireSecondFactor: false } } })
      const { email } = await newAdministrator(own)
      const browser = browserOf(own)
      await browser.signIn(email)
      expect(refusal(await browser.call('POST', CODES))).toEqual([409, 'NO_SECOND_FACTOR'])
    })
  })
}
