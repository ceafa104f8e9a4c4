// What operators are told of the providers, by mail and on the first page.
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { signedIn } from '@chancela/testkit/console'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { returnedUser } from './test-support/authorized.ts'
import { databases, sharedHub } from './test-support/hub-world.ts'
import { clock, running } from './test-support/pki.ts'
import { addProvider, knownTo, registryOf } from './test-support/providers.ts'

let provider: RunningCloudProvider
beforeAll(async () => {
  provider = await startCloudProvider({ pki: running.pki, clock })
})
afterEach(() => provider.recover())
afterAll(() => provider.stop())

for (const database of databases)
  describe(`notices of the hub on ${database}`, () => {
    const hub = sharedHub(database, {
      settings: {
        Providers: { AllowedHosts: ['127.0.0.1'], BreakerFailures: 1, BreakerSeconds: 30 },
        Discovery: { CacheSeconds: 0 },
        Health: { CacheSeconds: 0 },
      },
    })

    /** What the first page says of one provider: causes and reasons. */
    const scene = async (more: { endpoint?: string } = {}) => {
      const browser = await signedIn(hub())
      const added = await addProvider(hub(), provider, { protocol: 'psc', ...more })
      const notices = async () => {
        clock.advance(121_000)
        const { body } = await browser.call('GET', '/api/overview')
        return body.notices.filter(({ who }: { who: string }) => who.split(', ').includes(added.serviceName))
      }
      const causes = async () => (await notices()).map(({ cause }: { cause: string }) => cause)
      return { ...added, browser, notices, causes }
    }

    test('name a provider that does not answer, in both languages, with its reason', async () => {
      const { notices, id, serviceName } = await scene({ endpoint: 'http://127.0.0.1:1/v0' })
      const [told, ...others] = await notices()
      expect([told.cause, others]).toEqual(['provider', []])
      expect(told.title['pt-BR']).not.toBe(told.title['en-US'])
      expect(told.advice['pt-BR']).not.toBe(told.advice['en-US'])
      expect(told.detail).not.toBe('')
      await registryOf(hub()).remove(id, 'test')
      await knownTo(hub(), serviceName, false)
      expect(await notices()).toEqual([])
    })

    test('name a provider that is left alone, and one whose discovery is, until it answers again', async () => {
      const { causes, serviceName, browser } = await scene()
      expect(await causes()).toEqual([])
      const discovery = () =>
        hub().json('GET', `/api/sessions/services/${serviceName}/availability?identifier=11111111111`)
      provider.failAlways('discovery', { status: 500 })
      await discovery()
      expect(await causes()).toEqual(['provider-discovery'])
      provider.failAlways('token', { status: 500 })
      await returnedUser(hub(), provider, { serviceName, holder: 'ana-souza' })
      const { body } = await browser.call('GET', '/api/overview')
      const causesNow = body.notices.map(({ cause }: { cause: string }) => cause)
      expect(causesNow).toEqual(expect.arrayContaining(['provider', 'provider-discovery']))
      provider.recover()
      clock.advance(31_000)
      await discovery()
      await returnedUser(hub(), provider, { serviceName, holder: 'ana-souza' })
      expect(await causes()).toEqual([])
    })

    test('name a provider that does not accept the credentials of the hub, until it does', async () => {
      const { causes, serviceName } = await scene()
      provider.fail('token', { status: 400, body: { error: 'invalid_client' } })
      await returnedUser(hub(), provider, { serviceName, holder: 'ana-souza' })
      expect(await causes()).toEqual(['provider-credentials'])
      await returnedUser(hub(), provider, { serviceName, holder: 'ana-souza' })
      expect(await causes()).toEqual([])
    })

    test('name a provider that the hub cannot open, and none that is disabled', async () => {
      const { causes, id, serviceName } = await scene()
      const { store } = hub()
      await store.db.updateTable('provider').set({ sealed_secret: 'of another key' }).where('id', '=', id).execute()
      await knownTo(hub(), serviceName, false)
      expect(await causes()).toEqual(['provider-unusable'])
      await store.db.updateTable('provider').set({ enabled: 0 }).where('id', '=', id).execute()
      await expect.poll(causes).toEqual([])
    })

    test('tell of the certificate that the hub shows to a provider, once', async () => {
      const { id, serviceName, browser } = await scene()
      const company = { kind: 'company', name: 'Oficina Sol', cnpj: '11222333000181' } as const
      const terms = { key: 'P-256', validity: 'expired' } as const
      const { x509, key } = await running.pki.issueEquipment({ name: 'hub.example', company }, terms)
      const tlsKey = key.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
      await registryOf(hub()).update(id, { knobs: { clientCertificate: x509.toString() }, tlsKey }, 'test')
      const told = async () =>
        (await browser.call('GET', '/api/overview')).body.notices
          .filter(({ who }: { who: string }) => who.includes(serviceName))
          .map(({ cause }: { cause: string }) => cause)
      await expect.poll(told).toEqual(['certificate'])
    })
  })
