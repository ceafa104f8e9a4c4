import { DAY, HOUR, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { loadSettings } from '@chancela/service-kernel/config'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { openSecrets, resealTable, retireOldKeys, rotateMasterKey } from '@chancela/service-kernel/secrets'
import {
  browserOf,
  codeOf,
  crowdOfPasswords,
  enrol,
  newAdministrator,
  PASSWORD,
  refusal,
  signedIn,
} from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { consoleRights } from '../src/contract/console-rights.ts'
import { sessionServer } from '../src/index.ts'
import { sessionServerSettings } from '../src/settings.ts'
import { databases, sharedSessionServer, startSessionServer, testOnce } from './test-support/session-world.ts'
import { masterKeyOf } from './test-support/vault.ts'

for (const database of databases) {
  describe(`signing in at the console on ${database}`, () => {
    const once = testOnce(database)
    const world = sharedSessionServer(database)

    once('says how one may sign in', async () => {
      const { body } = await browserOf(world()).call('GET', '/api/session/ways')
      expect(body).toEqual({ password: true, passkey: true, oidc: null })
    })

    once('without a sign-in nobody is somebody', async () => {
      expect(refusal(await browserOf(world()).call('GET', '/api/session'))).toEqual([401, 'UNAUTHORIZED'])
    })

    test('before an authenticator app is set up nothing else is allowed', async () => {
      const { id, email } = await newAdministrator(world())
      const browser = browserOf(world())
      const { status, body, headers } = await browser.signIn(` ${email.toUpperCase()} `)
      expect(status).toBe(200)
      const me = { id, name: 'Ana Souza', email, way: 'password', secondFactor: 'to-enrol', factors: [] }
      expect(body).toEqual({ ...me, role: 'administrator', rights: Object.keys(consoleRights) })
      expect(headers.get('set-cookie')).toMatch(
        /^chancela-sessions=[^;]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/,
      )
      expect((await browser.call('GET', '/api/session')).body).toEqual(body)
      expect(refusal(await browser.call('GET', '/api/administrators'))).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
      expect(refusal(await browser.call('GET', '/api/applications'))).toEqual([403, 'SECOND_FACTOR_REQUIRED'])
      await enrol(browser, world())
      expect((await browser.call('GET', '/api/session')).body.secondFactor).toBe('on')
      expect((await browser.call('GET', '/api/administrators')).status).toBe(200)
    })

    test('where too many passwords wait to be hashed, more are turned away, which is no guess', async () => {
      const { email } = await newAdministrator(world())
      const crowd = crowdOfPasswords()
      for (let time = 0; time < 6; time += 1) {
        const turnedAway = await browserOf(world()).signIn(email)
        expect(refusal(turnedAway)).toEqual([503, 'SERVER_BUSY'])
        expect(turnedAway.headers.get('retry-after')).toBe('5')
      }
      await crowd.leave()
      expect((await browserOf(world()).signIn(email)).status).toBe(200)
    })

    once('the secret of an app can be scanned and is in force once a code of it was given', async () => {
      const { email } = await newAdministrator(world())
      const browser = browserOf(world())
      await browser.signIn(email)
      expect(refusal(await browser.call('PUT', '/api/session/second-factor', { code: '000000' }))).toEqual([
        422,
        'SECOND_FACTOR_WRONG',
      ])
      const { secret, uri } = (await browser.call('POST', '/api/session/second-factor')).body
      expect(secret).toMatch(/^[A-Z2-7]{32}$/)
      const scanned = new URL(uri)
      expect([scanned.protocol, scanned.searchParams.get('secret'), scanned.searchParams.get('issuer')]).toEqual([
        'otpauth:',
        secret,
        'Chancela',
      ])
      const away = codeOf(secret, new Date(world().clock().getTime() + 5 * MINUTE))
      expect(refusal(await browser.call('PUT', '/api/session/second-factor', { code: away }))).toEqual([
        422,
        'SECOND_FACTOR_WRONG',
      ])
      expect((await browserOf(world()).signIn(email)).body.secondFactor).toBe('to-enrol')
      const now = codeOf(secret, world().clock())
      expect((await browser.call('PUT', '/api/session/second-factor', { code: now })).body.secondFactor).toBe('on')
      expect(refusal(await browserOf(world()).signIn(email))).toEqual([401, 'CODE_REQUIRED'])
    })

    once('password and code together sign in; clocks may differ by one step', async () => {
      const { email, secret } = await signedIn(world())
      const { clock } = world()
      for (const seconds of [-30, 0, 30]) {
        clock.advance(2 * MINUTE)
        const shown = codeOf(secret, new Date(clock().getTime() + seconds * SECOND))
        const { status, body } = await browserOf(world()).signIn(email, shown)
        expect([seconds, status, body.secondFactor]).toEqual([seconds, 200, 'on'])
      }
      for (const seconds of [-60, 60]) {
        clock.advance(2 * MINUTE)
        const shown = codeOf(secret, new Date(clock().getTime() + seconds * SECOND))
        expect(refusal(await browserOf(world()).signIn(email, shown))).toEqual([401, 'SIGN_IN_REFUSED'])
      }
    })

    test('a code is taken once', async () => {
      const { email, secret } = await signedIn(world())
      const shown = codeOf(secret, world().clock())
      expect((await browserOf(world()).signIn(email, shown)).status).toBe(200)
      expect(refusal(await browserOf(world()).signIn(email, shown))).toEqual([401, 'SIGN_IN_REFUSED'])
    })

    test('a code given twice at once is taken once', async () => {
      const { email, secret } = await signedIn(world())
      const shown = codeOf(secret, world().clock())
      const tries = await Promise.all([1, 2, 3, 4].map(() => browserOf(world()).signIn(email, shown)))
      expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    })

    test('the code that confirmed an app is not good for a sign-in', async () => {
      const { email } = await newAdministrator(world())
      const browser = browserOf(world())
      await browser.signIn(email)
      const { secret } = (await browser.call('POST', '/api/session/second-factor')).body
      const shown = codeOf(secret, world().clock())
      await browser.call('PUT', '/api/session/second-factor', { code: shown })
      expect(refusal(await browserOf(world()).signIn(email, shown))).toEqual([401, 'SIGN_IN_REFUSED'])
    })

    once('a wrong password, a wrong code and an unknown address are told apart by nothing', async () => {
      const { email, secret } = await signedIn(world())
      const shown = codeOf(secret, world().clock())
      const wrong = shown === '000000' ? '000001' : '000000'
      const refusals = [
        await browserOf(world()).signIn(email, shown, 'outra senha'),
        await browserOf(world()).signIn(email, undefined, 'outra senha'),
        await browserOf(world()).signIn(email, wrong),
        await browserOf(world()).signIn('ninguem@example.com', shown),
        await browserOf(world()).signIn('ninguem@example.com'),
      ]
      for (const { status, body, headers } of refusals) {
        expect([status, body, headers.get('set-cookie')]).toEqual([401, refusals[0]!.body, null])
      }
      expect((await browserOf(world()).signIn(email, shown)).status).toBe(200)
    })

    test('after five wrong guesses an account is tried no more for fifteen minutes, whoever asks', async () => {
      const { email, secret } = await signedIn(world())
      const { clock } = world()
      const guesses = await Promise.all(
        Array.from({ length: 8 }, () => browserOf(world()).signIn(email, '123456', 'outra senha')),
      )
      expect(guesses.map(({ status }) => status).sort()).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
      const refused = await browserOf(world()).signIn(email, codeOf(secret, clock()))
      expect([...refusal(refused), refused.headers.get('retry-after')]).toEqual([429, 'TOO_MANY_REQUESTS', '900'])
      clock.advance(15 * MINUTE)
      expect((await browserOf(world()).signIn(email, codeOf(secret, clock()))).status).toBe(200)
      const told = await world()
        .store.db.selectFrom('audit_event')
        .selectAll()
        .where('type', '=', 'SignInLocked')
        .execute()
      expect(told.filter(({ text }) => text.startsWith(email))).toHaveLength(1)
    })

    once('an address nobody has is limited alike, and told to nobody', async () => {
      const email = `${crypto.randomUUID()}@example.com`
      const statuses: number[] = []
      for (let tries = 0; tries < 6; tries += 1) statuses.push((await browserOf(world()).signIn(email)).status)
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
      const told = await world()
        .store.db.selectFrom('audit_event')
        .selectAll()
        .where('type', '=', 'SignInLocked')
        .execute()
      expect(told.filter(({ text }) => text.startsWith(email))).toEqual([])
    })

    test('a restart does not forget what was guessed', async () => {
      const before = await startSessionServer(database)
      const { email, secret } = await signedIn(before)
      for (let tries = 0; tries < 5; tries += 1) await browserOf(before).signIn(email, '123456', 'outra senha')
      await before.stop()
      const after = await startSessionServer(database, { after: before })
      const right = () => browserOf(after).signIn(email, codeOf(secret, after.clock()))
      expect(refusal(await right())).toEqual([429, 'TOO_MANY_REQUESTS'])
      after.clock.advance(15 * MINUTE)
      expect((await right()).status).toBe(200)
    })

    test('what is counted names no address, and goes after its time', async () => {
      const world = await startSessionServer(database)
      const rows = () => world.store.db.selectFrom('administrator_guess').selectAll().execute()
      for (const name of ['ninguem', 'outro']) await browserOf(world).signIn(`${name}@example.com`)
      expect(await rows()).toHaveLength(2)
      expect(JSON.stringify(await rows())).not.toMatch(/ninguem|outro|example/)
      world.clock.advance(15 * MINUTE)
      await browserOf(world).signIn('terceiro@example.com')
      expect(await rows()).toHaveLength(1)
    })

    test('made-up addresses fill nothing, and push no account out', async () => {
      const world = await startSessionServer(database)
      const { email, secret } = await signedIn(world)
      for (let tries = 0; tries < 5; tries += 1) await browserOf(world).signIn(email, '123456', 'outra senha')
      const until = (n: number) => new Date(world.clock().getTime() + 10 * MINUTE + n).toISOString()
      const made = Array.from({ length: 10_400 }, (_, n) => ({
        id: `made-up-${n}`,
        guesses: 1,
        expires_at: until(n),
        is_known: 0,
      }))
      for (let from = 0; from < made.length; from += 1000)
        await world.store.db
          .insertInto('administrator_guess')
          .values(made.slice(from, from + 1000))
          .execute()
      await browserOf(world).signIn('mais-um@example.com')
      const { rows } = await world.store.db
        .selectFrom('administrator_guess')
        .select((row) => row.fn.countAll<string | number>().as('rows'))
        .executeTakeFirstOrThrow()
      expect(Number(rows)).toBe(10_001)
      const refused = await browserOf(world).signIn(email, codeOf(secret, world.clock()))
      expect(refusal(refused)).toEqual([429, 'TOO_MANY_REQUESTS'])
    })

    once('right guesses do not count: a password without its code, and those before a sign-in', async () => {
      const { email, secret } = await signedIn(world())
      for (let tries = 0; tries < 10; tries += 1) {
        expect(refusal(await browserOf(world()).signIn(email))).toEqual([401, 'CODE_REQUIRED'])
      }
      for (let tries = 0; tries < 3; tries += 1) {
        for (let wrong = 0; wrong < 4; wrong += 1) await browserOf(world()).signIn(email, '123456', 'outra senha')
        world().clock.advance(30 * SECOND)
        expect((await browserOf(world()).signIn(email, codeOf(secret, world().clock()))).status).toBe(200)
      }
    })

    test('another app ends the other sessions, not this one', async () => {
      const first = await signedIn(world())
      const second = browserOf(world())
      await second.signIn(first.email, codeOf(first.secret, world().clock()))
      expect((await second.call('GET', '/api/session')).status).toBe(200)
      world().clock.advance(30 * SECOND)
      const secret = await enrol(first, world(), first)
      expect((await first.call('GET', '/api/session')).status).toBe(200)
      expect((await second.call('GET', '/api/session')).status).toBe(401)
      expect(refusal(await second.signIn(first.email, codeOf(first.secret, world().clock())))).toEqual([
        401,
        'SIGN_IN_REFUSED',
      ])
      expect((await second.signIn(first.email, codeOf(secret, world().clock()))).status).toBe(200)
    })

    test('another password ends the other sessions, not this one', async () => {
      const first = await signedIn(world())
      const second = browserOf(world())
      await second.signIn(first.email, codeOf(first.secret, world().clock()))
      const change = (password: string) =>
        first.call('PUT', '/api/session/password', { password, newPassword: 'outra senha comprida' })
      expect(refusal(await change('nem perto'))).toEqual([422, 'PASSWORD_WRONG'])
      expect((await change(PASSWORD)).body.email).toBe(first.email)
      expect((await first.call('GET', '/api/session')).status).toBe(200)
      expect((await second.call('GET', '/api/session')).status).toBe(401)
      world().clock.advance(30 * SECOND)
      const shown = codeOf(first.secret, world().clock())
      expect((await second.signIn(first.email, shown, 'outra senha comprida')).status).toBe(200)
      const short = { password: PASSWORD, newPassword: 'curta' }
      expect(refusal(await first.call('PUT', '/api/session/password', short))).toEqual([400, 'INVALID_REQUEST'])
    })

    once('a password that guessers try first is refused', async () => {
      const browser = await signedIn(world())
      for (const newPassword of ['password1234', 'SenhaSegura1', '123456789012', 'ana.souza.2026']) {
        const changed = await browser.call('PUT', '/api/session/password', { password: PASSWORD, newPassword })
        expect(refusal(changed)).toEqual([422, 'PASSWORD_TOO_COMMON'])
        const rui = { name: 'Ana Souza', email: 'rui@example.com', password: newPassword }
        expect(refusal(await browser.call('POST', '/api/administrators', rui))).toEqual([422, 'PASSWORD_TOO_COMMON'])
      }
      const weak = newAdministrator(world(), { password: 'password1234' })
      await expect(weak).rejects.toBeInstanceOf(StartupProblem)
    })

    once('signing out ends the session, of the browser and of every copy of its cookie', async () => {
      const browser = await signedIn(world())
      world().clock.advance(2 * MINUTE)
      const renewed = (await browser.call('GET', '/api/session')).headers.get('set-cookie')!
      const copy = { cookie: renewed.split(';', 1)[0]! }
      expect((await browser.call('GET', '/api/session', undefined, copy)).status).toBe(200)
      const { status, headers } = await browser.call('DELETE', '/api/session')
      expect([status, headers.get('set-cookie')]).toEqual([200, expect.stringContaining('Max-Age=0')])
      expect((await browser.call('GET', '/api/session')).status).toBe(401)
      expect((await browser.call('GET', '/api/session', undefined, copy)).status).toBe(401)
    })

    once('a call that another site makes the browser send is nobody’s', async () => {
      const browser = await signedIn(world())
      const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
      const answer = await browser.call('POST', '/api/applications', { name: 'x' }, foreign)
      expect(refusal(answer)).toEqual([401, 'UNAUTHORIZED'])
      expect((await browser.call('DELETE', '/api/session', undefined, foreign)).headers.get('set-cookie')).toBeNull()
      expect((await browser.call('GET', '/api/session')).status).toBe(200)
    })

    once('every call extends a session; without calls it ends', async () => {
      const browser = await signedIn(world())
      for (const hours of [7, 7]) {
        world().clock.advance(hours * HOUR)
        expect((await browser.call('GET', '/api/session')).status).toBe(200)
      }
      world().clock.advance(8 * HOUR)
      expect((await browser.call('GET', '/api/session')).status).toBe(401)
    })

    once('a forged or old cookie opens nothing', async () => {
      const browser = await signedIn(world())
      const [name, value] = [...browser.jar][0]!
      browser.jar.set(name, `${value.slice(0, -2)}AA`)
      expect((await browser.call('GET', '/api/session')).status).toBe(401)
      browser.jar.set(name, value)
      world().clock.advance(40 * DAY)
      expect((await browser.call('GET', '/api/session')).status).toBe(401)
    })

    test('no password, secret or code reaches the log or the database', async () => {
      const { email, secret } = await signedIn(world())
      const shown = codeOf(secret, world().clock())
      await browserOf(world()).signIn(email, shown)
      await browserOf(world()).signIn(email, undefined, 'senha errada e secreta')
      const rows = await world().store.db.selectFrom('administrator').selectAll().execute()
      const events = await world().store.db.selectFrom('audit_event').selectAll().execute()
      const kept = JSON.stringify([rows, events]) + world().log()
      for (const text of [PASSWORD, secret, 'senha errada e secreta']) expect(kept).not.toContain(text)
    })
  })

  describe(`the second factor on ${database}`, () => {
    const once = testOnce(database)
    once('is left out where the settings do not ask for it, and asked of whoever has one', async () => {
      const world = await startSessionServer(database, { settings: { Auth: { RequireSecondFactor: false } } })
      const { email } = await newAdministrator(world)
      const browser = browserOf(world)
      expect((await browser.signIn(email)).body.secondFactor).toBe('off')
      expect((await browser.call('GET', '/api/administrators')).status).toBe(200)
      await enrol(browser, world)
      expect(refusal(await browserOf(world).signIn(email))).toEqual([401, 'CODE_REQUIRED'])
    })

    test('survives a rotation of the master key', async () => {
      const before = await startSessionServer(database)
      const { email, secret } = await signedIn(before)
      await before.stop()
      const file = masterKeyOf(before)
      const { newest } = rotateMasterKey(file)
      for (const table of sessionServer.sealedTables!) {
        const { unopened } = await resealTable(before.store as never, openSecrets(file), table)
        expect(unopened).toEqual([])
      }
      retireOldKeys(file, new Set([newest]))
      const after = await startSessionServer(database, { after: before })
      expect((await browserOf(after).signIn(email, codeOf(secret, after.clock()))).status).toBe(200)
    })

    once('local administrators stay outside where the settings leave the identity provider alone', async () => {
      const before = await startSessionServer(database)
      const browser = await signedIn(before)
      await before.stop()
      const Oidc = {
        Enabled: true,
        Issuer: 'http://127.0.0.1:9',
        ClientId: 'console',
        Administrators: ['ana@example.com'],
      }
      const after = await startSessionServer(database, { settings: { Auth: { Password: false }, Oidc }, after: before })
      const same = browserOf(after)
      for (const [name, value] of browser.jar) same.jar.set(name, value)
      expect((await same.call('GET', '/api/session')).status).toBe(401)
      const refused = await same.signIn(browser.email, codeOf(browser.secret, after.clock()))
      expect(refusal(refused)).toEqual([401, 'SIGN_IN_REFUSED'])
    })
  })
}

// Attempts are counted in memory.
describe('attempts to sign in on SQLite', () => {
  test('are limited by address, whatever accounts they try, and a cookie over TLS is Secure', async () => {
    const RateLimiting = { Enabled: true, SignIn: { PermitsPerWindow: 3, WindowSeconds: 60 } }
    const Console = { PublicUrl: 'https://console.example' }
    const world = await startSessionServer('SQLite', { settings: { RateLimiting, Console } })
    const { email } = await newAdministrator(world)
    const { headers } = await browserOf(world).signIn(email)
    expect(headers.get('set-cookie')).toMatch(/^__Host-chancela-sessions=.*; Secure$/)
    const others = [1, 2, 3].map((name) => browserOf(world).signIn(`${name}@example.com`))
    const statuses = (await Promise.all(others)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([401, 401, 429])
  })
})

// What a newcomer forgets: the console has a section of its own.
describe('behind a proxy with TLS that `common` names', () => {
  const environment = { CHANCELA__COMMON__HTTP__TRUSTEDPROXIES: '["127.0.0.1"]' }
  const schemas = { 'session-server': sessionServerSettings }
  const { TrustedProxies } = loadSettings({ schemas, environment }).settings['session-server'].Console
  const proxied = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'console.example' }

  test('the console’s cookie is Secure and of this host alone, and no other opens a session', async () => {
    const world = await startSessionServer('SQLite', { settings: { Console: { TrustedProxies } } })
    const { id, email } = await newAdministrator(world)
    const browser = browserOf(world)
    const { headers } = await browser.call('POST', '/api/session', { email, password: PASSWORD }, proxied)
    expect(headers.get('set-cookie')).toMatch(/^__Host-chancela-sessions=.*; Path=\/; .*; Secure$/)
    expect((await browser.call('GET', '/api/session', undefined, proxied)).body).toMatchObject({ id })

    const planted = browserOf(world)
    planted.jar.set('chancela-sessions', browser.jar.get('__Host-chancela-sessions')!)
    expect((await planted.call('GET', '/api/session', undefined, proxied)).status).toBe(401)
  })

  test('pages of that name over TLS may change something, pages of it in clear may not', async () => {
    const world = await startSessionServer('SQLite', { settings: { Console: { TrustedProxies } } })
    const { email } = await newAdministrator(world)
    const browser = browserOf(world)
    await browser.call('POST', '/api/session', { email, password: PASSWORD }, proxied)
    const from = async (origin: string) =>
      (await browser.call('POST', '/api/session/second-factor', undefined, { ...proxied, origin })).status
    expect(await from('http://console.example')).toBe(401)
    expect(await from('https://evil.example')).toBe(401)
    expect(await from('https://console.example')).toBe(200)
  })
})
