// The user returns from a provider (spec 1 B; cloud-hub facts 3.2, 3.4 and 3.5).
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  authorizedSession,
  begunAuthorization,
  followedUser,
  type Journey,
  REDIRECT_URI,
  returnedUser,
} from './test-support/authorized.ts'
import { databases, type HubWorld, readAnswer, sharedHub, testOnce } from './test-support/hub-world.ts'
import { running } from './test-support/pki.ts'
import { addProvider } from './test-support/providers.ts'

const ANA = '52998224725'
const SESSION = /^[\w-]{43}$/

const sessionRows = (world: HubWorld) =>
  world.store.db.selectFrom('session').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

for (const database of databases) {
  describe(`the user comes back (${database})`, () => {
    const once = testOnce(database)
    const world = sharedHub(database)
    let provider: RunningCloudProvider

    beforeAll(async () => {
      provider = await startCloudProvider({ pki: running.pki, clock: world().clock })
      await addProvider(world(), provider, { protocol: 'psc', serviceName: 'BirdSim' })
      await addProvider(world(), provider, { protocol: 'csc', serviceName: 'Consortium' })
    })
    beforeEach(() => provider.recover())
    afterAll(() => provider.stop())

    const journey = (more: Partial<Journey> = {}): Journey => ({ holder: 'ana-souza', serviceName: 'BirdSim', ...more })
    const returned = (more?: Partial<Journey>) => returnedUser(world(), provider, journey(more))
    const begun = (more?: Partial<Journey>) => begunAuthorization(world(), provider, journey(more))
    const customState = (session: string) => world().json('GET', `/api/sessions/custom-state?session=${session}`)
    const status = (session: string) => world().json('GET', `/api/sessions/status?session=${session}`)

    once('with the session appended to the redirect URI, and its own query as it was', async () => {
      const back = await returned({ redirectUri: `${REDIRECT_URI}?fileId=a%20b&x=1` })
      expect(back.origin + back.pathname).toBe(REDIRECT_URI)
      expect(back.search).toMatch(/^\?fileId=a%20b&x=1&session=[\w-]{43}$/)
    })

    once('by a redirect that leaks nothing', async () => {
      const location = await provider.walk(await begun(), journey())
      const answer = await fetch(location, { redirect: 'manual' })
      expect(answer.status).toBe(302)
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(await answer.text()).toBe('')
    })

    once('of a protocol with two redirects once', async () => {
      const back = await returned({ serviceName: 'Consortium' })
      expect(back.searchParams.get('session')).toMatch(SESSION)
    })

    test('the session lives as long as was asked for, counted from its creation', async () => {
      const authUrl = await begun({ lifetimeInSeconds: 120 })
      world().clock.advance(50_000)
      const back = await followedUser(world(), provider, await provider.walk(authUrl, journey()), journey())
      expect((await status(back.searchParams.get('session')!)).body.remainingSeconds).toBe(70)
    })

    test('the session lives no longer than the provider granted', async () => {
      provider.quirks.shortenLifetime = 40
      const session = await authorizedSession(world(), provider, journey({ lifetimeInSeconds: 120 }))
      expect((await status(session)).body.remainingSeconds).toBe(40)
      world().clock.advance(40_000)
      expect((await status(session)).body.code).toBe('SessionExpired')
      expect((await customState(session)).status).toBe(200)
    })

    test('too late: the session is expired on its first use, and the code is not exchanged', async () => {
      const authUrl = await begun({ lifetimeInSeconds: 60, customState: 'still mine' })
      const location = await provider.walk(authUrl, journey())
      world().clock.advance(60_000)
      const exchanged = provider.calls.filter(({ operation }) => operation === 'token').length
      const back = await followedUser(world(), provider, location, journey())
      expect(back.searchParams.has('error')).toBe(false)
      const session = back.searchParams.get('session')!
      const expired = { status: 422, body: { code: 'SessionExpired' } }
      expect(await world().json('GET', `/api/sessions/certificate?session=${session}`)).toMatchObject(expired)
      expect(await customState(session)).toMatchObject({ status: 200, body: 'still mine' })
      expect(provider.calls.filter(({ operation }) => operation === 'token')).toHaveLength(exchanged)
    })

    test('however long the session may live, the holder has only so many minutes at the provider', async () => {
      const authUrl = await begun({ type: 'SignatureSession', lifetimeInSeconds: 86_400 })
      const location = await provider.walk(authUrl, journey())
      world().clock.advance(world().settings.Sessions.AuthorizationMinutes * 60_000)
      const back = await followedUser(world(), provider, location, journey())
      expect((await status(back.searchParams.get('session')!)).body.code).toBe('SessionExpired')
    })

    test.each(['deny', 'cancel'] as const)(
      'after %s: with error=access_denied and a session that is refused',
      async (decision) => {
        const back = await returned({ decision, customState: 'mine' })
        expect(back.searchParams.get('error')).toBe('access_denied')
        const session = back.searchParams.get('session')!
        expect(session).toMatch(SESSION)
        const refusal = { status: 422, body: { code: 'SessionInvalidOrAlreadyUsed' } }
        expect(await customState(session)).toMatchObject(refusal)
        expect(await world().json('GET', `/api/sessions/certificate?session=${session}`)).toMatchObject(refusal)
        expect(await sessionRows(world())).toMatchObject({ state: 'refused', reason: 'denied', sealed_step: null })
      },
    )

    once.each([
      ['answers 500', { status: 500, body: 'secret diagnosis' }, 'garbage'],
      ['drops the connection', 'drop', 'lost'],
      ['answers garbage', 'garbage', 'garbage'],
      ['does not take the code', { status: 400, body: { error: 'invalid_grant' } }, 'code-refused'],
      ['does not take the hub', { status: 401, body: { error: 'invalid_client' } }, 'misconfigured'],
    ] as const)(
      'when the provider %s: with error=provider_error and a session that is refused',
      async (_what, fault, reason) => {
        provider.fail('token', fault)
        const back = await returned()
        expect(back.searchParams.get('error')).toBe('provider_error')
        expect((await customState(back.searchParams.get('session')!)).body.code).toBe('SessionInvalidOrAlreadyUsed')
        expect(await sessionRows(world())).toMatchObject({ state: 'refused', reason })
        expect(back.href).not.toContain('diagnosis')
      },
    )

    once.each(['server_error', 'temporarily_unavailable', '<script>'])(
      'the provider says %s: error=provider_error',
      async (error) => {
        const authUrl = new URL(await begun())
        const callback = new URL(authUrl.searchParams.get('redirect_uri')!)
        callback.search = new URLSearchParams({ error, state: authUrl.searchParams.get('state')! }).toString()
        const back = await followedUser(world(), provider, callback.href, journey())
        expect(back.searchParams.get('error')).toBe('provider_error')
      },
    )

    test('a holder other than the one asked for is refused: the login hint is not a barrier', async () => {
      const back = await returned({ identifier: ANA, holder: 'bruno-lima' })
      expect(back.searchParams.get('error')).toBe('access_denied')
      expect(await sessionRows(world())).toMatchObject({
        state: 'refused',
        reason: 'another-holder',
        sealed_grant: null,
      })
    })

    once('the holder asked for is welcome; a company where a person was asked for is not compared', async () => {
      expect((await returned({ identifier: ANA })).searchParams.has('error')).toBe(false)
      const company = await returned({ identifier: ANA, holder: 'padaria-aurora' })
      expect(company.searchParams.has('error')).toBe(false)
    })

    test('the other sessions of the creation are not touched', async () => {
      const { body } = await world().json('POST', '/api/sessions', { redirectUri: REDIRECT_URI, customState: 'shared' })
      for (const { authUrl } of body.services) {
        const location = await provider.walk(authUrl, journey())
        const back = await followedUser(world(), provider, location, journey())
        expect((await customState(back.searchParams.get('session')!)).body).toBe('shared')
      }
    })

    test('every outcome is in the audit', async () => {
      await returned()
      await returned({ decision: 'deny' })
      const uses = await world()
        .store.db.selectFrom('session_use')
        .selectAll()
        .where('action', '=', 'authorize')
        .orderBy('id', 'desc')
        .limit(2)
        .execute()
      expect(uses.map(({ outcome }) => outcome)).toEqual(['denied', 'ok'])
      expect(uses[1]).toMatchObject({ milliseconds: expect.any(Number), correlation_id: expect.stringMatching(/-/) })
    })

    test('codes, states, verifiers, tokens and session values are neither in the log nor in the database', async () => {
      const authUrl = await begun()
      const location = await provider.walk(authUrl, journey())
      const back = await followedUser(world(), provider, location, journey())
      const row = JSON.stringify(await sessionRows(world()))
      const { code, state } = Object.fromEntries(new URL(location).searchParams)
      const body = JSON.stringify(provider.calls.findLast(({ operation }) => operation === 'token')!.body)
      const verifier = /code_verifier[^\w]+([\w-]{43,128})/.exec(body)![1]!
      for (const secret of [code!, state!, verifier, back.searchParams.get('session')!]) {
        expect(world().log()).not.toContain(secret)
        expect(row).not.toContain(secret)
      }
      expect(row).toContain('"sealed_grant":"v1.')
    })

    once('the page for people is in their language', async () => {
      const shown = async (language: string) =>
        readAnswer(
          await fetch(new URL('/callbacks/birdsim?state=x', world().baseUrl), {
            headers: { 'accept-language': language },
          }),
        )
      const portuguese = await shown('pt-BR')
      expect(portuguese).toMatchObject({ status: 400, text: expect.stringContaining('<html lang="pt-BR">') })
      expect(portuguese.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(portuguese.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
      expect((await shown('en')).text).toContain('<html lang="en-US">')
    })
  })
}
