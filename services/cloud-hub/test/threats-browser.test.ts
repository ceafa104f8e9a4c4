// Attacks on the way between client, hub and provider (cloud-hub facts 4), each with its answer.
import { type AddressInfo, createServer } from 'node:net'
import { disableApplication, revokeKey } from '@chancela/service-kernel/http'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { unregisterRedirectUri } from '../src/actions/redirect-uris.ts'
import { allowRedirects, begunAuthorization, followedUser, REDIRECT_URI } from './test-support/authorized.ts'
import { databases, newClient, readAnswer, sharedHub, testOnce } from './test-support/hub-world.ts'
import { running } from './test-support/pki.ts'
import { addProvider, registryOf } from './test-support/providers.ts'

const walk = { holder: 'ana-souza' }

for (const database of databases) {
  describe(`threats on the way of the user (${database})`, () => {
    const once = testOnce(database)
    const world = sharedHub(database)
    let provider: RunningCloudProvider

    beforeAll(async () => {
      provider = await startCloudProvider({ pki: running.pki, clock: world().clock })
      await addProvider(world(), provider, { protocol: 'psc', serviceName: 'honest' })
      await addProvider(world(), provider, { protocol: 'psc', serviceName: 'evil' })
      const issuer = 'https://issuer.example/tenant'
      await addProvider(world(), provider, { protocol: 'psc', serviceName: 'named', knobs: { issuer } })
    })
    afterAll(() => provider.stop())

    const begun = (more = {}) => begunAuthorization(world(), provider, { serviceName: 'honest', ...more })
    /** The provider redirects the user back with a code. */
    const walked = async (more = {}) => new URL(await provider.walk(await begun(more), walk))
    const open = async (address: URL | string) => readAnswer(await fetch(address, { redirect: 'manual' }))
    const exchanges = () => provider.calls.filter(({ operation }) => operation === 'token').length
    const lastSession = () =>
      world().store.db.selectFrom('session').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

    /** The user is shown a page: no redirect, and nothing of the request is repeated. */
    const expectDeadEnd = (answer: Awaited<ReturnType<typeof open>>) => {
      expect(answer.status).toBe(400)
      expect(answer.headers.get('location')).toBeNull()
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    }

    describe('open redirect', () => {
      test('a redirect URI that is unregistered while the user is at the provider is not gone to', async () => {
        const redirectUri = 'https://app.example/soon-gone'
        await allowRedirects(world(), redirectUri)
        const callback = await walked({ redirectUri })
        await unregisterRedirectUri(world().store.db, world().client.keyId, redirectUri)
        const before = exchanges()
        expectDeadEnd(await open(callback))
        expect(exchanges()).toBe(before)
        expect(await lastSession()).toMatchObject({ state: 'refused', reason: 'redirect-uri-gone' })
        await allowRedirects(world(), redirectUri)
        expectDeadEnd(await open(callback))
      })

      once.each([
        ['key is revoked', revokeKey, 'keyId'],
        ['application is shut out', disableApplication, 'id'],
      ] as const)('a user whose client %s meanwhile goes nowhere', async (_what, end, which) => {
        const { store, clock } = world()
        const client = await newClient(store)
        await allowRedirects(world(), REDIRECT_URI, client.keyId)
        const body = { redirectUri: REDIRECT_URI }
        const post = () => world().json('POST', '/api/sessions/services/honest', body, { 'X-Api-Key': client.apiKey })
        await expect.poll(async () => (await post()).status).toBe(200)
        const callback = await provider.walk((await post()).body.authUrl, walk)
        await end(store, client[which], clock())
        expectDeadEnd(await open(callback))
      })

      once('a session or an error planted in the redirect URI is replaced', async () => {
        const callback = await walked({ redirectUri: `${REDIRECT_URI}?session=planted&error=planted&file=1` })
        const back = new URL((await open(callback)).headers.get('location')!)
        expect(back.search).toMatch(/^\?file=1&session=[\w-]{43}$/)
      })

      once('nothing of the callback decides where the user goes', async () => {
        const callback = await walked()
        for (const name of ['redirect_uri', 'redirectUri', 'return', 'url'])
          callback.searchParams.set(name, 'https://evil.example/')
        expect((await open(callback)).headers.get('location')).toMatch(`${REDIRECT_URI}?session=`)
      })
    })

    describe('mix-up', () => {
      test('a code that comes to the address of another provider goes to nobody, and the state is spent', async () => {
        const callback = await walked()
        const atEvil = new URL(callback.href.replace('/callbacks/honest', '/callbacks/evil'))
        const before = exchanges()
        expectDeadEnd(await open(atEvil))
        expectDeadEnd(await open(callback))
        expect(exchanges()).toBe(before)
        expect(await lastSession()).toMatchObject({ state: 'refused', reason: 'mix-up' })
      })

      once.each([
        ['of another server', 'honest', 'https://evil.example'],
        ['that is no address', 'honest', 'evil'],
        ['other than the one the operator named', 'named', 'https://issuer.example'],
      ])('an issuer %s is refused', async (_what, serviceName, iss) => {
        const callback = await walked({ serviceName })
        callback.searchParams.set('iss', iss)
        const before = exchanges()
        expectDeadEnd(await open(callback))
        expect(exchanges()).toBe(before)
      })

      once.each([
        ['of the server the user was sent to', 'honest', () => new URL(provider.psc.baseUrl).origin],
        ['that the operator named', 'named', () => 'https://issuer.example/tenant'],
      ])('the issuer %s is welcome', async (_what, serviceName, iss) => {
        const callback = await walked({ serviceName })
        callback.searchParams.set('iss', iss())
        expect((await open(callback)).status).toBe(302)
      })
    })

    describe('code injection', () => {
      test('a code of another session is of no use: the verifier does not fit it', async () => {
        const [own, stolen] = [await walked(), await walked()]
        own.searchParams.set('code', stolen.searchParams.get('code')!)
        const back = new URL((await open(own)).headers.get('location')!)
        expect(back.searchParams.get('error')).toBe('provider_error')
        const session = back.searchParams.get('session')
        const use = await world().json('GET', `/api/sessions/certificate?session=${session}`)
        expect(use).toMatchObject({ status: 422, body: { code: 'SessionInvalidOrAlreadyUsed' } })
      })

      once('a code without a state, or with one that nobody waits for, is exchanged by nobody', async () => {
        const callback = await walked()
        const before = exchanges()
        for (const state of ['', 'x', 'A'.repeat(43)]) {
          callback.searchParams.set('state', state)
          expectDeadEnd(await open(callback))
        }
        callback.searchParams.delete('state')
        expectDeadEnd(await open(callback))
        expect(exchanges()).toBe(before)
      })
    })

    describe('replayed state', () => {
      test('a callback that comes again is not answered, and the session of the first is not touched', async () => {
        const callback = await walked({ customState: 'first' })
        const back = await followedUser(world(), provider, callback.href, walk)
        expectDeadEnd(await open(callback))
        const session = back.searchParams.get('session')
        expect((await world().json('GET', `/api/sessions/custom-state?session=${session}`)).body).toBe('first')
      })

      test('of ten that come at once one is answered, and the code is exchanged once', async () => {
        const callback = await walked()
        const before = exchanges()
        const answers = await Promise.all(Array.from({ length: 10 }, () => open(callback)))
        expect(answers.map(({ status }) => status).sort()).toEqual([302, ...Array(9).fill(400)])
        expect(exchanges() - before).toBe(1)
      })

      once('a look at a callback that nobody opens (HEAD, prefetch) spends nothing', async () => {
        const callback = await walked()
        const before = exchanges()
        const looks = [
          await fetch(callback, { method: 'HEAD', redirect: 'manual' }),
          await fetch(callback, { headers: { 'Sec-Purpose': 'prefetch' }, redirect: 'manual' }),
        ]
        expect(looks.map(({ status }) => status)).toEqual([400, 400])
        expect(exchanges() - before).toBe(0)
        expect((await open(callback)).status).toBe(302)
      })

      once('a state brought twice in one address is none', async () => {
        const callback = await walked()
        callback.searchParams.append('state', 'x')
        expectDeadEnd(await open(callback))
      })
    })

    once('SSRF through a badge: its address is passed on and never asked', async () => {
      let connections = 0
      const server = createServer((socket) => {
        connections += 1
        socket.destroy()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const badgeUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}/latest/meta-data`
      const { id } = await addProvider(world(), provider, { protocol: 'psc', serviceName: 'pretty' })
      await registryOf(world()).update(id, { badgeUrl }, 'test')
      const create = () => world().json('POST', '/api/sessions/services/pretty', { redirectUri: REDIRECT_URI })
      await expect.poll(async () => (await create()).body.serviceInfo.badgeUrl).toBe(badgeUrl)
      expect((await open(new URL('/badges/pretty.svg', world().baseUrl))).text).toMatch('<svg')
      const { chooserUrl } = (await world().json('POST', '/api/sessions/chooser', { redirectUri: REDIRECT_URI })).body
      expect((await open(chooserUrl.replace('/choose/', '/choices/'))).text).toContain(badgeUrl)
      expect(connections).toBe(0)
    })

    describe('oversized tokens', () => {
      once.each([
        ['state', 10_000],
        ['code', 10_000],
      ])('a %s of %d characters is refused before anybody looks at it', async (name, length) => {
        const callback = await walked()
        callback.searchParams.set(name, 'A'.repeat(length))
        const before = exchanges()
        expectDeadEnd(await open(callback))
        expect(exchanges()).toBe(before)
      })

      test('a session of more characters than any has is one that the hub does not know', async () => {
        const answer = await world().json('GET', `/api/sessions/custom-state?session=${'A'.repeat(5000)}`)
        expect(answer).toMatchObject({ status: 422, body: { code: 'SessionInvalidOrAlreadyUsed' } })
      })

      once(
        'a customState, a redirect URI and an identifier beyond their limits are refused under their names',
        async () => {
          const sent = {
            redirectUri: `${REDIRECT_URI}?x=${'a'.repeat(5000)}`,
            customState: 'a'.repeat(9000),
            identifier: '1'.repeat(99),
          }
          const { status, body } = await world().json('POST', '/api/sessions', sent)
          expect(status).toBe(400)
          expect(Object.keys(body.errors).sort()).toEqual(['customState', 'identifier', 'redirectUri'])
        },
      )
    })

    once('what an attacker writes into a callback is not on the page', async () => {
      const address = new URL('/callbacks/%3Cscript%3Ealert(1)%3C%2Fscript%3E', world().baseUrl)
      address.search = '?state=%3Cscript%3E&error=%3Cscript%3E&error_description=%3Cscript%3E'
      const answer = await open(address)
      expectDeadEnd(answer)
      expect(answer.text).not.toContain('script')
    })
  })
}
