import { HOUR, MINUTE } from '@chancela/service-kernel/clock'
import { browserOf, codeOf, copyOf, PASSWORD, refusal, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { databases, type SessionWorld, sharedSessionServer, testOnce } from './test-support/session-world.ts'

/** Another browser of the same administrator. */
async function another(world: SessionWorld, { email, secret }: { readonly email: string; readonly secret: string }) {
  const browser = browserOf(world)
  world.clock.advance(MINUTE)
  const { status } = await browser.signIn(email, codeOf(secret, world.clock()), PASSWORD, {
    'user-agent': 'Another Browser',
  })
  expect(status).toBe(200)
  return browser
}

const isSignedIn = async ({ call }: Pick<ReturnType<typeof browserOf>, 'call'>) =>
  (await call('GET', '/api/session')).status === 200

for (const database of databases) {
  describe(`sessions of administrators on ${database}`, () => {
    const once = testOnce(database)
    const world = sharedSessionServer(database)

    test('are listed for their owner: since when, last used, from where, in which browser', async () => {
      const first = await signedIn(world())
      const begun = world().clock().toISOString()
      const second = await another(world(), first)
      const list = await second.call('GET', '/api/session/sessions')
      const now = world().clock().toISOString()
      expect(list.body).toEqual([
        {
          id: expect.any(String),
          begunAt: now,
          lastUsedAt: now,
          address: '127.0.0.1',
          userAgent: 'Another Browser',
          isCurrent: true,
        },
        expect.objectContaining({ isCurrent: false, userAgent: 'node' }),
      ])
      expect(list.body[1].begunAt <= begun).toBe(true)
      world().clock.advance(2 * MINUTE)
      await first.call('GET', '/api/session')
      const [, older] = (await second.call('GET', '/api/session/sessions')).body
      expect(older.lastUsedAt).toBe(world().clock().toISOString())
    })

    test('end at once for every copy of their cookies when their owner ends one', async () => {
      const first = await signedIn(world())
      const second = await another(world(), first)
      const copy = copyOf(second)
      const [here, there] = (await first.call('GET', '/api/session/sessions')).body.toReversed()
      expect(here.isCurrent).toBe(true)
      expect((await first.call('DELETE', `/api/session/sessions/${there.id}`)).status).toBe(200)
      expect([await isSignedIn(first), await isSignedIn(second), await isSignedIn(copy)]).toEqual([true, false, false])
      const again = await first.call('DELETE', `/api/session/sessions/${there.id}`)
      expect(refusal(again)).toEqual([404, 'ADMINISTRATOR_SESSION_NOT_FOUND'])
    })

    test('end all but this one', async () => {
      const first = await signedIn(world())
      const others = [await another(world(), first), await another(world(), first)]
      expect((await first.call('DELETE', '/api/session/sessions')).body).toEqual({ ended: 2 })
      expect(await Promise.all([first, ...others].map(isSignedIn))).toEqual([true, false, false])
      const { items } = (await first.call('GET', `/api/events?type=SessionsEnded&q=${first.email}`)).body
      expect(items).toMatchObject([{ actor: first.email, subject: { kind: 'administrator', id: first.id } }])
    })

    test('are neither seen nor ended by somebody else as if they were theirs', async () => {
      const first = await signedIn(world())
      const stranger = await signedIn(world())
      const [own] = (await first.call('GET', '/api/session/sessions')).body
      expect((await stranger.call('GET', '/api/session/sessions')).body).toHaveLength(1)
      const refused = await stranger.call('DELETE', `/api/session/sessions/${own.id}`)
      expect(refusal(refused)).toEqual([404, 'ADMINISTRATOR_SESSION_NOT_FOUND'])
      expect(await isSignedIn(first)).toBe(true)
    })

    test('are listed and ended for another administrator, all at once', async () => {
      const admin = await signedIn(world())
      const lost = await signedIn(world())
      const second = await another(world(), lost)
      const all = (await admin.call('GET', '/api/administrators/sessions')).body
      const ofLost = all.filter(({ email }: { email: string }) => email === lost.email)
      expect(ofLost).toHaveLength(2)
      expect(ofLost[0]).toMatchObject({ address: '127.0.0.1', userAgent: 'Another Browser', isCurrent: false })
      const ended = await admin.call('POST', '/api/administrators/sign-out', { email: lost.email.toUpperCase() })
      expect(ended.body).toEqual({ ended: 2 })
      expect(await Promise.all([admin, lost, second].map(isSignedIn))).toEqual([true, false, false])
      const { items } = (await admin.call('GET', `/api/events?type=SessionsEnded&q=${lost.email}`)).body
      expect(items).toMatchObject([{ actor: admin.email, subject: { kind: 'administrator', id: lost.id } }])
      const nobody = await admin.call('POST', '/api/administrators/sign-out', { email: 'nobody@example.com' })
      expect(nobody.body).toEqual({ ended: 0 })
    })

    test('are gone from the list after a change of the password, an idle time, and a new sign-in here', async () => {
      const first = await signedIn(world())
      await another(world(), first)
      const change = { password: PASSWORD, newPassword: 'outra senha comprida' }
      await first.call('PUT', '/api/session/password', change)
      const listed = async () => (await first.call('GET', '/api/session/sessions')).body
      expect(await listed()).toMatchObject([{ isCurrent: true }])
      world().clock.advance(9 * HOUR)
      const signIn = () => first.signIn(first.email, codeOf(first.secret, world().clock()), change.newPassword)
      expect((await signIn()).status).toBe(200)
      expect(await listed()).toHaveLength(1)
      world().clock.advance(MINUTE)
      const copy = copyOf(first)
      expect((await signIn()).status).toBe(200)
      expect(await listed()).toHaveLength(1)
      expect(await isSignedIn(copy)).toBe(false)
    })

    once('do not outlive the longest time, used or not', async () => {
      const browser = await signedIn(world())
      for (let hours = 0; hours < 30 * 24 - 6; hours += 6) {
        world().clock.advance(6 * HOUR)
        expect(await isSignedIn(browser)).toBe(true)
      }
      world().clock.advance(6 * HOUR)
      expect(await isSignedIn(browser)).toBe(false)
    })
  })
}
