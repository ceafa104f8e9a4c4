// Passwords of accounts: guessed at, changed, forgotten.
import { HOUR, MINUTE } from '@chancela/service-kernel/clock'
import { crowdOfPasswords } from '@chancela/testkit/console'
import { describe, expect, test, vi } from 'vitest'
import { administration } from './test-support/administration.ts'
import { later } from './test-support/look-now.ts'
import { fileMailbox } from './test-support/mailbox.ts'
import {
  databases,
  type PlatformWorld,
  sharedPlatform,
  startPlatform,
  testOnce,
} from './test-support/platform-world.ts'
import { browserOf, newUser, PASSWORD, signedIn } from './test-support/users.ts'

const { Email, fromNowOn } = await fileMailbox()

const ANOTHER = 'um trem para as onze'
const refused = { status: 401, body: { code: 'InvalidCredentials' } }
const locked = { status: 429, body: { code: 'TooManyRequests' } }

/** Signs in with so many wrong passwords, one after the other. */
async function guess(world: PlatformWorld, email: string, times: number) {
  const answers = []
  for (let time = 0; time < times; time += 1) answers.push(await browserOf(world).signIn(email, `errada ${time}`))
  return answers
}

for (const database of databases) {
  describe(`the lock of an account on ${database}`, () => {
    const platform = sharedPlatform(database)

    test('five wrong passwords lock an account for a quarter of an hour, the right one included', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      for (const answer of await guess(world, email, 5)) expect(answer).toMatchObject(refused)
      expect(await browserOf(world).signIn(email)).toMatchObject(locked)
      world.clock.advance(15 * MINUTE - 1)
      expect(await browserOf(world).signIn(email)).toMatchObject(locked)
      world.clock.advance(1)
      expect((await browserOf(world).signIn(email)).status).toBe(200)
    })

    test('where too many passwords wait to be hashed, more are turned away, which is no guess', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const crowd = crowdOfPasswords()
      for (let time = 0; time < 6; time += 1)
        expect(await browserOf(world).signIn(email)).toMatchObject({ status: 503, body: { code: 'ServiceBusy' } })
      await crowd.leave()
      expect((await browserOf(world).signIn(email)).status).toBe(200)
    })

    test('an address nobody has is locked alike, and nothing else tells them apart', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const [known, unknown] = [await guess(world, email, 6), await guess(world, `x${email}`, 6)]
      expect(known).toEqual(unknown)
      expect(known.at(-1)).toMatchObject(locked)
    })

    test('the right password forgets the wrong ones before it', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      await guess(world, email, 4)
      expect((await browserOf(world).signIn(email)).status).toBe(200)
      await guess(world, email, 4)
      expect((await browserOf(world).signIn(email)).status).toBe(200)
    })

    test('guesses made at once are not more than guesses made in turn', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const answers = await Promise.all(Array.from({ length: 12 }, () => browserOf(world).signIn(email, 'errada')))
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
    })

    test('a restart and another process do not forget', async () => {
      const before = await startPlatform(database)
      const { email } = await newUser(before)
      await guess(before, email, 5)
      await before.stop()
      const after = await startPlatform(database, { after: before })
      expect(await browserOf(after).signIn(email)).toMatchObject(locked)
    })

    test('what is counted names no address, and goes after its time', async () => {
      const world = await startPlatform(database)
      await guess(world, 'ninguem@example.com', 1)
      const rows = () => world.store.db.selectFrom('sign_in_guess').selectAll().execute()
      expect(JSON.stringify(await rows())).not.toContain('ninguem')
      await later(world, 16 * MINUTE)
      await vi.waitUntil(async () => (await rows()).length === 0, { interval: 20 })
    })
  })

  describe(`the password of an account on ${database}`, () => {
    const platform = sharedPlatform(database, { settings: { Email } })
    const once = testOnce(database)

    const change = (browser: { call: ReturnType<typeof browserOf>['call'] }, password: string, newPassword: string) =>
      browser.call('PUT', '/api/session/password', { password, newPassword })

    test('its owner changes it with the present one, and every other session ends', async () => {
      const world = await platform()
      const here = await signedIn(world)
      const other = browserOf(world)
      await other.signIn(here.email)
      expect(await change(here, 'nem perto disso', ANOTHER)).toMatchObject({
        status: 422,
        body: { code: 'PasswordWrong' },
      })
      expect(await change(here, PASSWORD, ANOTHER)).toMatchObject({ status: 200, body: { email: here.email } })
      expect((await here.call('GET', '/api/session')).status).toBe(200)
      expect((await other.call('GET', '/api/session')).status).toBe(401)
      expect((await here.call('GET', '/api/session/sessions')).body).toHaveLength(1)
      expect(await browserOf(world).signIn(here.email)).toMatchObject(refused)
      expect((await browserOf(world).signIn(here.email, ANOTHER)).status).toBe(200)
    })

    test('guesses at the present one lock the account, too', async () => {
      const world = await platform()
      const here = await signedIn(world)
      for (let time = 0; time < 5; time += 1) await change(here, `errada ${time}`, ANOTHER)
      expect(await change(here, PASSWORD, ANOTHER)).toMatchObject(locked)
      expect(await browserOf(world).signIn(here.email)).toMatchObject(locked)
    })

    once.each(['senha1234', '1234567890', 'Ana.Souza2026', 'HospitalSantaClara', 'abcabcabcabc'])(
      'one that guessers try first is refused by whoever sets it: %s',
      async (common) => {
        const world = await platform()
        const admin = administration(world)
        const here = await signedIn(world)
        const told = (answer: { body: { code: string; details: object } }) => [
          answer.body.code,
          Object.keys(answer.body.details),
        ]
        expect(told(await change(here, PASSWORD, common))).toEqual([
          common.length < 10 ? 'InvalidRequest' : 'PasswordTooCommon',
          ['newPassword'],
        ])
        if (common.length < 10) return
        const path = `/api/organizations/${world.organization.id}/users`
        const user = { name: 'Ana Souza', email: `${crypto.randomUUID()}@example.com`, password: common }
        expect(told(await admin('POST', path, user))).toEqual(['PasswordTooCommon', ['password']])
        const { ticket } = await resetTicket(world, here.email)
        const reset = await browserOf(world).call('POST', '/api/session/password', { ticket, password: common })
        expect(told(reset)).toEqual(['PasswordTooCommon', ['password']])
      },
    )

    const ask = (world: PlatformWorld, email: string) =>
      browserOf(world).call('POST', '/api/session/password-reset', { email })

    async function resetTicket(world: PlatformWorld, email: string) {
      const { inbox } = fromNowOn()
      expect(await ask(world, email)).toEqual({ status: 200, body: undefined, set: null })
      const mail = await vi.waitUntil(() => inbox().find(({ to }) => to.some(({ address }) => address === email)), {
        interval: 20,
      })
      return { ticket: decodeURIComponent(/\/reset-password\?ticket=(\S+)/.exec(mail.text!)![1]!), mail }
    }
    const reset = (world: PlatformWorld, ticket: string, password = ANOTHER) =>
      browserOf(world).call('POST', '/api/session/password', { ticket, password })
    const spent = { status: 422, body: { code: 'PasswordResetInvalidOrExpired' } }

    test('who forgot it gets a link that sets another, once, and ends every session', async () => {
      const world = await platform()
      const here = await signedIn(world)
      const { ticket } = await resetTicket(world, here.email)
      const second = await resetTicket(world, here.email)
      expect((await reset(world, ticket)).status).toBe(200)
      expect((await here.call('GET', '/api/session')).status).toBe(401)
      expect((await browserOf(world).signIn(here.email, ANOTHER)).status).toBe(200)
      expect(await reset(world, ticket, 'mais uma para as doze')).toMatchObject(spent)
      expect(await reset(world, second.ticket, 'mais uma para as doze')).toMatchObject(spent)
      expect(await reset(world, 'forged')).toMatchObject(spent)
      await expect.poll(() => world.log()).toContain('"msg":"mail sent"')
      expect(world.log()).not.toContain(here.email)
    })

    test('the link lasts an hour, and its mail speaks the language of its reader', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const portuguese = await resetTicket(world, email)
      await world.store.db.updateTable('account').set({ language: 'En' }).where('email', '=', email).execute()
      const english = await resetTicket(world, email)
      expect(english.mail.subject).not.toBe(portuguese.mail.subject)
      world.clock.advance(HOUR + 1)
      expect(await reset(world, english.ticket)).toMatchObject(spent)
    })

    test('an unknown address gets the same answer, and no mail; neither does one that asks again and again', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const { inbox } = fromNowOn()
      const answers = []
      for (const address of [`x${email}`, email, email, email, email, email]) answers.push(await ask(world, address))
      for (const answer of answers) expect(answer).toEqual({ status: 200, body: undefined, set: null })
      await vi.waitUntil(() => inbox().length >= 3, { interval: 20 })
      const last = await newUser(world)
      await resetTicket(world, last.email)
      expect(inbox().filter(({ to }) => to.some(({ address }) => address.endsWith(email)))).toHaveLength(3)
    })

    test('a reset ends the lock that guessers caused', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      await guess(world, email, 6)
      const { ticket } = await resetTicket(world, email)
      await reset(world, ticket)
      expect((await browserOf(world).signIn(email, ANOTHER)).status).toBe(200)
    })

    once('an instance without e-mail says that it cannot send the link', async () => {
      const world = await startPlatform(database)
      expect(await ask(world, 'x@example.com')).toMatchObject({ status: 422, body: { code: 'EmailNotAvailable' } })
    })
  })
}
