import { type Browser, refusal, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { databases, type HubWorld, sharedHub } from './test-support/hub-world.ts'

/** The contract's answer to a redirect URI: ServiceNotFound comes after the URI was accepted. */
const verdictOn = async ({ json }: HubWorld, apiKey: string, redirectUri: string): Promise<string> =>
  (await json('POST', '/api/sessions', { redirectUri, discover: false }, { 'X-Api-Key': apiKey })).body.code ??
  'accepted'

const uri = 'https://app.example/return'

for (const database of databases) {
  describe(`keys and their redirect URIs on ${database}`, () => {
    const world = sharedHub(database)

    const newKey = async (more: object = {}) => {
      const browser = await signedIn(world())
      const name = `app ${crypto.randomUUID()}`
      const { body: application } = await browser.call('POST', '/api/applications', { name })
      const path = `/api/applications/${application.id}/keys`
      const made = await browser.call('POST', path, { description: 'a key', ...more })
      return { browser, application, made, key: made.body as { id: string; key: string }, path }
    }

    const urisOf = async (browser: Pick<Browser, 'call'>, keyId: string) =>
      (await browser.call('GET', '/api/redirect-uris')).body.filter((one: { keyId: string }) => one.keyId === keyId)

    test('a key may bring its redirect URIs, and both work with the next call', async () => {
      const { browser, key } = await newKey({ redirectUris: [uri, 'http://localhost:3000/back'] })
      expect(await urisOf(browser, key.id)).toEqual(
        ['http://localhost:3000/back', uri].map((one) => ({
          keyId: key.id,
          uri: one,
          createdAt: world().clock().toISOString(),
        })),
      )
      expect(await verdictOn(world(), key.key, `${uri}?doc=1`)).toBe('accepted')
      expect(await verdictOn(world(), key.key, 'https://evil.example/')).toBe('UnauthorizedRedirectUri')
    })

    test('redirect URIs are added and removed key by key', async () => {
      const { browser, key } = await newKey()
      const path = `/api/keys/${key.id}/redirect-uris`
      expect(await verdictOn(world(), key.key, uri)).toBe('UnauthorizedRedirectUri')
      const added = { keyId: key.id, uri, createdAt: world().clock().toISOString() }
      expect((await browser.call('POST', path, { uri: 'HTTPS://App.Example:443/return' })).body).toEqual(added)
      expect((await browser.call('POST', path, { uri })).body).toEqual(added)
      expect(await verdictOn(world(), key.key, uri)).toBe('accepted')
      const { key: other } = await newKey()
      expect(await verdictOn(world(), other.key, uri)).toBe('UnauthorizedRedirectUri')
      expect((await browser.call('DELETE', `${path}?uri=${encodeURIComponent(uri)}`)).status).toBe(204)
      expect(await verdictOn(world(), key.key, uri)).toBe('UnauthorizedRedirectUri')
      expect(await urisOf(browser, key.id)).toEqual([])
    })

    test('each refusal is told apart', async () => {
      const { browser, key } = await newKey()
      const path = `/api/keys/${key.id}/redirect-uris`
      const asked = encodeURIComponent(uri)
      for (const wrong of ['/back', 'http://app.example/', 'javascript:alert(1)', 'https://a@app.example/', `${uri}#x`])
        expect([wrong, ...refusal(await browser.call('POST', path, { uri: wrong }))]).toEqual([
          wrong,
          422,
          'REDIRECT_URI_INVALID',
        ])
      expect(refusal(await browser.call('POST', '/api/keys/none/redirect-uris', { uri }))).toEqual([
        404,
        'API_KEY_NOT_FOUND',
      ])
      expect(refusal(await browser.call('DELETE', `/api/keys/none/redirect-uris?uri=${asked}`))).toEqual([
        404,
        'API_KEY_NOT_FOUND',
      ])
      expect(refusal(await browser.call('DELETE', `${path}?uri=${asked}`))).toEqual([404, 'REDIRECT_URI_NOT_FOUND'])
      expect(refusal(await browser.call('POST', path, { uri: '' }))).toEqual([400, 'INVALID_REQUEST'])
    })

    test('a key is not made when one of its redirect URIs is refused', async () => {
      const { browser, made, application } = await newKey({ redirectUris: [uri, 'ftp://app.example/'] })
      expect(refusal(made)).toEqual([422, 'REDIRECT_URI_INVALID'])
      const { body: all } = await browser.call('GET', '/api/applications')
      expect(all.find(({ id }: { id: string }) => id === application.id).keys).toEqual([])
    })

    test('what was done is told with who did it, and what was refused is not', async () => {
      const { browser, key } = await newKey({ redirectUris: [uri] })
      const path = `/api/keys/${key.id}/redirect-uris`
      await browser.call('POST', path, { uri: 'ftp://app.example/' })
      await browser.call('DELETE', `${path}?uri=${encodeURIComponent(uri)}`)
      const { body } = await browser.call('GET', `/api/events?q=${key.id}`)
      expect(body.items.map(({ type, actor }: { type: string; actor: string }) => [type, actor])).toEqual(
        ['RedirectUriRemoved', 'ApiKeyCreated', 'RedirectUriAdded'].map((type) => [type, browser.email]),
      )
      const { body: added } = await browser.call('GET', `/api/events?type=RedirectUriAdded&q=${key.id}`)
      expect(added.items.map(({ text }: { text: string }) => text)).toEqual([
        `Users of a key may be sent back to ${uri}.`,
      ])
    })
  })
}
