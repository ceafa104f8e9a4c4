// Signing in at an identity provider (spec 2, Authentication).
import { HOUR, MINUTE } from '@chancela/service-kernel/clock'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  client,
  signInAtProvider,
  turnBackAtProvider,
} from '../../session-server/test/test-support/identity-provider.ts'
import {
  browserAt,
  idpSettings,
  newProvider,
  openFor,
  passThrough,
  sentTo,
  signedInAs,
  wayBack,
} from './test-support/idp.ts'
import { API_KEY, startWorld, type World, type WorldOptions } from './test-support/operations-world.ts'

const provider = await newProvider()
afterAll(() => provider.close())

const REFUSED = '/login?error=invalid'
const UNAVAILABLE = '/login?error=server'
const SESSION = 'chancela-batch-idp'
const TRIP = 'chancela-batch-idp-trip'

/** A service that knows the provider, which is open for it. */
async function withProvider(options: WorldOptions = {}, over: object = {}): Promise<World> {
  const settings = { ...options.settings, Auth: { ApiKey: API_KEY, Idp: idpSettings(provider, over) } }
  const world = await startWorld({ ...options, settings })
  openFor(provider, world.baseUrl)
  return world
}

const whoAmI = async (browser: ReturnType<typeof browserAt>) => browser.call('GET', '/api/whoami')

const login = (world: World, headers: Record<string, string> = {}) =>
  fetch(`${world.baseUrl}/api/auth/login`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ApiKey: API_KEY }),
    headers,
  })

for (const database of ['SQLite', 'PostgreSQL'] as const)
  describe(`a session of the identity provider on ${database}`, () => {
    test('begins with code, PKCE, state and nonce, and the cookies are the browser’s own', async () => {
      const world = await withProvider({ database })
      const browser = browserAt(world.baseUrl)
      const answer = await browser.visit('GET', '/api/auth/idp-login?ReturnUrl=%2Fjobs%3Fstatus%3DFailed')
      expect(answer.headers.get('set-cookie')).toMatch(
        /^chancela-batch-idp-trip=v1\.[^;]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
      )
      const url = new URL(answer.headers.get('location')!)
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: client.id,
        response_type: 'code',
        redirect_uri: `${world.baseUrl}/signin-oidc`,
        scope: 'openid email profile',
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      })
      const back = await wayBack(browser, 'ana', '/jobs?status=Failed')
      const last = await browser.visit('GET', back)
      expect([last.status, last.headers.get('location')]).toEqual([302, '/jobs?status=Failed'])
      expect(last.headers.getSetCookie()[1]).toMatch(
        /^chancela-batch-idp=v1\.[^;]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Lax$/,
      )
      expect([...browser.jar.keys()]).toEqual([SESSION])
    })

    test('satisfies the operator policy with the role Administrator, under the name that the provider gives', async () => {
      const world = await withProvider({ database })
      const ana = await signedInAs(world.baseUrl, 'ana')
      expect((await whoAmI(ana)).body).toMatchObject({ operator: 'ana@casa', scheme: 'idp' })
      const bia = await signedInAs(world.baseUrl, 'bia')
      expect((await whoAmI(bia)).body).toMatchObject({ operator: '(anonymous)', scheme: 'idp' })
      expect((await ana.call('POST', '/api/pipeline/pause', { reason: 'férias' })).status).toBe(200)
      const { body } = await ana.call('GET', '/api/events?type=PipelinePaused')
      expect(body.items[0]).toMatchObject({ actor: 'ana@casa' })
    })

    test('ends with the sign-out for every copy of it, also over a restart, and not at the provider', async () => {
      const world = await withProvider({ database })
      const browser = await signedInAs(world.baseUrl, 'ana')
      const other = await signedInAs(world.baseUrl, 'ana')
      const copy = browserAt(world.baseUrl)
      copy.jar.set(SESSION, browser.jar.get(SESSION)!)
      const foreign = await browser.visit('POST', '/api/auth/logout', { headers: { 'sec-fetch-site': 'cross-site' } })
      expect([foreign.headers.getSetCookie(), (await whoAmI(copy)).status]).toEqual([[], 200])
      const out = await browser.visit('POST', '/api/auth/logout')
      expect([out.status, out.headers.get('location')]).toEqual([302, '/login'])
      expect([...browser.jar]).toEqual([])
      expect((await whoAmI(copy)).status).toBe(401)
      await world.stop()
      const again = await withProvider({ database, after: world })
      const [stale, live] = [browserAt(again.baseUrl), browserAt(again.baseUrl)]
      stale.jar.set(SESSION, copy.jar.get(SESSION)!)
      live.jar.set(SESSION, other.jar.get(SESSION)!)
      expect([(await whoAmI(stale)).status, (await whoAmI(live)).status]).toEqual([401, 200])
    })

    test('is begun once: another browser, a second callback and a copy of the cookie get none', async () => {
      const world = await withProvider({ database })
      const browser = browserAt(world.baseUrl)
      const back = await wayBack(browser, 'ana')
      expect(await sentTo(browserAt(world.baseUrl), back)).toBe(REFUSED)
      const another = browserAt(world.baseUrl)
      await sentTo(another, '/api/auth/idp-login')
      expect(await sentTo(another, back)).toBe(REFUSED)
      const copies = [browser, browserAt(world.baseUrl), browserAt(world.baseUrl)]
      for (const copy of copies) copy.jar.set(TRIP, browser.jar.get(TRIP)!)
      // At the same moment: one wins, whatever the provider thinks of a code that comes twice.
      const pages = await Promise.all(copies.map((copy) => sentTo(copy, back)))
      expect(pages.sort()).toEqual(['/', REFUSED, REFUSED])
      expect(copies.filter(({ jar }) => jar.has(SESSION))).toHaveLength(1)
    })

    test('is begun once, even if the provider gives a second code for the same sign-in', async () => {
      const world = await withProvider({ database })
      const [browser, copy] = [browserAt(world.baseUrl), browserAt(world.baseUrl)]
      const asked = await sentTo(browser, '/api/auth/idp-login')
      copy.jar.set(TRIP, browser.jar.get(TRIP)!)
      const [first, second] = [await signInAtProvider(asked, 'ana'), await signInAtProvider(asked, 'ana')]
      expect([await sentTo(browser, first), await sentTo(copy, second)]).toEqual(['/', REFUSED])
      expect([...copy.jar]).toEqual([])
    })

    test('takes the place of those that the key opened', async () => {
      const before = await startWorld({ database })
      const cookie = (await login(before)).headers.get('set-cookie')!.split(';', 1)[0]!
      const ask = async ({ baseUrl }: World, headers: Record<string, string>) =>
        (await fetch(`${baseUrl}/api/whoami`, { headers })).status
      expect(await ask(before, { cookie })).toBe(200)
      await before.stop()
      const world = await withProvider({ database, after: before })
      expect(await ask(world, { cookie })).toBe(401)
      expect(await ask(world, { cookie: cookie.replace('chancela-batch=', `${SESSION}=`) })).toBe(401)
      expect(await ask(world, { 'X-API-Key': API_KEY })).toBe(200)
      const form = await login(world)
      expect([form.status, form.headers.get('location'), form.headers.getSetCookie()]).toEqual([302, REFUSED, []])
      const json = await login(world, { accept: 'application/json' })
      expect([json.status, await json.json()]).toMatchObject([401, { code: 'auth.invalid-credentials' }])
    })
  })

describe('roles', () => {
  test('come from the claim alone; whoever has none is told so, and gets no session', async () => {
    const world = await withProvider()
    for (const person of ['nobody', 'other', 'addressless', 'unverified']) {
      const browser = browserAt(world.baseUrl)
      expect([person, await passThrough(browser, person, '/jobs')]).toEqual([person, '/access-denied'])
      expect([...browser.jar]).toEqual([])
    }
    const reasons = world.log().flatMap(({ reason }) => (reason === undefined ? [] : [reason]))
    expect(reasons).toEqual(['no role', 'no role', 'approver without e-mail', 'approver whose e-mail is not verified'])
  })

  test('are those of another claim where the settings name one', async () => {
    const world = await withProvider({}, { RolesClaim: 'groups' })
    expect(await passThrough(browserAt(world.baseUrl), 'ana')).toBe('/access-denied')
  })

  test('and the address are believed alike in the token itself', async () => {
    const world = await withProvider()
    openFor(provider, world.baseUrl, { claimsInToken: true })
    expect(await passThrough(browserAt(world.baseUrl), 'ana')).toBe('/')
    expect(await passThrough(browserAt(world.baseUrl), 'rui')).toBe('/approvals')
  })

  test('of an approver alone open no page of operators, and lead elsewhere with the sign-out', async () => {
    const world = await withProvider()
    for (const [returnUrl, page] of [
      [undefined, '/approvals'],
      ['/system', '/approvals'],
      ['/approve/7?x=1', '/approve/7?x=1'],
    ] as const)
      expect(await passThrough(browserAt(world.baseUrl), 'rui', returnUrl)).toBe(page)
    const browser = await signedInAs(world.baseUrl, 'rui')
    expect(await whoAmI(browser)).toMatchObject({ status: 401, body: { code: 'auth.invalid-credentials' } })
    const out = await browser.visit('POST', '/api/auth/logout')
    expect(out.headers.get('location')).toBe('/approvals/link-required')
    expect([...browser.jar]).toEqual([])
    const both = await signedInAs(world.baseUrl, 'bia')
    expect((await both.visit('POST', '/api/auth/logout')).headers.get('location')).toBe('/login')
  })

  test('last a day at most, and eight hours without a call', async () => {
    const world = await withProvider()
    const browser = await signedInAs(world.baseUrl, 'ana')
    for (let hours = 7; hours < 24; hours += 7) {
      world.clock.advance(7 * HOUR)
      expect((await whoAmI(browser)).status).toBe(200)
    }
    world.clock.advance(3 * HOUR)
    expect((await whoAmI(browser)).status).toBe(401)
    const idle = await signedInAs(world.baseUrl, 'ana')
    world.clock.advance(8 * HOUR)
    expect((await whoAmI(idle)).status).toBe(401)
  })

  test('end when the settings name another client', async () => {
    const world = await withProvider()
    const browser = await signedInAs(world.baseUrl, 'ana')
    await world.stop()
    const changed = await withProvider({ after: world }, { ClientId: 'another' })
    const same = browserAt(changed.baseUrl)
    same.jar.set(SESSION, browser.jar.get(SESSION)!)
    expect((await whoAmI(same)).status).toBe(401)
  })
})

describe('a sign-in at the identity provider', () => {
  test('is refused for a changed state, a forged cookie, one of ten minutes ago, and who turns back', async () => {
    const world = await withProvider()
    const begin = async () => {
      const browser = browserAt(world.baseUrl)
      return { browser, back: await wayBack(browser, 'ana') }
    }
    const changed = await begin()
    const back = new URL(changed.back)
    back.searchParams.set('state', 'x'.repeat(43))
    expect(await sentTo(changed.browser, back.href)).toBe(REFUSED)
    const forged = await begin()
    forged.browser.jar.set(TRIP, `${forged.browser.jar.get(TRIP)!.slice(0, -2)}AA`)
    expect(await sentTo(forged.browser, forged.back)).toBe(REFUSED)
    const old = await begin()
    world.clock.advance(10 * MINUTE)
    expect(await sentTo(old.browser, old.back)).toBe(REFUSED)
    const turning = browserAt(world.baseUrl)
    const turned = await turnBackAtProvider(await sentTo(turning, '/api/auth/idp-login'))
    expect(await sentTo(turning, turned)).toBe(REFUSED)
  })

  test('is refused for a token with the nonce of another sign-in', async () => {
    const world = await withProvider()
    const browser = browserAt(world.baseUrl)
    const asked = new URL(await sentTo(browser, '/api/auth/idp-login'))
    asked.searchParams.set('nonce', 'n'.repeat(43))
    expect(await sentTo(browser, await signInAtProvider(asked.href, 'ana'))).toBe(REFUSED)
    expect([...browser.jar]).toEqual([])
  })

  test('leads back to no other site, and keeps no address that a cookie cannot hold', async () => {
    const world = await withProvider()
    for (const returnUrl of [
      '//evil.example',
      'https://evil.example/',
      '/\\evil.example',
      `/jobs?${'x'.repeat(5_000)}`,
    ])
      expect(await passThrough(browserAt(world.baseUrl), 'ana', returnUrl)).toBe('/')
  })

  test('comes back to the public address of the service, whatever host the browser names', async () => {
    const world = await withProvider({ settings: { Http: { PublicUrl: 'https://lote.example/' } } })
    const answer = await browserAt(world.baseUrl).visit('GET', '/api/auth/idp-login')
    const url = new URL(answer.headers.get('location')!)
    expect(url.searchParams.get('redirect_uri')).toBe('https://lote.example/signin-oidc')
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-chancela-batch-idp-trip=.*; Secure$/)
  })

  test('leaves no code, state, token or secret in the log and in the database', async () => {
    const world = await withProvider()
    const browser = browserAt(world.baseUrl)
    const back = await wayBack(browser, 'ana')
    await sentTo(browser, back)
    const { body: system } = await browser.call('GET', '/dashboard/api/system')
    const rows = await world.store.db.selectFrom('ended_session').selectAll().execute()
    const kept = JSON.stringify([world.log(), rows, system])
    const { code, state } = Object.fromEntries(new URL(back).searchParams)
    for (const secret of [code!, state!, client.secret, browser.jar.get(SESSION)!]) expect(kept).not.toContain(secret)
  })
})

describe('an identity provider', () => {
  test('may be away when the service starts: the login page says so, and readiness, which does not gate', async () => {
    const late = await newProvider()
    onTestFinished(() => void late.close())
    const world = await startWorld({ settings: { Auth: { ApiKey: API_KEY, Idp: idpSettings(late) } } })
    const browser = browserAt(world.baseUrl)
    expect(await sentTo(browser, '/api/auth/idp-login?ReturnUrl=/jobs')).toBe(`${UNAVAILABLE}&ReturnUrl=%2Fjobs`)
    const check = async () => {
      const answer = await world.call('GET', '/api/ready/details')
      const { checks } = (await answer.json()) as { checks: { name: string; ok: boolean }[] }
      return [answer.status, checks.find(({ name }) => name === 'identity-provider')]
    }
    expect(await check()).toMatchObject([200, { ok: false, detail: expect.stringMatching(/nobody can sign in\.$/) }])
    openFor(late, world.baseUrl)
    world.clock.advance(2 * MINUTE)
    expect(await check()).toMatchObject([200, { ok: true, detail: 'The identity provider answers.' }])
    expect(await passThrough(browser, 'ana')).toBe('/')
    late.shut()
    world.clock.advance(2 * MINUTE)
    expect(await check()).toMatchObject([200, { ok: false }])
    expect((await whoAmI(browser)).status).toBe(200)
  })

  test('that goes away during a sign-in is unavailable', async () => {
    const world = await withProvider()
    const browser = browserAt(world.baseUrl)
    const back = await wayBack(browser, 'ana')
    provider.shut()
    expect(await sentTo(browser, back)).toBe(UNAVAILABLE)
    expect([...browser.jar]).toEqual([])
  })

  test('is told to the login page, and nothing else of it', async () => {
    const ways = async ({ baseUrl }: World) => (await fetch(`${baseUrl}/dashboard/api/sign-in`)).json()
    expect(await ways(await withProvider())).toEqual({ identityProvider: true })
    const without = await startWorld()
    expect(await ways(without)).toEqual({ identityProvider: false })
    for (const path of ['/api/auth/idp-login', '/signin-oidc?code=x&state=y'])
      expect(await sentTo(browserAt(without.baseUrl), path)).toBe('/login')
  })
})
