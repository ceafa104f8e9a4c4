// A failing provider is blocked by its circuit breaker for a while, and measured.
import { createHash } from 'node:crypto'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { authorizedSession } from './test-support/authorized.ts'
import { sharedHub } from './test-support/hub-world.ts'
import { clock, running } from './test-support/pki.ts'
import { addProvider } from './test-support/providers.ts'

let provider: RunningCloudProvider

beforeAll(async () => {
  provider = await startCloudProvider({ pki: running.pki, clock })
})
afterEach(() => provider.recover())
afterAll(() => provider.stop())

const hub = sharedHub('SQLite', {
  settings: {
    Providers: { AllowedHosts: ['127.0.0.1'], BreakerFailures: 2, BreakerSeconds: 30 },
    Discovery: { CacheSeconds: 0 },
    Metrics: { RequireApiKey: false },
  },
})

const callsOf = (wanted: string) => provider.calls.filter(({ operation }) => operation === wanted).length
const hash = createHash('sha256').update('a document').digest('base64')
const sign = (session: string) =>
  hub().json('POST', '/api/sessions/sign-hash', { session, hash, digestAlgorithm: 'SHA-256' })
const availability = (name: string) =>
  hub().json('GET', `/api/sessions/services/${name}/availability?identifier=11111111111`)
const metrics = async () => (await hub().call('GET', '/metrics')).text()

test('after failures in a row a provider is not called; after a while one call tries, and closes it again', async () => {
  const { serviceName } = await addProvider(hub(), provider, { protocol: 'psc' })
  const journey = { holder: 'ana-souza', serviceName, type: 'SignatureSession' }
  const session = await authorizedSession(hub(), provider, journey)
  provider.failAlways('signature', { status: 503 })
  for (const _ of [1, 2]) expect(await sign(session)).toMatchObject({ status: 500, body: 'ProviderError' })
  const calls = callsOf('signature')
  expect(await sign(session)).toMatchObject({ status: 500, body: 'ProviderUnavailable' })
  expect(callsOf('signature')).toBe(calls)
  expect(await metrics()).toContain(`hub_provider_breaker{provider="${serviceName}",calls="use"} 2`)

  provider.recover()
  clock.advance(31_000)
  expect(await sign(session)).toMatchObject({ status: 200 })
  expect(await metrics()).toContain(`hub_provider_breaker{provider="${serviceName}",calls="use"} 0`)
})

test('a refusal of the provider is no failure', async () => {
  const { serviceName } = await addProvider(hub(), provider, { protocol: 'psc' })
  const journey = { holder: 'ana-souza', serviceName, type: 'SignatureSession' }
  const session = await authorizedSession(hub(), provider, journey)
  for (const _ of [1, 2, 3]) {
    provider.fail('signature', { status: 400, body: { error: 'invalid_request' } })
    await sign(session)
  }
  expect(await sign(session)).toMatchObject({ status: 200 })
})

test('a provider whose discovery fails goes on signing', async () => {
  const { serviceName } = await addProvider(hub(), provider, { protocol: 'psc' })
  const journey = { holder: 'ana-souza', serviceName }
  provider.failAlways('discovery', { status: 500 })
  for (const _ of [1, 2])
    expect((await availability(serviceName)).body).toEqual({ discoveryAvailable: false, certificateFound: null })
  const calls = callsOf('discovery')
  expect((await availability(serviceName)).body).toEqual({ discoveryAvailable: false, certificateFound: null })
  expect(callsOf('discovery')).toBe(calls)
  expect(await sign(await authorizedSession(hub(), provider, journey))).toMatchObject({ status: 200 })
})

test('every call is measured by provider and operation, and every problem by its kind', async () => {
  const { serviceName } = await addProvider(hub(), provider, { protocol: 'psc' })
  const session = await authorizedSession(hub(), provider, { holder: 'ana-souza', serviceName })
  provider.fail('signature', 'garbage')
  await sign(session)
  const text = await metrics()
  for (const operation of ['begin', 'redeem', 'certificates', 'sign'])
    expect(text).toContain(`hub_provider_seconds_count{provider="${serviceName}",operation="${operation}"} 1`)
  expect(text).toContain(`hub_provider_problems_total{provider="${serviceName}",operation="sign",kind="garbage"} 1`)
  await expect.poll(() => hub().log()).toContain('"kind":"garbage"')
})

test('neither the log nor the metrics nor the database knows a token, a code, a secret or an identifier', async () => {
  const { id, serviceName, clientSecret } = await addProvider(hub(), provider, { protocol: 'psc' })
  const { identifier } = provider.holders.find(({ label }) => label === 'ana-souza')!
  provider.fail('discovery', { status: 400, body: { error: 'invalid_request', error_description: identifier } })
  await hub().json('GET', `/api/sessions/services/${serviceName}/availability?identifier=${identifier}`)
  const journey = { holder: 'ana-souza', serviceName, identifier, type: 'SignatureSession' }
  const session = await authorizedSession(hub(), provider, journey)
  expect(await sign(session)).toMatchObject({ status: 200 })

  const { store, context } = hub()
  const rows = await store.db.selectFrom('session').selectAll().where('provider_id', '=', id).execute()
  const [row] = rows
  const grant = JSON.parse(context.secrets.openText(row!.sealed_grant!, `session.sealed_grant:${row!.id}`))
  const { code, code_verifier } = provider.calls.findLast(({ operation }) => operation === 'token')!.body
  const secrets = [clientSecret, grant.data.token, code, code_verifier, session]
  const written = hub().log() + (await metrics())
  for (const secret of [...secrets, identifier]) expect(written).not.toContain(secret)
  const providers = await store.db.selectFrom('provider').selectAll().execute()
  for (const secret of secrets) expect(JSON.stringify([rows, providers])).not.toContain(secret)
})
