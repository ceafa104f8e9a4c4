import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MINUTE } from '@chancela/service-kernel/clock'
import { type Browser, browserOf, PASSWORD, refusal } from '@chancela/testkit/console'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { consoleRights } from '../src/contract/console-rights.ts'
import { type SessionServerSettings, sessionServerRules, sessionServerSettings } from '../src/settings.ts'
import {
  type Account,
  client,
  reserveIdentityProvider,
  signInAtProvider,
  turnBackAtProvider,
} from './test-support/identity-provider.ts'
import { databases, sharedSessionServer, startSessionServer, testOnce } from './test-support/session-world.ts'

const accounts: Readonly<Record<string, Account>> = {
  ana: { email: 'Ana@Example.com', email_verified: true, name: 'Ana Souza' },
  rui: { email: 'rui@example.com', email_verified: true },
  unverified: { email: 'ana@example.com', email_verified: false, name: 'Somebody' },
  silent: { email: 'ana@example.com', name: 'Somebody' },
  nameless: {},
}

// The provider prints notes for its operators to the console.
for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => undefined)

const provider = await reserveIdentityProvider()
afterAll(() => provider.close())

const Oidc = {
  Enabled: true,
  Title: 'Hospital',
  Issuer: provider.issuer,
  ClientId: client.id,
  ClientSecret: client.secret,
  Administrators: ['ana@EXAMPLE.com'],
}

const REFUSED = '/login?error=OIDC_REFUSED'
const UNAVAILABLE = '/login?error=OIDC_UNAVAILABLE'

/** The URL of a server for one test. */
async function serverOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Where the console redirects a browser. */
const sentTo = async ({ visit }: Browser, path: string): Promise<string> => {
  const answer = await visit('GET', path)
  expect(answer.status).toBe(302)
  return answer.headers.get('location')!
}

/** Signs in at the provider and returns. */
async function passThrough(browser: Browser, login: string): Promise<string> {
  const url = await sentTo(browser, '/api/session/oidc')
  return sentTo(browser, await signInAtProvider(url, login))
}

for (const database of databases) {
  describe(`roles that an identity provider gives on ${database}`, () => {
    const once = testOnce(database)
    const withClaim = async (
      RoleClaim: string,
      roles: unknown,
      after?: Awaited<ReturnType<typeof startSessionServer>>,
    ) => {
      const world = await startSessionServer(database, {
        settings: { Oidc: { ...Oidc, RoleClaim } },
        ...(after && { after }),
      })
      const ana = { ...accounts.ana!, roles: roles as string }
      provider.open({ accounts: { ana }, redirectUris: [`${world.consoleUrl}/oidc/callback`] })
      return world
    }

    test('a claim says what whoever signs in may do', async () => {
      for (const [claim, roles, role] of [
        ['roles', ['staff', 'auditor'], 'auditor'],
        ['roles', 'Support', 'support'],
        ['roles', ['support', 'administrator'], 'administrator'],
        ['roles.console', { console: ['auditor'] }, 'auditor'],
      ] as const) {
        const browser = browserOf(await withClaim(claim, roles))
        expect(await passThrough(browser, 'ana')).toBe('/')
        expect((await browser.call('GET', '/api/session')).body.role).toBe(role)
        const { status } = await browser.call('POST', '/api/applications', { name: 'Prontuário' })
        expect(status).toBe(role === 'administrator' ? 200 : 403)
      }
    })

    once('whoever has no role of ours stays outside, and is told so in the events', async () => {
      for (const roles of [undefined, [], ['staff'], 7, 'administrators']) {
        const world = await withClaim('roles', roles)
        expect(await passThrough(browserOf(world), 'ana')).toBe(REFUSED)
        const told = world.store.db.selectFrom('audit_event').select('type').where('type', 'like', '%Sign%')
        expect(await told.execute()).toEqual([{ type: 'SignInRefused' }])
      }
    })

    once('sessions of before a claim was asked for have ended', async () => {
      const before = await startSessionServer(database, { settings: { Oidc } })
      provider.open({ accounts, redirectUris: [`${before.consoleUrl}/oidc/callback`] })
      const browser = browserOf(before)
      await passThrough(browser, 'ana')
      await before.stop()
      const same = browserOf(await withClaim('roles', 'auditor', before))
      for (const [name, value] of browser.jar) same.jar.set(name, value)
      expect((await same.call('GET', '/api/session')).status).toBe(401)
    })
  })

  describe(`signing in at an identity provider on ${database}`, () => {
    const once = testOnce(database)
    const world = sharedSessionServer(database, { settings: { Oidc } })
    const open = (over: object = {}) =>
      provider.open({ accounts, redirectUris: [`${world().consoleUrl}/oidc/callback`], ...over })
    beforeAll(() => open())

    once('the sign-in page learns of the provider', async () => {
      const { body } = await browserOf(world()).call('GET', '/api/session/ways')
      expect(body).toEqual({ password: true, passkey: true, oidc: { title: 'Hospital', path: '/api/session/oidc' } })
    })

    test('an administrator signs in with code, PKCE, state and nonce', async () => {
      const browser = browserOf(world())
      const answer = await browser.visit('GET', '/api/session/oidc')
      expect(answer.headers.get('set-cookie')).toMatch(
        /^chancela-sessions-oidc=v1\.[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
      )
      const url = new URL(answer.headers.get('location')!)
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: 'console',
        response_type: 'code',
        redirect_uri: `${world().consoleUrl}/oidc/callback`,
        scope: 'openid email profile',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      })
      expect(await sentTo(browser, await signInAtProvider(url.href, 'ana'))).toBe('/')
      expect([...browser.jar.keys()]).toEqual(['chancela-sessions'])
      expect((await browser.call('GET', '/api/session')).body).toEqual({
        id: 'ana',
        name: 'Ana Souza',
        email: 'ana@example.com',
        way: 'oidc',
        role: 'administrator',
        rights: Object.keys(consoleRights),
        secondFactor: 'off',
        factors: [],
      })
      expect((await browser.call('GET', '/api/administrators')).status).toBe(200)
    })

    once('an address in the token itself is believed alike', async () => {
      open({ claimsInToken: true })
      onTestFinished(() => open())
      const browser = browserOf(world())
      expect(await passThrough(browser, 'ana')).toBe('/')
      expect((await browser.call('GET', '/api/session')).body.email).toBe('ana@example.com')
    })

    once('password and second factor are the provider’s', async () => {
      const browser = browserOf(world())
      await passThrough(browser, 'ana')
      const refusals = [
        await browser.call('POST', '/api/session/second-factor'),
        await browser.call('PUT', '/api/session/second-factor', { code: '123456' }),
        await browser.call('PUT', '/api/session/password', { password: 'x', newPassword: 'outra senha comprida' }),
      ]
      for (const answer of refusals) expect(refusal(answer)).toEqual([409, 'AT_IDENTITY_PROVIDER'])
    })

    test('only a fresh sign-in at the provider proves who it is', async () => {
      const browser = browserOf(world())
      await passThrough(browser, 'ana')
      const add = async () => {
        const email = `${crypto.randomUUID()}@example.com`
        return browser.call('POST', '/api/administrators', { name: 'Eva', email, password: PASSWORD })
      }
      const refused = await add()
      expect(refusal(refused)).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
      expect(refused.body.error.details).toEqual({ way: 'oidc' })
      expect(refusal(await browser.call('POST', '/api/session/proof', { password: PASSWORD }))).toEqual([
        409,
        'AT_IDENTITY_PROVIDER',
      ])
      const url = await sentTo(browser, '/api/session/oidc?fresh=true&ReturnUrl=/administrators')
      expect(new URL(url).searchParams.get('prompt')).toBe('login')
      expect(await sentTo(browser, await signInAtProvider(url, 'ana'))).toBe('/administrators')
      expect((await add()).status).toBe(200)
      world().clock.advance(10 * MINUTE)
      expect(refusal(await add())).toEqual([403, 'REAUTHENTICATION_REQUIRED'])
    })

    once.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/..//evil.example'])(
      'nobody is led to another site after the sign-in: %s',
      async (ReturnUrl) => {
        const browser = browserOf(world())
        const url = await sentTo(browser, `/api/session/oidc?${new URLSearchParams({ ReturnUrl })}`)
        expect(await sentTo(browser, await signInAtProvider(url, 'ana'))).toBe('/')
      },
    )

    once.each(['unverified', 'silent', 'nameless', 'rui'])(
      'whoever the provider does not vouch for, or who is no administrator, is refused: %s',
      async (login) => {
        const browser = browserOf(world())
        expect(await passThrough(browser, login)).toBe(REFUSED)
        expect([...browser.jar]).toEqual([])
      },
    )

    test('who was refused, and who was not, is in the log of events', async () => {
      await passThrough(browserOf(world()), 'rui')
      const browser = browserOf(world())
      await passThrough(browser, 'ana')
      const of = async (type: string) => (await browser.call('GET', `/api/events?type=${type}&limit=1`)).body.items[0]
      expect(await of('SignInRefused')).toMatchObject({
        actor: 'rui@example.com',
        subject: { kind: 'identity', id: 'rui' },
      })
      expect(await of('AdministratorSignedIn')).toMatchObject({ actor: 'ana@example.com' })
    })

    once('who turns back at the provider is refused', async () => {
      const browser = browserOf(world())
      const back = await turnBackAtProvider(await sentTo(browser, '/api/session/oidc'))
      expect(new URL(back).searchParams.get('error')).toBe('access_denied')
      expect(await sentTo(browser, back)).toBe(REFUSED)
    })

    test('what one browser began another cannot finish, and nobody twice', async () => {
      const browser = browserOf(world())
      const back = await signInAtProvider(await sentTo(browser, '/api/session/oidc'), 'ana')
      expect(await sentTo(browserOf(world()), back)).toBe(REFUSED)
      const another = browserOf(world())
      await sentTo(another, '/api/session/oidc')
      expect(await sentTo(another, back)).toBe(REFUSED)
      const copied = browserOf(world())
      for (const [name, value] of browser.jar) copied.jar.set(name, value)
      expect(await sentTo(browser, back)).toBe('/')
      expect(await sentTo(browser, back)).toBe(REFUSED)
      expect(await sentTo(copied, back)).toBe(REFUSED)
    })

    once('a changed state, a forged cookie and one that is ten minutes old are refused', async () => {
      const begin = async () => {
        const browser = browserOf(world())
        return { browser, back: await signInAtProvider(await sentTo(browser, '/api/session/oidc'), 'ana') }
      }
      const changed = await begin()
      const back = new URL(changed.back)
      back.searchParams.set('state', 'x'.repeat(43))
      expect(await sentTo(changed.browser, back.href)).toBe(REFUSED)

      const forged = await begin()
      const [name, value] = [...forged.browser.jar][0]!
      forged.browser.jar.set(name, `${value.slice(0, -2)}AA`)
      expect(await sentTo(forged.browser, forged.back)).toBe(REFUSED)

      const old = await begin()
      world().clock.advance(10 * MINUTE)
      expect(await sentTo(old.browser, old.back)).toBe(REFUSED)
    })

    once('a provider that goes away meanwhile is unavailable, and asked again when it is back', async () => {
      const browser = browserOf(world())
      const back = await signInAtProvider(await sentTo(browser, '/api/session/oidc'), 'ana')
      provider.shut()
      onTestFinished(() => open())
      expect(await sentTo(browser, back)).toBe(UNAVAILABLE)
      open()
      expect(await passThrough(browser, 'ana')).toBe('/')
    })

    once('a client the provider does not believe is refused', async () => {
      open({ clientSecret: 'another secret of the console at the provider' })
      onTestFinished(() => open())
      expect(await passThrough(browserOf(world()), 'ana')).toBe(REFUSED)
    })

    test('no code, token or secret reaches the log or the database', async () => {
      const browser = browserOf(world())
      const back = await signInAtProvider(await sentTo(browser, '/api/session/oidc'), 'ana')
      await sentTo(browser, back)
      const events = await world().store.db.selectFrom('audit_event').selectAll().execute()
      const kept = world().log() + JSON.stringify(events)
      const { code: given, state } = Object.fromEntries(new URL(back).searchParams)
      for (const secret of [given!, state!, client.secret, browser.jar.get('chancela-sessions')!]) {
        expect(kept).not.toContain(secret)
      }
    })
  })

  describe(`an identity provider on ${database}`, () => {
    const once = testOnce(database)
    once('may be away when the service starts', async () => {
      const late = await reserveIdentityProvider()
      onTestFinished(() => void late.close())
      const world = await startSessionServer(database, { settings: { Oidc: { ...Oidc, Issuer: late.issuer } } })
      const browser = browserOf(world)
      expect(await sentTo(browser, '/api/session/oidc')).toBe(UNAVAILABLE)
      late.open({ accounts, redirectUris: [`${world.consoleUrl}/oidc/callback`] })
      expect(await passThrough(browser, 'ana')).toBe('/')
    })

    test('whose administrators change ends the sessions of those who are none any more', async () => {
      const before = await startSessionServer(database, { settings: { Oidc } })
      provider.open({ accounts, redirectUris: [`${before.consoleUrl}/oidc/callback`] })
      const browser = browserOf(before)
      await passThrough(browser, 'ana')
      expect((await browser.call('GET', '/api/session')).status).toBe(200)
      await before.stop()
      const settings = { Oidc: { ...Oidc, Administrators: ['rui@example.com'] } }
      const after = await startSessionServer(database, { settings, after: before })
      const same = browserOf(after)
      for (const [name, value] of browser.jar) same.jar.set(name, value)
      expect((await same.call('GET', '/api/session')).status).toBe(401)
    })

    once('sends browsers back to the public address of the console, whatever host they name', async () => {
      const PublicUrl = 'https://console.example/'
      const world = await startSessionServer(database, { settings: { Oidc, Console: { PublicUrl } } })
      provider.open({ accounts, redirectUris: [`${PublicUrl}oidc/callback`] })
      const answer = await browserOf(world).visit('GET', '/api/session/oidc')
      const url = new URL(answer.headers.get('location')!)
      expect(url.searchParams.get('redirect_uri')).toBe('https://console.example/oidc/callback')
      expect(answer.headers.get('set-cookie')).toMatch(/^__Host-chancela-sessions-oidc=.*; Secure$/)
    })

    once('that is silent, or sends without end, is given up', async () => {
      const endless: RequestListener = (_, response) => {
        response.setHeader('content-type', 'application/json')
        const more = setInterval(() => response.write(Buffer.alloc(262_144, ' ')), 1)
        response.on('close', () => clearInterval(more))
      }
      for (const [listener, TimeoutSeconds] of [[() => {}, 1] as const, [endless, 5] as const]) {
        const Issuer = await serverOf(listener)
        const world = await startSessionServer(database, { settings: { Oidc: { ...Oidc, Issuer, TimeoutSeconds } } })
        expect(await sentTo(browserOf(world), '/api/session/oidc')).toBe(UNAVAILABLE)
        // The log's kind tells which limit ended it.
        expect(world.log()).toContain(listener === endless ? '"kind":"TypeError"' : '"code":"OAUTH_TIMEOUT"')
      }
    })

    once('that names addresses inside, or without TLS, is not asked there unless the operator lists them', async () => {
      let asked = 0
      const inside = await serverOf((_, response) => {
        asked += 1
        response.writeHead(400).end()
      })
      const named = inside.replace('127.0.0.1', 'localhost')
      const Issuer: string = await serverOf((_, response) =>
        response.setHeader('content-type', 'application/json').end(
          JSON.stringify({
            issuer: Issuer,
            authorization_endpoint: `${Issuer}/authorize`,
            token_endpoint: `${named}/token`,
            jwks_uri: `${Issuer}/jwks`,
          }),
        ),
      )
      for (const [AllowedHosts, calls] of [[[], 0] as const, [['localhost'], 1] as const]) {
        const world = await startSessionServer(database, { settings: { Oidc: { ...Oidc, Issuer, AllowedHosts } } })
        const browser = browserOf(world)
        const state = new URL(await sentTo(browser, '/api/session/oidc')).searchParams.get('state')
        expect(await sentTo(browser, `/oidc/callback?code=x&state=${state}`)).toMatch(/error=OIDC_/)
        expect(asked).toBe(calls)
      }
    })

    once('that is not set up signs nobody in', async () => {
      const world = await startSessionServer(database)
      expect(await sentTo(browserOf(world), '/api/session/oidc')).toBe(UNAVAILABLE)
      expect(await sentTo(browserOf(world), '/oidc/callback?code=x&state=y')).toBe(REFUSED)
    })
  })
}

describe('the settings of signing in', () => {
  const everyDefault = () => Value.Create(sessionServerSettings) as SessionServerSettings
  const told = (changes: Partial<SessionServerSettings>) =>
    sessionServerRules.flatMap((rule) => rule({ ...everyDefault(), ...changes })).map(({ key }) => key)
  const breaches = (oidc: object, auth: object = {}) => {
    const { Oidc, Auth } = everyDefault()
    const Administrators = ['ana@example.com']
    return told({ Oidc: { ...Oidc, Administrators, ...oidc }, Auth: { ...Auth, ...auth } })
  }

  test('an enabled provider needs issuer, client and administrators', () => {
    expect(breaches({ Enabled: false })).toEqual([])
    expect(breaches({ Enabled: true, Administrators: [] })).toEqual([
      'Oidc:Issuer',
      'Oidc:ClientId',
      'Oidc:Administrators',
    ])
  })

  test('plain http is for a provider on this machine', () => {
    const withIssuer = (Issuer: string) => breaches({ Enabled: true, ClientId: 'x', Issuer })
    for (const issuer of ['https://id.example.com', 'http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:1/x'])
      expect(withIssuer(issuer)).toEqual([])
    for (const issuer of ['http://id.example.com', 'http://localhost.example.com', 'ftp://localhost', 'nonsense'])
      expect(withIssuer(issuer)).toEqual(['Oidc:Issuer'])
  })

  test('a cookie can have the name', () => {
    expect(breaches({ Enabled: false }, { CookieName: 'a name; x' })).toEqual(['Auth:CookieName'])
  })

  test('a certificate is judged again before it is stale', () => {
    const { Certificates } = everyDefault()
    const stale = (StaleAfterMinutes: number) =>
      told({ Certificates: { ...Certificates, RecheckMinutes: 15, StaleAfterMinutes } })
    expect(stale(16)).toEqual([])
    expect(stale(15)).toEqual(['Certificates:StaleAfterMinutes'])
  })

  test('somebody can sign in', () => {
    expect(breaches({ Enabled: false }, { Password: false })).toEqual(['Auth:Password'])
    expect(breaches({ Enabled: true, ClientId: 'x', Issuer: 'https://id.example.com' }, { Password: false })).toEqual(
      [],
    )
  })
})
