// The holder confirms on the phone while the browser waits at a page of the hub (cloud-hub facts 1.5 and 1.8).
import { openBrowser } from '@chancela/testkit/browser'
import { startReceiver } from '@chancela/testkit/receiver'
import { describe, expect, onTestFinished, test } from 'vitest'
import { allowRedirects, begunAuthorization, type Journey, REDIRECT_URI } from './test-support/authorized.ts'
import { type Answer, databases, readAnswer, testOnce } from './test-support/hub-world.ts'
import { addProvider } from './test-support/providers.ts'
import { newDocument, outcomeOf, signingWorld } from './test-support/signing.ts'

const ANA = '52998224725'
const patient = { timeout: 60_000 }

for (const database of databases) {
  describe(`a holder who confirms on the phone (${database})`, () => {
    const once = testOnce(database)
    const world = signingWorld(database, { knobs: { push: true } })
    const later = (milliseconds: number) => world.hub.clock.advance(milliseconds)

    const open = async (address: string, init: RequestInit = {}) =>
      readAnswer(await fetch(address, { redirect: 'manual', ...init }))

    /** A session whose provider supports push; nobody has opened its page yet. */
    const begun = async (more: Partial<Journey> = {}) => {
      world.provider.quirks.push = true
      const { serviceName } = world.service
      return begunAuthorization(world.hub, world.provider, { serviceName, identifier: ANA, ...more })
    }
    /** The user opens the page, which triggers the push. */
    const waiting = async (more: Partial<Journey> = {}) => {
      const address = await begun(more)
      expectPage(await open(address))
      return address
    }
    /** The page reloads after a while. */
    /** Where the links of the page lead: to the page of the provider, and back to the application. */
    const linksOf = ({ text }: Answer) =>
      [...text.matchAll(/<a href="([^"]+)">/g)].map(([, link]) => link!.replaceAll('&amp;', '&')) as [string, string]
    const again = (address: string) => {
      later(2000)
      return open(address)
    }
    const confirm = (decision: 'approve' | 'deny') => world.provider.confirmPush('ana-souza', decision)
    const lastSession = () =>
      world.hub.store.db.selectFrom('session').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    const rings = (calls = world.provider.calls) =>
      calls.filter(({ operation, body }) => operation === 'authorize' && body.redirect_uri === 'push://').length

    const expectPage = ({ status, text, headers }: Answer) => {
      expect([status, headers.get('location')]).toEqual([200, null])
      expect(text).toContain('<meta http-equiv="refresh" content="2">')
    }
    const expectDeadEnd = ({ status, text, headers }: Answer) => {
      expect([status, headers.get('location')]).toEqual([400, null])
      expect(text).not.toContain('http-equiv')
    }
    /** Where the user is redirected. */
    const returned = ({ status, headers }: Answer) => {
      expect([status, headers.get('referrer-policy'), headers.get('cache-control')]).toEqual([
        302,
        'no-referrer',
        'no-store',
      ])
      const back = new URL(headers.get('location')!)
      expect(back.origin + back.pathname).toBe(REDIRECT_URI)
      return { session: back.searchParams.get('session')!, error: back.searchParams.get('error') }
    }
    const expectRefused = async (session: string) =>
      expect(outcomeOf(await world.certificate(session))).toBe('422 SessionInvalidOrAlreadyUsed')

    once.each([
      ['code=… and 304', 'text', 304],
      ['JSON and 202', 'json', 202],
      ['code=… and 200 without a token', 'text', 200],
    ] as const)('signs in the end, at a provider that says %s', async (_what, pushAnswer, pushPending) => {
      const address = await begun({ customState: 'mine' })
      Object.assign(world.provider.quirks, { pushAnswer, pushPending })
      expect(address).toMatch(
        `${world.hub.settings.Http.PublicUrl}/waiting/${world.service.serviceName.toLowerCase()}?state=`,
      )
      const rung = rings()
      expectPage(await open(address))
      expect(rings()).toBe(rung + 1)
      expectPage(await again(address))
      confirm('approve')
      const { session, error } = returned(await again(address))
      expect(error).toBeNull()
      expect((await world.hub.json('GET', `/api/sessions/custom-state?session=${session}`)).body).toBe('mine')
      const document = newDocument()
      const { status, body } = await world.sign(session, document.hash)
      expect([status, document.isSignedBy(body, 'ana-souza')]).toEqual([200, true])
    })

    once('no phone rings before the user opens the page, nor for a program that only looks at it', async () => {
      const rung = rings()
      const address = await begun()
      expect((await open(address, { method: 'HEAD' })).status).toBe(200)
      expectPage(await open(address, { headers: { 'sec-purpose': 'prefetch;prerender' } }))
      expect(rings()).toBe(rung)
    })

    once('the provider is told whom to ask, and not the state that opens the page', async () => {
      const address = await waiting()
      const asked = world.provider.calls.findLast(({ operation }) => operation === 'authorize')!
      expect(asked.body).toMatchObject({ redirect_uri: 'push://', login_hint: ANA, scope: 'single_signature' })
      expect(JSON.stringify(asked.body)).not.toContain(new URL(address).searchParams.get('state'))
    })

    test('of ten openings at once one rings the phone', async () => {
      const address = await begun()
      const rung = rings()
      for (const answer of await Promise.all(Array.from({ length: 10 }, () => open(address)))) expectPage(answer)
      expect(rings()).toBe(rung + 1)
    })

    test('the provider is asked at most once a second, however often the page is opened', async () => {
      const address = await waiting()
      const count = world.counting()
      await Promise.all(Array.from({ length: 5 }, () => open(address)))
      expect(count('push-poll')).toBe(0)
      later(1000)
      await Promise.all(Array.from({ length: 5 }, () => open(address)))
      expect(count('push-poll')).toBe(1)
    })

    test('of ten openings after the confirmation one goes on, and the token is exchanged once', async () => {
      const address = await waiting()
      confirm('approve')
      later(2000)
      const count = world.counting()
      const answers = await Promise.all(Array.from({ length: 10 }, () => open(address)))
      expect(answers.filter(({ status }) => status === 302)).toHaveLength(1)
      expect([count('push-poll'), count('token')]).toEqual([1, 1])
    })

    test('a denial on the phone: error=access_denied and a session that is refused', async () => {
      const address = await waiting()
      confirm('deny')
      const { session, error } = returned(await again(address))
      expect(error).toBe('access_denied')
      await expectRefused(session)
      expect(await lastSession()).toMatchObject({ state: 'refused', reason: 'denied', sealed_step: null })
    })

    test('a user who gives up: the link goes back by way of the callback, and the page is over', async () => {
      const address = await begun()
      const [, back] = linksOf(await open(address))
      const { session, error } = returned(await open(back))
      expect(error).toBe('access_denied')
      await expectRefused(session)
      expectDeadEnd(await again(address))
    })

    test('a user without the phone goes on at the page of the provider, and what the phone says counts no more', async () => {
      const address = await waiting()
      const [toPage] = linksOf(await open(address))
      const { status, headers } = await open(toPage)
      const page = headers.get('location')!
      expect([status, page]).toEqual([302, expect.stringMatching(`${world.provider.psc.baseUrl}/oauth/authorize?`)])
      expect(new URL(page).searchParams.get('login_hint')).toBe(ANA)
      confirm('approve')
      const count = world.counting()
      expectDeadEnd(await again(address))
      expectDeadEnd(await open(toPage))
      const location = await world.provider.walk(page, { holder: 'ana-souza' })
      const { session, error } = returned(await open(location))
      expect([error, count('push-poll'), count('token')]).toEqual([null, 0, 1])
      const document = newDocument()
      const signed = await world.sign(session, document.hash)
      expect(document.isSignedBy(signed.body, 'ana-souza')).toBe(true)
    })

    once('of ten ways to that page at once one is open, also while the waiting page reloads', async () => {
      const address = await waiting()
      const [toPage] = linksOf(await open(address))
      later(2000)
      const answers = await Promise.all([open(address), ...Array.from({ length: 10 }, () => open(toPage))])
      expect(answers.filter(({ status }) => status === 302)).toHaveLength(1)
    })

    once('nobody leaves the phone who only looks at the link, is too late, or has another state', async () => {
      const address = await waiting({ lifetimeInSeconds: 60 })
      const [toPage] = linksOf(await open(address))
      expectDeadEnd(await open(toPage, { headers: { 'sec-purpose': 'prefetch' } }))
      expectDeadEnd(await open(toPage.replace(/state=.*/, `state=${'A'.repeat(43)}`)))
      expectPage(await open(address))
      later(60_000)
      expect(outcomeOf(await world.certificate(returned(await open(toPage)).session))).toBe('422 SessionExpired')
    })

    test('while the provider answers 500 the page goes on; after two minutes: error=provider_error', async () => {
      const address = await waiting()
      world.provider.failAlways('push-poll', { status: 500, body: 'secret diagnosis' })
      expectPage(await again(address))
      expectPage(await again(address))
      later(115_000)
      expectPage(await open(address))
      later(1000)
      const { session, error } = returned(await open(address))
      expect(error).toBe('provider_error')
      await expectRefused(session)
      expect(await lastSession()).toMatchObject({ state: 'refused', reason: 'unconfirmed' })
    })

    once('a provider that is well again is asked again', async () => {
      const address = await waiting()
      world.provider.fail('push-poll', 'drop')
      expectPage(await again(address))
      confirm('approve')
      expect(returned(await again(address)).error).toBeNull()
    })

    once.each([
      [
        'does not know the code any more',
        'push-poll',
        { status: 400, body: { error: 'invalid_grant' } },
        'code-refused',
      ],
      ['does not take the hub', 'push-poll', { status: 401, body: { error: 'invalid_client' } }, 'misconfigured'],
      ['does not take the token', 'token', { status: 400, body: { error: 'invalid_grant' } }, 'code-refused'],
    ] as const)('a provider that %s: error=provider_error', async (_what, operation, fault, reason) => {
      const address = await waiting()
      confirm('approve')
      world.provider.fail(operation, fault)
      const { session, error } = returned(await again(address))
      expect(error).toBe('provider_error')
      await expectRefused(session)
      expect(await lastSession()).toMatchObject({ state: 'refused', reason })
    })

    once.each([
      ['answers 500', { status: 500 }, 'garbage'],
      ['drops the connection', 'drop', 'lost'],
      ['shows a page instead', { status: 302, headers: { location: '/login' } }, 'garbage'],
      ['answers without a code', { status: 200, body: { code: '' } }, 'garbage'],
      ['answers with a code beyond any length', { status: 200, body: `code=${'x'.repeat(9000)}` }, 'garbage'],
      ['knows nobody with this CPF', { status: 400, body: { error: 'invalid_request' } }, 'refused'],
    ] as const)('a provider that rings no phone and %s: error=provider_error', async (_what, fault, reason) => {
      const address = await begun()
      world.provider.fail('authorize', fault)
      expect(returned(await open(address)).error).toBe('provider_error')
      expect(await lastSession()).toMatchObject({ state: 'refused', reason })
      expectDeadEnd(await again(address))
    })

    test('too late for the client: the session is expired on its first use, and the token is not exchanged', async () => {
      const address = await waiting({ lifetimeInSeconds: 60 })
      confirm('approve')
      later(60_000)
      const count = world.counting()
      const { session, error } = returned(await open(address))
      expect(error).toBeNull()
      expect(outcomeOf(await world.certificate(session))).toBe('422 SessionExpired')
      expect([count('push-poll'), count('token')]).toEqual([0, 0])
    })

    test('a state replayed after the end is shown a page, and the session of the first is not touched', async () => {
      const address = await waiting()
      confirm('approve')
      const { session } = returned(await again(address))
      expectDeadEnd(await again(address))
      expect((await world.certificate(session)).status).toBe(200)
    })

    once(
      'a state nobody waits for, one brought twice, and one at the page of another provider go nowhere',
      async () => {
        const { serviceName } = await addProvider(world.hub, world.provider, { protocol: 'psc', knobs: { push: true } })
        const address = await begun()
        const rung = rings()
        const elsewhere = address.replace(/waiting\/[^?]+/, `waiting/${serviceName}`)
        for (const wrong of [
          elsewhere,
          `${address}&state=x`,
          address.replace(/state=.*/, `state=${'A'.repeat(43)}`),
          address.split('?')[0]!,
        ])
          expectDeadEnd(await open(wrong))
        expect(rings()).toBe(rung)
        expectPage(await open(address))
      },
    )

    test('the state of a user who was sent to the page of the provider opens no page here', async () => {
      const { serviceName } = await addProvider(world.hub, world.provider, { protocol: 'psc' })
      const state = new URL(await begun({ serviceName })).searchParams.get('state')
      expectDeadEnd(await open(`${world.hub.baseUrl}/waiting/${serviceName}?state=${state}`))
    })

    once('without an identifier the user goes to the page of the provider', async () => {
      await allowRedirects(world.hub)
      const path = `/api/sessions/services/${world.service.serviceName}`
      const { body } = await world.hub.json('POST', path, { redirectUri: REDIRECT_URI })
      expect(body.authUrl).toMatch(`${world.provider.psc.baseUrl}/oauth/authorize?`)
      expect(new URL(body.authUrl).searchParams.get('redirect_uri')).toBe(world.service.callbackUri)
    })

    test('codes, tokens, states and verifiers are neither in the log nor in the database', async () => {
      const address = await waiting()
      const { sealed_step } = await lastSession()
      expectPage(await again(address))
      const pending = JSON.stringify(await lastSession())
      confirm('approve')
      const { session } = returned(await again(address))
      const row = JSON.stringify(await lastSession())
      const polled = world.provider.calls.findLast(({ operation }) => operation === 'push-poll')!.body
      const exchanged = world.provider.calls.findLast(({ operation }) => operation === 'token')!.body
      const state = new URL(address).searchParams.get('state')
      for (const secret of [polled.code, exchanged.code, exchanged.code_verifier, state, session] as string[]) {
        expect(secret.length).toBeGreaterThan(30)
        expect([world.hub.log(), sealed_step, pending, row].join('\n')).not.toContain(secret)
      }
    })

    once('the page says how much time is left, in the language of the user, and runs nothing', async () => {
      const address = await waiting()
      later(30_000)
      const portuguese = await open(address, { headers: { 'accept-language': 'pt-BR' } })
      expect(portuguese.text).toContain('<html lang="pt-BR">')
      expect(portuguese.text).toContain(`Confirme no celular em ${world.service.serviceName}`)
      expect(portuguese.text).toContain('Tempo restante: 1:30')
      expect(portuguese.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
      expect(portuguese.headers.get('cache-control')).toBe('no-store')
      const english = await open(address, { headers: { 'accept-language': 'en' } })
      expect(english.text).toContain(`Confirm on your phone at ${world.service.serviceName}`)
    })

    // A browser's behaviour does not depend on the database.
    if (database !== 'SQLite') return
    test('in a browser, the page waits, the holder confirms on the phone, and the user is back at the client', async () => {
      const client = await startReceiver((_, response) => response.end('Welcome back.'))
      await allowRedirects(world.hub, client.url)
      // Lets the pushes of other tests expire.
      later(120_000)
      const address = await begun({ redirectUri: client.url })
      const browser = await openBrowser()
      onTestFinished(() => browser.close())
      const { page, policyViolations } = await browser.newPage({
        locale: 'pt-BR',
        viewport: { width: 390, height: 760 },
      })
      await page.goto(address)
      await page.getByText('Tempo restante: 2:00').waitFor(patient)

      const phone = await browser.newPage({ locale: 'pt-BR' })
      await phone.page.goto(`${new URL(world.provider.psc.baseUrl).origin}/push`)
      const { pin } = world.provider.holders.find(({ label }) => label === 'ana-souza')!
      await phone.page.getByLabel('PIN').fill(pin)
      await phone.page.getByRole('button', { name: 'Autorizar' }).click()
      await phone.page.getByText('Nenhum pedido à espera.').waitFor(patient)

      later(2000)
      await page.getByText('Welcome back.').waitFor(patient)
      const session = new URL(page.url()).searchParams.get('session')!
      expect((await world.certificate(session)).status).toBe(200)
      expect(policyViolations).toEqual([])
    })
  })
}
