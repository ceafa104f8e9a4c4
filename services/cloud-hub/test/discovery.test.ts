// Which providers hold a certificate (spec 1 B): all are asked at once, each with its own deadline, and answers are
// cached for a moment.
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { freePort } from '@chancela/testkit/tools'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allowRedirects, REDIRECT_URI } from './test-support/authorized.ts'
import { type HubWorld, sharedHub } from './test-support/hub-world.ts'
import { running } from './test-support/pki.ts'
import { addProvider } from './test-support/providers.ts'

const ANA = '52998224725'
const BAKERY = '11222333000181'
const NOBODY = '00000000191'

/** A simulator for the tests of a describe, reset after each. */
function sharedProvider(world: () => HubWorld, prepare: (provider: RunningCloudProvider) => Promise<unknown>) {
  let provider: RunningCloudProvider
  beforeAll(async () => {
    provider = await startCloudProvider({ pki: running.pki, clock: world().clock })
    await prepare(provider)
  })
  afterEach(() => provider.recover())
  afterAll(() => provider.stop())
  return () => provider
}

describe('discovery without a session', () => {
  const world = sharedHub('SQLite', {
    settings: { Discovery: { CacheSeconds: 0 }, Providers: { BreakerFailures: 1000 } },
  })
  const kept = { offerUnasked: false }
  const provider = sharedProvider(world, async (simulator) => {
    await addProvider(world(), simulator, { protocol: 'psc', serviceName: 'one' })
    await addProvider(world(), simulator, {
      protocol: 'psc',
      serviceName: 'mute',
      knobs: { discovery: false, ...kept },
    })
    await addProvider(world(), simulator, { protocol: 'csc', serviceName: 'consortium', knobs: kept })
  })
  const services = (query: string) => world().json('GET', `/api/sessions/services?${query}`)
  const availability = (name: string, query: string) =>
    world().json('GET', `/api/sessions/services/${name}/availability?${query}`)

  test('answers the providers that hold a certificate, without authUrl', async () => {
    const { status, body } = await services(`identifier=${ANA}`)
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        serviceName: 'one',
        provider: 'Nuvem Demo S.A.',
        endpoint: provider().psc.baseUrl,
        badgeUrl: `${world().settings.Http.PublicUrl}/badges/one.svg`,
      },
    ])
  })

  test.each([
    [`identifier=${ANA}`, 1],
    [`identifier=529.982.247-25&identifierType=CPF`, 1],
    [`identifier=${BAKERY}&identifierType=CNPJ`, 1],
    [`identifier=${BAKERY}&identifierType=2`, 1],
    // As when sessions are created: more than eleven characters are a CNPJ.
    [`identifier=${BAKERY}`, 1],
    ['identifier=11.222.333/0001-81', 1],
    [`identifier=${NOBODY}`, 0],
  ])('%s finds %d', async (query, count) => {
    expect((await services(query)).body).toHaveLength(count)
  })

  test.each(['', 'identifier='])('"%s" names nobody whose providers could be listed', async (query) => {
    const refusal = { status: 400, body: { errors: { identifier: [expect.any(String)] } } }
    expect(await services(query)).toMatchObject(refusal)
  })

  test.each([
    ['identifier=abc', 'identifier'],
    [`identifier=${BAKERY}&identifierType=CPF`, 'identifier'],
    [`identifier=${ANA}&identifierType=CNPJ`, 'identifier'],
    [`identifier=${ANA}&identifierType=RG`, 'identifierType'],
  ])('"%s" is refused under the name %s', async (query, field) => {
    const refusal = { status: 400, body: { errors: { [field]: [expect.any(String)] } } }
    expect(await services(query)).toMatchObject(refusal)
    expect(await availability('one', query)).toMatchObject(refusal)
  })

  test('a provider that fails to answer is left out', async () => {
    for (const fault of [{ status: 500, body: 'out of order' }, 'drop', 'garbage'] as const) {
      provider().failAlways('discovery', fault)
      expect(await services(`identifier=${ANA}`)).toMatchObject({ status: 200, body: [] })
    }
    provider().recover()
    expect((await services(`identifier=${ANA}`)).body).toHaveLength(1)
  })

  test('availability tells whether the provider answered, and what', async () => {
    const found = { discoveryAvailable: true, certificateFound: true }
    expect((await availability('ONE', `identifier=${ANA}`)).body).toEqual(found)
    const none = { discoveryAvailable: true, certificateFound: false }
    expect((await availability('one', `identifier=${NOBODY}`)).body).toEqual(none)
    provider().failAlways('discovery', { status: 503 })
    const mute = { discoveryAvailable: false, certificateFound: null }
    expect((await availability('one', `identifier=${ANA}`)).body).toEqual(mute)
    expect((await availability('mute', `identifier=${ANA}`)).body).toEqual(mute)
    expect((await availability('consortium', `identifier=${ANA}`)).body).toEqual(mute)
  })

  test('availability without an identifier tells whether the provider answers, and nothing of a certificate', async () => {
    const answers = { status: 200, body: { discoveryAvailable: true, certificateFound: null } }
    const mute = { status: 200, body: { discoveryAvailable: false, certificateFound: null } }
    expect(await availability('one', '')).toMatchObject(answers)
    expect(await availability('one', 'identifier=&identifierType=CNPJ')).toMatchObject(answers)
    provider().failAlways('discovery', { status: 503 })
    expect(await availability('one', '')).toMatchObject(mute)
  })

  test('availability without an identifier asks whether it is there where nobody can be asked for', async () => {
    const there = { status: 200, body: { discoveryAvailable: true, certificateFound: null } }
    for (const name of ['mute', 'consortium']) expect(await availability(name, '')).toMatchObject(there)
    await addProvider(world(), provider(), {
      protocol: 'csc',
      serviceName: 'away',
      endpoint: `http://127.0.0.1:${await freePort()}/csc/v2`,
      knobs: kept,
    })
    const away = { status: 200, body: { discoveryAvailable: false, certificateFound: null } }
    expect(await availability('away', '')).toMatchObject(away)
    expect(provider().calls.filter(({ operation }) => operation === 'authorize')).toEqual([])
  })

  test('availability of a provider nobody knows is ServiceNotFound', async () => {
    const answer = await availability('nobody', `identifier=${ANA}`)
    expect(answer).toMatchObject({ status: 422, body: { code: 'ServiceNotFound', details: { name: 'nobody' } } })
  })

  test('no identifier reaches the log', async () => {
    provider().failAlways('discovery', { status: 503 })
    await services(`identifier=${ANA}`)
    await expect.poll(() => world().log()).toContain('provider call failed')
    expect(world().log()).not.toContain(ANA)
  })
})

describe('discovery over twenty providers', () => {
  // Long enough for nineteen answers on a busy machine.
  const TIMEOUT = 2500
  const world = sharedHub('SQLite', {
    settings: { Discovery: { CacheSeconds: 0, TimeoutMilliseconds: TIMEOUT }, Providers: { BreakerFailures: 1000 } },
  })
  const names = Array.from({ length: 20 }, (_, at) => `cloud-${at}`)
  const provider = sharedProvider(world, async (simulator) => {
    for (const serviceName of names) await addProvider(world(), simulator, { protocol: 'psc', serviceName })
    await allowRedirects(world())
  })
  const timed = async <T>(work: () => Promise<T>) => {
    const began = performance.now()
    return { result: await work(), milliseconds: performance.now() - began }
  }

  test('one that hangs is left out when its deadline is over, the others stay in their order', async () => {
    provider().fail('discovery', 'hang')
    const { result, milliseconds } = await timed(() =>
      world().json('POST', '/api/sessions', { redirectUri: REDIRECT_URI, identifier: ANA }),
    )
    const found = result.body.services.map(
      ({ serviceInfo }: { serviceInfo: { serviceName: string } }) => serviceInfo.serviceName,
    )
    expect(found).toHaveLength(19)
    expect(found).toEqual(names.filter((name) => found.includes(name)))
    expect(milliseconds).toBeGreaterThan(TIMEOUT * 0.9)
  })

  test('when all hang the answer takes the deadline of one, never the sum', async () => {
    provider().failAlways('discovery', 'hang')
    const { result, milliseconds } = await timed(() => world().json('GET', `/api/sessions/services?identifier=${ANA}`))
    expect(result.body).toEqual([])
    expect(milliseconds).toBeLessThan((TIMEOUT * names.length) / 2)
  })
})

describe('what providers said is reused for a moment', () => {
  const world = sharedHub('SQLite', { settings: { Discovery: { CacheSeconds: 30 } } })
  const provider = sharedProvider(world, (simulator) =>
    addProvider(world(), simulator, { protocol: 'psc', serviceName: 'one' }),
  )
  const found = async (identifier: string) =>
    (await world().json('GET', `/api/sessions/services?identifier=${identifier}`)).body.length
  const asked = () => provider().calls.filter(({ operation }) => operation === 'discovery').length

  test('for each identifier, until its seconds are over', async () => {
    const before = asked()
    expect(await found(ANA)).toBe(1)
    expect(await found(ANA)).toBe(1)
    expect(await found(NOBODY)).toBe(0)
    expect(await found(NOBODY)).toBe(0)
    expect(asked() - before).toBe(2)
    world().clock.advance(30_000)
    expect(await found(ANA)).toBe(1)
    expect(asked() - before).toBe(3)
  })

  test('a failure is not reused', async () => {
    world().clock.advance(30_000)
    provider().failAlways('discovery', { status: 500 })
    expect(await found(ANA)).toBe(0)
    provider().recover()
    expect(await found(ANA)).toBe(1)
  })
})
