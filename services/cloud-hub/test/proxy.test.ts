// A provider is reached through a proxy of its own, whose failures are told apart from those of the provider.
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { refusal, signedIn } from '@chancela/testkit/console'
import { type ForwardProxy, type ForwardProxyOptions, startForwardProxy } from '@chancela/testkit/forward-proxy'
import { freePort } from '@chancela/testkit/tools'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { begunAuthorization, followedUser } from './test-support/authorized.ts'
import { databases, type SettingsFile, sharedHub } from './test-support/hub-world.ts'
import { clock, running } from './test-support/pki.ts'
import { type AddedProvider, addProvider } from './test-support/providers.ts'
import { newDocument } from './test-support/signing.ts'

const ANA = '52998224725'

let simulator: RunningCloudProvider

beforeAll(async () => {
  simulator = await startCloudProvider({ pki: running.pki, clock })
})
beforeEach(() => simulator.recover())
afterAll(() => simulator.stop())

const settings: SettingsFile = {
  Providers: { AllowedHosts: ['127.0.0.1', 'provider.invalid'], AllowedProxies: ['127.0.0.1'], BreakerFailures: 1000 },
  Discovery: { CacheSeconds: 0, TimeoutMilliseconds: 1500 },
  Metrics: { RequireApiKey: false },
}

async function proxyOf(options?: ForwardProxyOptions): Promise<ForwardProxy> {
  const proxy = await startForwardProxy(options)
  onTestFinished(() => proxy.stop())
  return proxy
}

const withUser = ({ url }: ForwardProxy, credentials: string): string => url.replace('//', `//${credentials}@`)

/** A hub with an administrator's calls about providers. */
function proxiedHub(database: (typeof databases)[number], Providers: object = {}) {
  const hub = sharedHub(database, { settings: { ...settings, Providers: { ...settings.Providers, ...Providers } } })
  const browser = () => signedIn(hub())
  return {
    hub,
    browser,
    /** Changes nothing but this of a provider. */
    change: async ({ id, serviceName, provider, endpoint, clientId, knobs }: AddedProvider, changes: object) =>
      (await browser()).call('PUT', `/api/providers/${id}`, {
        serviceName,
        provider,
        endpoint,
        clientId,
        knobs,
        ...changes,
      }),
    tested: async ({ id }: AddedProvider): Promise<readonly { ok: boolean; text: string }[]> =>
      (await (await browser()).call('POST', `/api/providers/${id}/test`)).body.checks,
    availability: async ({ serviceName }: AddedProvider) =>
      (await hub().json('GET', `/api/sessions/services/${serviceName}/availability?identifier=${ANA}`)).body,
  }
}

for (const database of databases)
  describe(`a provider with a proxy on ${database}`, () => {
    const { hub, browser, change, tested, availability } = proxiedHub(database)

    test('is reached through nothing else: discovery, authorization, certificate and signature', async () => {
      const { host, port } = new URL(simulator.psc.baseUrl)
      // Only the proxy knows this name.
      const proxy = await proxyOf({
        hosts: { 'provider.invalid': host },
        credentials: { user: 'hub', password: 'p@ss:word' },
      })
      const endpoint = `http://provider.invalid:${port}/v0`
      const added = await addProvider(hub(), simulator, { protocol: 'psc', endpoint })
      expect((await tested(added)).some(({ ok }) => ok)).toBe(false)
      const given = { proxy: withUser(proxy, 'hub:p%40ss%3Aword'), knobs: { proxyResolvesNames: true } }
      expect((await change(added, given)).status).toBe(200)
      expect((await tested(added)).every(({ ok }) => ok)).toBe(true)
      expect(await availability(added)).toEqual({ discoveryAvailable: true, certificateFound: true })

      const { serviceName } = added
      const authUrl = await begunAuthorization(hub(), simulator, { serviceName, identifier: ANA })
      const page = authUrl.replace(`provider.invalid:${port}`, host)
      const walk = { holder: 'ana-souza' }
      const back = await followedUser(hub(), simulator, await simulator.walk(page, walk), walk)
      const session = back.searchParams.get('session')!
      const { hash, isSignedBy } = newDocument()
      const signed = await hub().json('POST', '/api/sessions/sign-hash', { session, hash, digestAlgorithm: 'SHA-256' })
      expect(isSignedBy(signed.body, 'ana-souza')).toBe(true)
      expect(new Set(proxy.asked)).toEqual(new Set([`provider.invalid:${port}`]))
    })

    test('keeps its password sealed and shows it to nobody', async () => {
      const proxy = await proxyOf()
      const added = await addProvider(hub(), simulator, { protocol: 'psc' })
      const { body, text } = await change(added, { proxy: withUser(proxy, 'hub:secret-of-the-proxy') })
      expect(body.proxy).toBe(withUser(proxy, 'hub'))
      proxy.fail({ status: 407 })
      const checks = JSON.stringify(await tested(added))
      const events = (await (await browser()).call('GET', `/api/events?q=${added.id}`)).text
      const rows = JSON.stringify(await hub().store.db.selectFrom('provider').selectAll().execute())
      expect(text + checks + events + rows + hub().log()).not.toContain('secret-of-the-proxy')
      expect(events).toContain(new URL(proxy.url).host)
    })

    test('keeps its password while user and address stay, and loses it with either', async () => {
      const credentials = { user: 'hub', password: 'right' }
      const [proxy, another] = [await proxyOf({ credentials }), await proxyOf({ credentials })]
      const added = await addProvider(hub(), simulator, { protocol: 'psc' })
      const isWell = async (proxyText: string | null | undefined) => {
        await change(added, proxyText === undefined ? {} : { proxy: proxyText })
        return (await tested(added)).every(({ ok }) => ok)
      }
      expect(await isWell(withUser(proxy, 'hub:right'))).toBe(true)
      expect(await isWell(undefined)).toBe(true)
      expect(await isWell(withUser(proxy, 'hub'))).toBe(true)
      expect(await isWell(withUser(another, 'hub'))).toBe(false)
      expect(await isWell(withUser(proxy, 'hub'))).toBe(false)
      expect(await isWell(withUser(proxy, 'hub:right'))).toBe(true)
      expect(await isWell(withUser(proxy, 'other'))).toBe(false)
      const asked = proxy.asked.length
      expect(await isWell(null)).toBe(true)
      expect(proxy.asked.length).toBe(asked)
    })
  })

describe('what a proxy does wrong', () => {
  const { hub, browser, change, tested, availability } = proxiedHub('SQLite')
  const metrics = async () => (await hub().call('GET', '/metrics')).text()
  const lastFailure = async ({ id }: AddedProvider) =>
    (await (await browser()).call('GET', '/api/providers')).body.find((one: AddedProvider) => one.id === id).lastFailure

  /** A provider behind a proxy through which nothing has been sent yet. */
  async function proxied(protocol: 'psc' | 'csc' = 'psc', endpoint?: string) {
    const proxy = await proxyOf()
    const added = await addProvider(hub(), simulator, { protocol, ...(endpoint !== undefined && { endpoint }) })
    await change(added, { proxy: proxy.url })
    return { proxy, added }
  }

  test.each([[{ status: 403 }], [{ status: 407 }], [{ status: 500 }], ['drop'], ['garbage'], ['hang']] as const)(
    'is told in the test of the connection, on the page of the provider and by the metric: %j',
    async (fault) => {
      const { proxy, added } = await proxied()
      proxy.fail(fault)
      expect(await availability(added)).toEqual({ discoveryAvailable: false, certificateFound: null })
      await expect.poll(() => lastFailure(added)).toMatchObject({ operation: 'discover', problem: 'proxy' })
      const { serviceName } = added
      const counted = `hub_provider_problems_total{provider="${serviceName}",operation="discover",kind="proxy"} 1`
      expect(await metrics()).toContain(counted)
      if (fault === 'hang') return
      const [connection] = await tested(added)
      expect(connection).toMatchObject({ ok: false, text: expect.stringMatching(/proxy/i) })
    },
  )

  test('is not what goes wrong behind it', async () => {
    const { proxy, added } = await proxied('psc', `http://127.0.0.1:${await freePort()}/v0`)
    await availability(added)
    expect(proxy.asked).toHaveLength(1)
    await expect.poll(() => lastFailure(added)).toMatchObject({ problem: 'unavailable' })
    const { proxy: good, added: ill } = await proxied()
    simulator.failAlways('discovery', { status: 503 })
    await availability(ill)
    expect(good.tunnels).toBeGreaterThan(0)
    await expect.poll(() => lastFailure(ill)).toMatchObject({ problem: 'garbage' })
  })

  test('stops no session: clients hear that the provider cannot be reached', async () => {
    const { proxy, added } = await proxied('csc')
    proxy.fail({ status: 407 })
    const { serviceName } = added
    await expect(begunAuthorization(hub(), simulator, { serviceName })).rejects.toThrow(/ProviderUnavailable/)
    await expect.poll(() => lastFailure(added)).toMatchObject({ operation: 'begin', problem: 'proxy' })
  })
})

describe('addresses', () => {
  const { hub, change } = proxiedHub('SQLite')

  test.each([
    ['ftp://127.0.0.1:21'],
    ['127.0.0.1:3128'],
    ['http://127.0.0.1:3128/path'],
    ['http://127.0.0.1:3128?a=b'],
    ['http://:guess-me@127.0.0.1:3128'],
    ['http://%zz:guess-me@127.0.0.1:3128'],
    ['http://10.0.0.1:3128'],
    ['http://169.254.169.254'],
    ['https://localhost:25'],
  ])('%s is no proxy, and the refusal repeats nothing of it', async (proxy) => {
    const added = await addProvider(hub(), simulator, { protocol: 'psc' })
    const answer = await change(added, { proxy })
    expect(refusal(answer)).toEqual([422, 'PROVIDER_PROXY_REFUSED'])
    expect(answer.text).not.toContain('guess-me')
  })

  test.each(['https://proxy.example:3128', 'http://8.8.8.8:3128', 'http://127.0.0.1:3128/'])(
    '%s may be',
    async (url) => {
      const added = await addProvider(hub(), simulator, { protocol: 'psc' })
      const { status, body } = await change(added, { proxy: url })
      expect([status, body.proxy]).toEqual([200, url.replace(/\/$/, '')])
    },
  )
})

describe('addresses of providers', () => {
  const { browser, tested } = proxiedHub('SQLite', { AllowedHosts: [] })

  test('are judged as without a proxy, and the proxy hears nothing of refused ones', async () => {
    const proxy = await proxyOf()
    const { call } = await browser()
    const { body } = await call('POST', '/api/providers', {
      preset: 'generic-psc',
      serviceName: 'inside',
      provider: 'Nuvem Demo S.A.',
      endpoint: 'https://localhost/v0',
      proxy: proxy.url,
    })
    const [connection] = await tested(body)
    expect(connection).toMatchObject({ ok: false, text: expect.stringContaining('is not a public address') })
    expect(proxy.asked).toEqual([])
  })
})
