import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { refusal, signedIn } from '@chancela/testkit/console'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { begunAuthorization } from './test-support/authorized.ts'
import { databases, sharedHub, testOnce } from './test-support/hub-world.ts'
import { clock, running } from './test-support/pki.ts'
import { addProvider } from './test-support/providers.ts'

let simulator: RunningCloudProvider

beforeAll(async () => {
  simulator = await startCloudProvider({ pki: running.pki, clock })
})
afterEach(() => simulator.recover())
afterAll(() => simulator.stop())

const named = () => `cloud-${crypto.randomUUID().slice(0, 8)}`
const SECRET = 'a secret of the provider'

for (const database of databases) {
  describe(`providers at the admin page on ${database}`, () => {
    const once = testOnce(database)
    const world = sharedHub(database)

    const fields = (more: object = {}) => ({
      preset: 'generic-psc',
      serviceName: named(),
      provider: 'Nuvem Demo S.A.',
      endpoint: simulator.psc.baseUrl,
      clientId: 'hub',
      clientSecret: SECRET,
      ...more,
    })

    const created = async (more: object = {}) => {
      const browser = await signedIn(world())
      const { status, body } = await browser.call('POST', '/api/providers', fields(more))
      expect(status).toBe(200)
      return { browser, provider: body, path: `/api/providers/${body.id}` }
    }

    /** Whether clients of the hub find a provider by its name. */
    const isKnown = async (serviceName: string) => {
      const { body } = await world().json('POST', `/api/sessions/services/${serviceName}`, {
        redirectUri: 'https://unregistered.example/',
      })
      return body.code !== 'ServiceNotFound'
    }

    once('the presets say what a provider may be made from, and which knobs it has', async () => {
      const { body } = await (await signedIn(world())).call('GET', '/api/providers/presets')
      expect(body.presets.find(({ name }: { name: string }) => name === 'birdid')).toMatchObject({
        title: 'BirdID (Soluti)',
        protocol: 'psc',
        endpoint: 'https://api.birdid.com.br/v0',
        testEndpoint: 'https://apihom.birdid.com.br/v0',
        knobs: { hashEncoding: 'hex' },
      })
      expect(body.knobs).toContainEqual(
        expect.objectContaining({
          name: 'hashEncoding',
          protocol: 'psc',
          kind: 'choice',
          values: ['base64', 'hex'],
          default: 'base64',
        }),
      )
      expect(body.knobs.map(({ protocol }: { protocol: string }) => protocol)).toContain('csc')
    })

    test('one that is added works with the next call, and nobody reads its secret again', async () => {
      const { browser, provider, path } = await created({ knobs: { maxHashesPerCall: 5 }, badgeUrl: null })
      expect(provider).toEqual({
        id: expect.any(String),
        serviceName: provider.serviceName,
        provider: 'Nuvem Demo S.A.',
        protocol: 'psc',
        preset: 'generic-psc',
        endpoint: simulator.psc.baseUrl,
        badgeUrl: null,
        clientId: 'hub',
        proxy: null,
        callbackUri: `${world().settings.Http.PublicUrl}/callbacks/${provider.serviceName}`,
        knobs: { maxHashesPerCall: 5 },
        enabled: true,
        available: true,
        lastFailure: null,
        createdAt: clock().toISOString(),
        updatedAt: clock().toISOString(),
      })
      expect(await isKnown(provider.serviceName)).toBe(true)
      const { text } = await browser.call('GET', '/api/providers')
      expect(JSON.parse(text)).toContainEqual(provider)
      await browser.call('PUT', path, { ...fields(), clientSecret: 'another secret of the provider' })
      const rows = await world().store.db.selectFrom('provider').selectAll().execute()
      const events = await browser.call('GET', `/api/events?q=${provider.id}`)
      const everything = text + JSON.stringify(rows) + events.text + world().log()
      expect(everything).not.toContain('secret of the provider')
    })

    test('one that is changed keeps its secret, unless another is given', async () => {
      const browser = await signedIn(world())
      const { id, clientSecret: _, ...known } = await addProvider(world(), simulator, { protocol: 'psc' })
      const { serviceName, clientId } = known
      const path = `/api/providers/${id}`
      const change = { serviceName, provider: 'Outra S.A.', endpoint: known.endpoint, clientId }
      const isWell = async () =>
        (await browser.call('POST', `${path}/test`)).body.checks.every(({ ok }: { ok: boolean }) => ok)
      expect((await browser.call('PUT', path, change)).body).toMatchObject({ id, provider: 'Outra S.A.' })
      expect(await isWell()).toBe(true)
      await browser.call('PUT', path, { ...change, clientSecret: 'not the secret' })
      expect(await isWell()).toBe(false)
    })

    test('one that is disabled is left out at once, and comes back at once', async () => {
      const { browser, provider, path } = await created()
      expect((await browser.call('PUT', `${path}/enabled`, { enabled: false })).body.enabled).toBe(false)
      expect(await isKnown(provider.serviceName)).toBe(false)
      expect((await browser.call('PUT', `${path}/enabled`, { enabled: true })).body.enabled).toBe(true)
      expect(await isKnown(provider.serviceName)).toBe(true)
    })

    test('those that are named come first, the others as they were', async () => {
      const { browser, provider: first } = await created()
      const { provider: second } = await created()
      const order = async () => (await browser.call('GET', '/api/providers')).body.map(({ id }: { id: string }) => id)
      const before = await order()
      const { body } = await browser.call('PUT', '/api/providers/order', { ids: [second.id, first.id] })
      const rest = before.filter((id: string) => id !== first.id && id !== second.id)
      expect(body.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id, ...rest])
      expect(await order()).toEqual([second.id, first.id, ...rest])
    })

    test('one is removed unless a live session rests on it', async () => {
      const { browser, provider, path } = await created()
      await begunAuthorization(world(), simulator, { serviceName: provider.serviceName, lifetimeInSeconds: 60 })
      expect(refusal(await browser.call('DELETE', path))).toEqual([409, 'PROVIDER_IN_USE'])
      clock.advance(61_000)
      expect((await browser.call('DELETE', path)).status).toBe(204)
      expect(await isKnown(provider.serviceName)).toBe(false)
      expect(refusal(await browser.call('DELETE', path))).toEqual([404, 'PROVIDER_NOT_FOUND'])
    })

    once('a test of the connection tells what was tried and how it ended', async () => {
      const browser = await signedIn(world())
      const { id } = await addProvider(world(), simulator, { protocol: 'psc' })
      const { body: well } = await browser.call('POST', `/api/providers/${id}/test`)
      expect(well.checks.length).toBeGreaterThan(0)
      expect(well.checks.every(({ ok }: { ok: boolean }) => ok)).toBe(true)
      const { path } = await created({ clientSecret: 'not the secret' })
      const { text, body } = await browser.call('POST', `${path}/test`)
      expect(body.checks.some(({ ok }: { ok: boolean }) => !ok)).toBe(true)
      expect(text).not.toContain('not the secret')
    })

    test('the hub is registered at a provider and keeps what it is given', async () => {
      const { browser, provider, path } = await created({ clientId: '', clientSecret: '' })
      expect(await isKnown(provider.serviceName)).toBe(false)
      const form = { name: 'Chancela', email: 'ti@example.com', comments: 'test' }
      const { body } = await browser.call('POST', `${path}/registration`, form)
      expect(body.clientId).not.toBe('')
      expect(await isKnown(provider.serviceName)).toBe(true)
      const authUrl = await begunAuthorization(world(), simulator, { serviceName: provider.serviceName })
      const back = await simulator.walk(authUrl, { holder: 'ana-souza', decision: 'approve' })
      expect(back).toContain(`/callbacks/${provider.serviceName}?code=`)
      simulator.fail('application', { status: 400, body: { error: 'invalid_request' } })
      expect(refusal(await browser.call('POST', `${path}/registration`, form))).toEqual([
        502,
        'PROVIDER_REGISTRATION_FAILED',
      ])
    })

    test('each refusal is told apart', async () => {
      const { browser, provider, path } = await created()
      const { preset: _, ...known } = fields({ serviceName: provider.serviceName })
      for (const [wrong, status, code] of [
        [{ preset: 'none' }, 422, 'PROVIDER_PRESET_UNKNOWN'],
        [{ serviceName: 'a/b' }, 422, 'PROVIDER_NAME_INVALID'],
        [{ serviceName: provider.serviceName.toUpperCase() }, 409, 'PROVIDER_NAME_TAKEN'],
        [{ endpoint: 'http://169.254.169.254/latest' }, 422, 'PROVIDER_ENDPOINT_REFUSED'],
        [{ endpoint: 'file:///etc/passwd' }, 422, 'PROVIDER_ENDPOINT_REFUSED'],
        [{ badgeUrl: 'javascript:alert(1)' }, 422, 'PROVIDER_BADGE_REFUSED'],
        [{ knobs: { hashEncoding: 'none' } }, 422, 'PROVIDER_KNOBS_INVALID'],
        [{ tlsKey: 'no key' }, 422, 'PROVIDER_TLS_KEY_INVALID'],
        [{ knobs: 1 }, 400, 'INVALID_REQUEST'],
      ] as const)
        expect([wrong, ...refusal(await browser.call('POST', '/api/providers', fields(wrong)))]).toEqual([
          wrong,
          status,
          code,
        ])
      for (const [method, below, body] of [
        ['PUT', '', known],
        ['PUT', '/enabled', { enabled: false }],
        ['DELETE', '', undefined],
        ['POST', '/test', undefined],
        ['POST', '/registration', { name: 'x', email: 'x@example.com' }],
      ] as const)
        expect(refusal(await browser.call(method, `/api/providers/none${below}`, body))).toEqual([
          404,
          'PROVIDER_NOT_FOUND',
        ])
      expect(refusal(await browser.call('PUT', '/api/providers/order', { ids: ['none'] }))).toEqual([
        404,
        'PROVIDER_NOT_FOUND',
      ])
      const { path: csc } = await created({ preset: 'csc-2.0', endpoint: simulator.csc.baseUrl('2.0') })
      const form = { name: 'x', email: 'x@example.com' }
      expect(refusal(await browser.call('POST', `${csc}/registration`, form))).toEqual([
        422,
        'PROVIDER_REGISTRATION_UNKNOWN',
      ])
      expect((await browser.call('PUT', path, known)).status).toBe(200)
    })

    test('what was done is told with who did it', async () => {
      const { browser, provider, path } = await created()
      const { preset: _, ...known } = fields({ serviceName: provider.serviceName })
      await browser.call('PUT', path, known)
      await browser.call('PUT', `${path}/enabled`, { enabled: false })
      await browser.call('DELETE', path)
      const { body } = await browser.call('GET', `/api/events?q=${provider.id}`)
      expect(body.items.map(({ type, actor }: { type: string; actor: string }) => [type, actor])).toEqual(
        ['ProviderRemoved', 'ProviderDisabled', 'ProviderChanged', 'ProviderCreated'].map((type) => [
          type,
          browser.email,
        ]),
      )
      expect(body.items).toMatchObject([
        { address: '127.0.0.1' },
        { address: '127.0.0.1', changes: { before: { enabled: true }, after: { enabled: false } } },
        { address: '127.0.0.1', changes: null },
        { address: '127.0.0.1' },
      ])
    })
  })
}
