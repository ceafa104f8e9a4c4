// The connection of an organization to the document platform at which its people sign.
import { startReceiver } from '@chancela/testkit/receiver'
import { describe, expect, test } from 'vitest'
import { databases, organizationAt, sharedPlatform, testOnce } from './test-support/credential-world.ts'
import { connect, sharedDocumentPlatform } from './test-support/document-platform.ts'
import { clock, signingSettings } from './test-support/pki.ts'

for (const database of databases) {
  describe(`the connection to a document platform on ${database}`, () => {
    const open = sharedPlatform(database, signingSettings, clock)
    const openDocuments = sharedDocumentPlatform(database)
    const once = testOnce(database)

    test('is told without its key, which is sealed in the store, and is forgotten on request', async () => {
      const world = open()
      const organization = await organizationAt(world)
      const path = `/api/subscriptions/${organization.subscriptionId}/document-platform`
      const webhookUrl = expect.stringMatching(/\/api\/degrees\/webhook$/)
      const none = { enabled: false, url: null, hasApiKey: false, folderId: null, webhookUrl }
      expect((await organization.json('GET', path)).body).toEqual(none)
      const there = await openDocuments()
      const shown = { enabled: true, url: there.baseUrl, hasApiKey: true, folderId: null, webhookUrl }
      expect((await connect(organization, { ...there, baseUrl: `${there.baseUrl}/` })).body).toEqual(shown)
      expect((await organization.json('GET', path)).body).toEqual(shown)
      const row = await world.store.db
        .selectFrom('platform_connection')
        .selectAll()
        .where('subscription_id', '=', organization.subscriptionId)
        .executeTakeFirstOrThrow()
      expect(JSON.stringify(row)).not.toContain(there.organization.apiKey.split('|')[1])
      expect((await organization.json('DELETE', path)).status).toBe(204)
      expect((await organization.json('GET', path)).body).toEqual(none)
      expect((await organization.json('DELETE', path)).body.code).toBe('document-platform-not-found')
      const { items } = (await organization.json('GET', '/api/events?entityTypes=Subscription')).body
      const types = items.map(({ type }: { type: string }) => type)
      expect(types).toEqual(expect.arrayContaining(['DocumentPlatformDisconnected', 'DocumentPlatformConnected']))
    })

    test('works, or says what is wrong in a sentence; nothing is created there', async () => {
      const organization = await organizationAt(open())
      const there = await openDocuments()
      const tested = async (more: object = {}) => {
        expect((await connect(organization, there, more)).status).toBe(200)
        return (
          await organization.json('POST', `/api/subscriptions/${organization.subscriptionId}/document-platform/test`)
        ).body
      }
      expect(await tested()).toEqual({ works: true, problem: null, problemMessages: null })
      expect(await tested({ apiKey: 'somebody|else' })).toEqual({
        works: false,
        problem: expect.stringContaining('key'),
        problemMessages: { 'pt-BR': expect.stringContaining('chave'), 'en-US': expect.stringContaining('key') },
      })
      const other = await startReceiver()
      expect(await tested({ url: other.url })).toEqual({
        works: false,
        problem: 'What answers there is not a document platform.',
        problemMessages: expect.objectContaining({ 'en-US': 'What answers there is not a document platform.' }),
      })
      // Nobody listens there.
      expect(await tested({ url: 'http://127.0.0.1:9' })).toMatchObject({
        works: false,
        problemMessages: { 'pt-BR': 'Não houve conexão. (ECONNREFUSED)' },
      })
      expect((await there.json('GET', '/api/documents')).body.items).toEqual([])
    })

    once('takes no address that is not to be called, and no key to an address that it was not given for', async () => {
      const organization = await organizationAt(open())
      const there = await openDocuments()
      const refusal = async (more: object) => {
        const { status, body } = await connect(organization, there, more)
        return [status, body.code, Object.keys(body.errors ?? {})]
      }
      expect(await refusal({ url: 'http://10.0.0.1/' })).toEqual([422, 'address-refused', ['url']])
      expect(await refusal({ url: `${there.baseUrl}?a=b` })).toEqual([422, 'invalid-data', ['url']])
      expect(await refusal({ apiKey: 'a\nb' })).toEqual([422, 'invalid-data', ['apiKey']])
      expect(await refusal({ apiKey: null })).toEqual([422, 'invalid-data', ['apiKey']])
      expect((await connect(organization, there)).status).toBe(200)
      expect((await connect(organization, there, { apiKey: null, enabled: false })).body).toMatchObject({
        enabled: false,
      })
      expect(await refusal({ url: 'http://127.0.0.1:9', apiKey: undefined })).toEqual([422, 'invalid-data', ['apiKey']])
    })
  })
}
