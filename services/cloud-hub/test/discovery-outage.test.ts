// An outage is told from "no certificate": who did not answer is named, and whoever held a certificate before, or
// cannot be asked, is offered all the same.
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { allowRedirects, REDIRECT_URI } from './test-support/authorized.ts'
import { sharedHub } from './test-support/hub-world.ts'
import { clock, running } from './test-support/pki.ts'
import { addProvider, registryOf } from './test-support/providers.ts'

const ANA = '52998224725'
const BRUNO = '11144477735'
const NOBODY = '00000000191'
const FOUND_SECONDS = 3600

const hub = sharedHub('SQLite', {
  settings: {
    Discovery: { CacheSeconds: 30, FoundSeconds: FOUND_SECONDS, TimeoutMilliseconds: 1500 },
    Providers: { BreakerFailures: 1000 },
  },
})
/** One that answers throughout, and one that does not. */
let well: RunningCloudProvider
let ill: RunningCloudProvider

beforeAll(async () => {
  well = await startCloudProvider({ pki: running.pki, clock })
  ill = await startCloudProvider({ pki: running.pki, clock })
  await addProvider(hub(), well, { protocol: 'psc', serviceName: 'well' })
  await addProvider(hub(), ill, { protocol: 'psc', serviceName: 'ill' })
  await allowRedirects(hub())
})
afterEach(() => {
  ill.recover()
  // What was said is forgotten, and who was found, too.
  clock.advance((FOUND_SECONDS + 1) * 1000)
})
afterAll(async () => {
  await well.stop()
  await ill.stop()
})

interface Service {
  readonly serviceInfo: { readonly serviceName: string }
}

const UNANSWERED = 'x-unanswered-providers'
const post = (path: string, body: object) => hub().json('POST', path, { redirectUri: REDIRECT_URI, ...body })

async function created(body: object) {
  const { status, body: answer, headers } = await post('/api/sessions', body)
  expect(status).toBe(200)
  const names = answer.services.map(({ serviceInfo }: Service) => serviceInfo.serviceName)
  return { names, unanswered: headers.get(UNANSWERED) }
}

async function listed(identifier: string) {
  const { body, headers } = await hub().json('GET', `/api/sessions/services?identifier=${identifier}`)
  const names = body.map(({ serviceName }: Service['serviceInfo']) => serviceName)
  return { names, unanswered: headers.get(UNANSWERED) }
}

describe('providers that do not answer to discovery', () => {
  test.each([
    ['are out of order', { status: 503 }],
    ['answer something else', 'garbage'],
    ['drop the connection', 'drop'],
    ['hang', 'hang'],
  ] as const)('and %s are named by the creation of sessions, by its page and by the list', async (_, fault) => {
    ill.failAlways('discovery', fault)
    expect(await created({ identifier: ANA })).toEqual({ names: ['well'], unanswered: 'ill' })
    expect(await created({ identifier: NOBODY })).toEqual({ names: [], unanswered: 'ill' })
    expect(await listed(ANA)).toEqual({ names: ['well'], unanswered: 'ill' })
    expect((await post('/api/sessions/chooser', { identifier: ANA })).headers.get(UNANSWERED)).toBe('ill')
  })

  test('are named in their order, and nobody is named where all answered', async () => {
    expect(await created({ identifier: NOBODY })).toEqual({ names: [], unanswered: null })
    expect(await listed(NOBODY)).toEqual({ names: [], unanswered: null })
    clock.advance(31_000)
    for (const provider of [ill, well]) provider.failAlways('discovery', { status: 500 })
    expect(await created({ identifier: NOBODY })).toEqual({ names: [], unanswered: 'well, ill' })
    well.recover()
  })

  test('are named while they are left alone after failures, too', async () => {
    const weary = await addProvider(hub(), ill, { protocol: 'csc', serviceName: 'weary' })
    ill.failAlways('info', { status: 500 })
    expect(await created({ discover: false })).toEqual({ names: ['well', 'ill'], unanswered: 'weary' })
    await registryOf(hub()).remove(weary.id, 'test')
    await expect.poll(() => created({ discover: false })).toEqual({ names: ['well', 'ill'], unanswered: null })
  })
})

describe('who was found at a provider before', () => {
  test('is offered it while it does not answer, for as long as the setting says', async () => {
    expect(await created({ identifier: ANA })).toEqual({ names: ['well', 'ill'], unanswered: null })
    ill.failAlways('discovery', { status: 503 })
    clock.advance((FOUND_SECONDS - 1) * 1000)
    expect(await created({ identifier: ANA })).toEqual({ names: ['well', 'ill'], unanswered: 'ill' })
    // Somebody else was not.
    expect(await created({ identifier: BRUNO })).toEqual({ names: ['well'], unanswered: 'ill' })
    clock.advance(1000)
    expect(await created({ identifier: ANA })).toEqual({ names: ['well'], unanswered: 'ill' })
  })

  test('is not in the list of those who answered, which leaves out whoever fails', async () => {
    expect(await listed(ANA)).toEqual({ names: ['well', 'ill'], unanswered: null })
    ill.failAlways('discovery', { status: 503 })
    clock.advance(31_000)
    expect(await listed(ANA)).toEqual({ names: ['well'], unanswered: 'ill' })
  })

  test('is forgotten once the provider says no', async () => {
    expect((await created({ identifier: ANA })).names).toEqual(['well', 'ill'])
    clock.advance(31_000)
    ill.failAlways('discovery', { status: 200, body: { status: 'N' } })
    expect(await created({ identifier: ANA })).toEqual({ names: ['well'], unanswered: null })
    clock.advance(31_000)
    ill.failAlways('discovery', { status: 503 })
    expect(await created({ identifier: ANA })).toEqual({ names: ['well'], unanswered: 'ill' })
  })
})

describe('a provider whose setting says so', () => {
  const withProvider = async (
    options: Omit<Parameters<typeof addProvider>[2], 'serviceName'>,
    act: () => Promise<void>,
  ) => {
    const { id } = await addProvider(hub(), ill, { ...options, serviceName: 'special' })
    await act()
    await registryOf(hub())
      .remove(id, 'test')
      .catch(() => registryOf(hub()).setEnabled(id, false, 'test'))
    await expect.poll(async () => (await created({ discover: false })).names).toEqual(['well', 'ill'])
  }

  test('is offered to everybody while it does not answer', () =>
    withProvider({ protocol: 'psc', knobs: { keepOnFailure: true } }, async () => {
      expect(await created({ identifier: NOBODY })).toEqual({ names: [], unanswered: null })
      clock.advance(31_000)
      ill.failAlways('discovery', { status: 503 })
      expect(await created({ identifier: NOBODY })).toEqual({ names: ['special'], unanswered: 'ill, special' })
      expect(await listed(NOBODY)).toEqual({ names: [], unanswered: 'ill, special' })
    }))
})

describe('a provider that cannot be asked who holds a certificate', () => {
  test.each([
    ['because its protocol has no discovery', { protocol: 'csc', serviceName: 'consortium' }, {}],
    ['because an operator switched it off', { protocol: 'psc', serviceName: 'mute' }, { discovery: false }],
  ] as const)('%s, is offered to everybody, unless its setting says otherwise', async (_, options, knobs) => {
    const { id, serviceName } = await addProvider(hub(), ill, { ...options, knobs })
    expect(await created({ identifier: ANA })).toEqual({ names: ['well', 'ill', serviceName], unanswered: null })
    expect(await created({ identifier: NOBODY })).toEqual({ names: [serviceName], unanswered: null })
    expect(await listed(NOBODY)).toEqual({ names: [serviceName], unanswered: null })
    await registryOf(hub()).update(id, { knobs: { ...knobs, offerUnasked: false } }, 'test')
    await expect.poll(() => created({ identifier: NOBODY })).toEqual({ names: [], unanswered: null })
    expect(await listed(ANA)).toEqual({ names: ['well', 'ill'], unanswered: null })
    expect((await created({ discover: false })).names).toEqual(['well', 'ill', serviceName])
    await registryOf(hub()).setEnabled(id, false, 'test')
    await expect.poll(async () => (await created({ discover: false })).names).toEqual(['well', 'ill'])
  })
})
