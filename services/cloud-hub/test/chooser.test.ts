// The page on which a user chooses the provider, as its API serves it.
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unregisterRedirectUri } from '../src/actions/redirect-uris.ts'
import { allowRedirects, followedUser, REDIRECT_URI } from './test-support/authorized.ts'
import { databases, readAnswer, sharedHub, testOnce } from './test-support/hub-world.ts'
import { running } from './test-support/pki.ts'
import { addProvider } from './test-support/providers.ts'

const ANA = '52998224725'
const NOBODY = '00000000191'

for (const database of databases) {
  describe(`the chooser (${database})`, () => {
    const once = testOnce(database)
    const world = sharedHub(database)
    let provider: RunningCloudProvider

    beforeAll(async () => {
      provider = await startCloudProvider({ pki: running.pki, clock: world().clock })
      await addProvider(world(), provider, { protocol: 'psc', serviceName: 'BirdSim' })
      await addProvider(world(), provider, { protocol: 'psc', serviceName: 'Other' })
      await allowRedirects(world())
    })
    afterAll(() => provider.stop())

    const asked = async (body: object = {}): Promise<string> => {
      const answer = await world().json('POST', '/api/sessions/chooser', { redirectUri: REDIRECT_URI, ...body })
      expect(Object.keys(answer.body)).toEqual(['chooserUrl'])
      const url = new URL(answer.body.chooserUrl)
      expect(url.origin).toBe(world().settings.Http.PublicUrl)
      return /^\/choose\/([\w-]{43})$/.exec(url.pathname)![1]!
    }
    const read = async (path: string) => readAnswer(await fetch(new URL(path, world().baseUrl), { redirect: 'manual' }))
    const choice = (ticket: string) => read(`/choices/${ticket}`)
    const none = (ticket: string) => read(`/choices/${ticket}/none`)

    test('shows the providers, the application and how long there is time, to whoever has the ticket', async () => {
      const ticket = await asked({ identifier: ANA, lifetimeInSeconds: 120 })
      const { status, body } = await choice(ticket)
      expect(status).toBe(200)
      expect(body).toEqual({
        application: world().client.name,
        expiresAt: new Date(world().clock().getTime() + 120_000).toISOString(),
        services: ['BirdSim', 'Other'].map((serviceName) => ({
          serviceInfo: expect.objectContaining({ serviceName }),
          authUrl: expect.stringContaining(provider.psc.baseUrl),
          available: true,
        })),
        backUrl: `${world().settings.Http.PublicUrl}/choices/${ticket}/none`,
      })
    })

    test('leads to a session like any other', async () => {
      const ticket = await asked()
      const { authUrl } = (await choice(ticket)).body.services[0]
      const walk = { holder: 'ana-souza' }
      const back = await followedUser(world(), provider, await provider.walk(authUrl, walk), walk)
      expect(back.searchParams.get('session')).toMatch(/^[\w-]{43}$/)
      const left = (await choice(ticket)).body.services
      expect(left).toMatchObject([{ serviceInfo: { serviceName: 'Other' } }])
    })

    once('shows no provider when none holds a certificate, and the way back', async () => {
      const ticket = await asked({ identifier: NOBODY })
      expect((await choice(ticket)).body.services).toEqual([])
      expect((await none(ticket)).status).toBe(302)
    })

    test('who chooses none goes back with error=access_denied, and nothing can be authorized any more', async () => {
      const ticket = await asked()
      const { authUrl } = (await choice(ticket)).body.services[0]
      const answer = await none(ticket)
      expect(answer.status).toBe(302)
      const back = new URL(answer.headers.get('location')!)
      expect(back.origin + back.pathname).toBe(REDIRECT_URI)
      expect(back.searchParams.get('error')).toBe('access_denied')
      const session = back.searchParams.get('session')
      const read = await world().json('GET', `/api/sessions/custom-state?session=${session}`)
      expect(read.body.code).toBe('SessionInvalidOrAlreadyUsed')
      expect((await choice(ticket)).body.services).toEqual([])
      const callback = await fetch(await provider.walk(authUrl, { holder: 'ana-souza' }), { redirect: 'manual' })
      expect(callback.status).toBe(400)
    })

    test('a ticket that is unknown, used up by time, or none at all is NotFound', async () => {
      expect((await choice('A'.repeat(43))).status).toBe(404)
      expect((await choice('x')).status).toBe(404)
      const ticket = await asked({ lifetimeInSeconds: 60 })
      world().clock.advance(60_000)
      expect((await choice(ticket)).status).toBe(404)
      // The user is still redirected.
      expect((await none(ticket)).status).toBe(302)
    })

    test('a redirect URI that was unregistered meanwhile is not gone to', async () => {
      const redirectUri = 'https://app.example/chooser'
      await allowRedirects(world(), redirectUri)
      const ticket = await asked({ redirectUri })
      await unregisterRedirectUri(world().store.db, world().client.keyId, redirectUri)
      expect(await none(ticket)).toMatchObject({ status: 400, headers: expect.anything() })
    })

    test('neither the ticket nor what it stands for is in the log or readable in the database', async () => {
      const ticket = await asked()
      const { services } = (await choice(ticket)).body
      const rows = JSON.stringify(await world().store.db.selectFrom('creation').selectAll().execute())
      const secrets = [
        ticket,
        ...services.map(({ authUrl }: { authUrl: string }) => new URL(authUrl).searchParams.get('state')),
      ]
      for (const secret of secrets) {
        expect(rows).not.toContain(secret)
        expect(world().log()).not.toContain(secret)
      }
    })

    once('the badge of a provider without a logo is its monogram, which other sites may show', async () => {
      const answer = await read('/badges/birdsim.svg')
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('image/svg+xml')
      expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      expect(answer.headers.get('cache-control')).toMatch(/max-age/)
      expect(answer.text).toContain('>B</text>')
      expect((await read('/badges/nobody.svg')).status).toBe(404)
    })
  })
}
