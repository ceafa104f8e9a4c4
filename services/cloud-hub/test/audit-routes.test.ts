// Who did it, and from where: every route of the console that changes something. One that is added later fails here
// until it is called below, or is listed with the reason why it is not.
import { type ActSite, applicationActs, type ConsoleActs, walkConsole } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { databases, sharedHub } from './test-support/hub-world.ts'

const fields = (more: object = {}) => ({
  preset: 'generic-psc',
  serviceName: `cloud-${crypto.randomUUID().slice(0, 8)}`,
  provider: 'Nuvem Demo S.A.',
  endpoint: 'http://127.0.0.1:9',
  clientId: 'hub',
  clientSecret: 'a secret of the provider',
  ...more,
})

const provider = async ({ made }: ActSite): Promise<string> => (await made('/api/providers', fields())).id

const uris = async ({ made }: ActSite): Promise<string> => {
  const { id } = await made('/api/applications', { name: `app ${crypto.randomUUID()}` })
  return `/api/keys/${(await made(`/api/applications/${id}/keys`, { description: 'x' })).id}/redirect-uris`
}

const uri = 'https://app.example/return'

const acts: ConsoleActs = {
  ...applicationActs,
  'POST /api/keys/{id}/redirect-uris': [
    'RedirectUriAdded',
    'changed',
    async (site) => site.call('POST', await uris(site), { uri }),
  ],
  'DELETE /api/keys/{id}/redirect-uris': [
    'RedirectUriRemoved',
    'changed',
    async (site) => {
      const path = await uris(site)
      await site.made(path, { uri })
      return site.call('DELETE', `${path}?uri=${encodeURIComponent(uri)}`)
    },
  ],
  'POST /api/providers': ['ProviderCreated', 'changed', ({ call }) => call('POST', '/api/providers', fields())],
  'PUT /api/providers/{id}': [
    'ProviderChanged',
    'changed',
    async (site) => {
      const { preset: _, clientSecret: _secret, ...rest } = fields()
      return site.call('PUT', `/api/providers/${await provider(site)}`, rest)
    },
  ],
  'PUT /api/providers/{id}/enabled': [
    'ProviderDisabled',
    'changed',
    async (site) => site.call('PUT', `/api/providers/${await provider(site)}/enabled`, { enabled: false }),
  ],
  'PUT /api/providers/order': [
    'ProvidersReordered',
    'changed',
    async (site) => {
      const ids = [await provider(site), await provider(site)]
      return site.call('PUT', '/api/providers/order', { ids: ids.toReversed() })
    },
  ],
  'DELETE /api/providers/{id}': [
    'ProviderRemoved',
    'changed',
    async (site) => site.call('DELETE', `/api/providers/${await provider(site)}`),
  ],
}

const reasons = {
  'POST /api/providers/{id}/test': 'it tries what can be tried, and changes nothing',
  'POST /api/providers/{id}/registration': 'console-providers.test.ts: ProviderRegistered, at a provider that answers',
  'DELETE /api/sessions/{id}': 'console-activity.test.ts: SessionEnded, of a session with a provider',
}

for (const database of databases)
  describe(`every route of the console that may change something, on ${database}`, () => {
    const world = sharedHub(database, { settings: { Console: { TrustedProxies: ['127.0.0.1'] } } })

    test('tells who did it, from where, and what was and what is', async () => {
      const app = world().apps['cloud-hub-console']!
      expect(await walkConsole({ world: world(), app, acts, reasons })).toEqual([])
    })
  })
