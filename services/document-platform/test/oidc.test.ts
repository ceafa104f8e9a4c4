// Users who sign in at an identity provider: a real one, over HTTP.
import { MINUTE } from '@chancela/service-kernel/clock'
import { browserOf } from '@chancela/testkit/console'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
// The provider of the consoles' tests: the platform is another client of it.
import {
  client,
  reserveIdentityProvider,
  signInAtProvider,
} from '../../session-server/test/test-support/identity-provider.ts'
import { type DocumentPlatformSettings, documentPlatformRules } from '../src/settings.ts'
import { administration } from './test-support/administration.ts'
import {
  databases,
  type PlatformWorld,
  sharedPlatform,
  startPlatform,
  testOnce,
} from './test-support/platform-world.ts'
import { newUser } from './test-support/users.ts'

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
}

const REFUSED = '/login?error=OIDC_REFUSED'

for (const database of databases) {
  describe(`signing in at an identity provider on ${database}`, () => {
    const platform = sharedPlatform(database, { settings: { Oidc } })
    const once = testOnce(database)
    const accounts: Record<string, { email?: string; email_verified?: boolean; name?: string }> = {}
    let redirectUri: string
    beforeAll(async () => {
      redirectUri = `${(await platform()).baseUrl}/oidc/callback`
      provider.open({ accounts, redirectUris: [redirectUri] })
    })

    /** Somebody of the provider, with an address of their own. */
    const person = (email: string, more: object = {}) => {
      const login = crypto.randomUUID()
      accounts[login] = { email, email_verified: true, name: 'Ana do Provedor', ...more }
      return login
    }
    const anAddress = () => `${crypto.randomUUID()}@example.com`

    /** Goes to the provider and comes back; the browser, and where it was sent. */
    async function passThrough({ baseUrl }: PlatformWorld, login: string) {
      const browser = browserOf({ consoleUrl: baseUrl })
      const sentTo = async (url: string) => (await browser.visit('GET', url)).headers.get('location')!
      const to = await sentTo(await signInAtProvider(await sentTo('/api/session/oidc'), login))
      return { ...browser, to }
    }
    /** The same from a browser that is signed in already; its cookie is not sent from another site. */
    async function again(browser: ReturnType<typeof browserOf>, login: string, query: string) {
      const away = await browser.visit('GET', `/api/session/oidc${query}`)
      const back = await signInAtProvider(away.headers.get('location')!, login)
      const kept = browser.jar.get('chancela-documents')
      browser.jar.delete('chancela-documents')
      const { headers } = await browser.visit('GET', back)
      if (!browser.jar.has('chancela-documents')) browser.jar.set('chancela-documents', kept!)
      return headers.get('location')
    }
    const kindsOf = async ({ json, organization }: PlatformWorld) =>
      (await json('GET', `/api/organizations/${organization.id}/audit`)).body.items
        .map(({ kind }: { kind: string }) => kind)
        .toReversed()

    once('the sign-in page learns of the provider', async () => {
      const { baseUrl } = await platform()
      const { body } = await browserOf({ consoleUrl: baseUrl }).call('GET', '/api/session/ways')
      expect(body).toEqual({ password: true, oidc: { title: 'Hospital', path: '/api/session/oidc' } })
    })

    test('a verified address is the account’s, in any letters', async () => {
      const world = await platform()
      const { id, email } = await newUser(world)
      const browser = await passThrough(world, person(email.toUpperCase()))
      expect(browser.to).toBe('/documents')
      expect([...browser.jar.keys()]).toEqual(['chancela-documents'])
      const { body } = await browser.call('GET', '/api/session')
      expect(body).toMatchObject({ id, email, name: 'Ana Souza', organization: { id: world.organization.id } })
      expect(await kindsOf(world)).toEqual(['UserAdded', 'SignedIn'])
    })

    test('an address that nobody verified opens no account', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      for (const more of [{ email_verified: false }, { email_verified: undefined }]) {
        const browser = await passThrough(world, person(email, more))
        expect([browser.to, [...browser.jar]]).toEqual([REFUSED, []])
      }
      expect(await kindsOf(world)).toEqual(['UserAdded'])
    })

    test('no account is made from nothing, and the administration learns who tried', async () => {
      const world = await platform()
      const email = anAddress()
      const login = person(email)
      expect((await passThrough(world, login)).to).toBe(REFUSED)
      const admin = administration(world)
      expect((await admin('GET', `/api/users?q=${email}`)).body.totalCount).toBe(0)
      const system = '/api/organizations/00000000-0000-0000-0000-000000000001/audit?kind=SignInRefused&limit=1'
      expect((await admin('GET', system)).body.items[0].subject).toEqual({ kind: 'identity', id: login, name: email })
    })

    test('the first sign-in of somebody who was invited accepts the invitation, without a password', async () => {
      const world = await platform()
      const email = anAddress()
      const { body: bia } = await world.json('POST', '/api/organizations/users', { name: 'Bia Reis', email })
      const login = person(email)
      const browser = await passThrough(world, login)
      expect((await browser.call('GET', '/api/session')).body).toMatchObject({ id: bia.id, name: 'Bia Reis' })
      expect(await kindsOf(world)).toEqual(['UserAdded', 'InvitationSent', 'InvitationAccepted', 'SignedIn'])
      const again = await passThrough(world, login)
      expect((await again.call('GET', '/api/session')).body.id).toBe(bia.id)
      const withPassword = await again.call('POST', '/api/session', { email, password: 'uma senha comprida' })
      expect(withPassword.status).toBe(401)
    })

    test('who signs in there is not asked for a second factor of ours', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const { organization } = world
      await world.json('PUT', `/api/organizations/${organization.id}`, {
        name: organization.name,
        requireSecondFactor: true,
      })
      const browser = await passThrough(world, person(email))
      expect((await browser.call('GET', '/api/documents')).status).toBe(200)
    })

    test('only a fresh sign-in there proves who it is, and the session stays in its organization', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const other = await administration(world)('POST', '/api/admin/organizations', { name: 'A primeira' })
      const add = { name: 'Ana', email, accessProfile: { administrator: true } }
      await administration(world)('POST', `/api/organizations/${other.body.id}/users`, add)
      const login = person(email)
      const browser = await passThrough(world, login)
      const { body: me } = await browser.call('GET', '/api/session')
      const organizationId = me.organizations.find(({ id }: { id: string }) => id !== me.organization.id).id
      await browser.call('PUT', '/api/session/organization', { organizationId })
      const path = `/api/organizations/${organizationId}/applications`
      const make = () => browser.call('POST', path, { name: crypto.randomUUID().slice(0, 8) })
      expect(await make()).toMatchObject({
        status: 403,
        body: { code: 'ReauthenticationRequired', details: { way: 'oidc' } },
      })
      const password = await browser.call('POST', '/api/session/proof', { password: 'uma senha comprida' })
      expect([password.status, password.body.code]).toEqual([422, 'ProofAtIdentityProvider'])
      await again(browser, login, '')
      await browser.call('PUT', '/api/session/organization', { organizationId })
      expect((await make()).status).toBe(403)
      const copy = [...browser.jar].map((pair) => pair.join('=')).join('; ')
      expect(await again(browser, login, '?fresh=true&returnUrl=/organization')).toBe('/organization')
      expect((await browser.call('GET', '/api/session')).body.organization.id).toBe(organizationId)
      expect((await make()).status).toBe(200)
      expect((await fetch(`${world.baseUrl}/api/session`, { headers: { cookie: copy } })).status).toBe(401)
      world.clock.advance(10 * MINUTE)
      expect((await make()).status).toBe(403)
      expect(await again(browser, login, '?fresh=true&returnUrl=//evil.example')).toBe('/')
    })

    test('a fresh sign-in as somebody else proves nothing for the session before', async () => {
      const world = await platform()
      const [ana, bruno] = [await newUser(world), await newUser(world)]
      const browser = await passThrough(world, person(ana.email))
      const copy = [...browser.jar].map((pair) => pair.join('=')).join('; ')
      await again(browser, person(bruno.email), '?fresh=true')
      expect((await browser.call('GET', '/api/session')).body.id).toBe(bruno.id)
      const path = `${world.baseUrl}/api/organizations/${world.organization.id}/applications`
      const headers = { cookie: copy, 'content-type': 'application/json' }
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ name: 'ERP' }) })
      expect(answer.status).toBe(403)
    })

    test('signing out ends the session of a copied cookie here, too', async () => {
      const world = await platform()
      const { email } = await newUser(world)
      const browser = await passThrough(world, person(email))
      const cookie = [...browser.jar].map((pair) => pair.join('=')).join('; ')
      await browser.call('DELETE', '/api/session')
      expect((await fetch(`${world.baseUrl}/api/session`, { headers: { cookie } })).status).toBe(401)
    })

    once('a provider that is not set up signs nobody in, and ends the sessions it began', async () => {
      const before = await startPlatform(database, { settings: { Oidc } })
      provider.open({ accounts, redirectUris: [`${before.baseUrl}/oidc/callback`] })
      const { email } = await newUser(before)
      const { jar } = await passThrough(before, person(email))
      provider.open({ accounts, redirectUris: [redirectUri] })
      await before.stop()
      const after = await startPlatform(database, { after: before })
      const browser = browserOf({ consoleUrl: after.baseUrl })
      for (const [name, value] of jar) browser.jar.set(name, value)
      expect((await browser.call('GET', '/api/session')).status).toBe(401)
      const answer = await browser.visit('GET', '/api/session/oidc')
      expect(answer.headers.get('location')).toBe('/login?error=OIDC_UNAVAILABLE')
    })
  })
}

test('an enabled provider needs issuer and client', () => {
  const others = { Email: { Enabled: false }, Notices: { Recipients: [] }, Documents: { SecurityContexts: [] } }
  const told = (oidc: object) =>
    documentPlatformRules
      .flatMap((rule) => rule({ ...others, Oidc: oidc } as unknown as DocumentPlatformSettings))
      .map(({ key }) => key)
  expect(told({ Enabled: false })).toEqual([])
  expect(told({ Enabled: true })).toEqual(['Oidc:Issuer', 'Oidc:ClientId'])
})
