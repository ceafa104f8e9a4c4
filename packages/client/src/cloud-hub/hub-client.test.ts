import { describe, expect, expectTypeOf, test, vi } from 'vitest'
import { answer, CORRELATION_ID, deserted, type Reaction, recordedServer } from '../test-support/recorded-server.ts'
import {
  ChancelaConnectionError,
  ChancelaError,
  type ClientOptions,
  createHubClient,
  type ErrorCode,
  type HubClient,
  isHubError,
  returnedSession,
} from './index.ts'

const HASH = new Uint8Array(32).fill(0xfb)
const HASH_BASE64 = Buffer.from(HASH).toString('base64')
const SIGNATURE = Uint8Array.from({ length: 256 }, (_, at) => at)
const signed = answer(200, Buffer.from(SIGNATURE).toString('base64'))

async function clientOf(reactions: readonly Reaction[], options: Partial<ClientOptions> = {}) {
  const { baseUrl, requests } = await recordedServer(...reactions)
  return { client: createHubClient({ baseUrl, apiKey: 'a+b/c=', retry: false, ...options }), requests }
}

async function caught(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.fail('The call should have failed.'),
    (error: unknown) => error,
  )
}

const info = { serviceName: 'safe', provider: 'Safe S.A.', endpoint: 'https://safe.example/v0', badgeUrl: null }
const model = { content: 'MIIB', alias: 'c1', serviceName: 'safe' }
const holder = { identifier: '52998224725', identifierType: 'CPF' } as const
const creation = {
  redirectUri: 'https://app.example/return',
  identifier: '52998224725',
  type: 'MultiSignature',
} as const

/** Operation, request, response, and the caller's result. */
const calls: readonly [string, (client: HubClient) => Promise<unknown>, string, object | undefined, unknown, object][] =
  [
    [
      'createSession',
      (client) => client.createSession({ ...creation, hashes: [HASH] }),
      'POST /api/sessions',
      { ...creation, hashes: [HASH_BASE64] },
      { services: [{ serviceInfo: info, authUrl: 'https://safe.example/authorize' }] },
      { services: [{ serviceInfo: info, authUrl: 'https://safe.example/authorize' }] },
    ],
    [
      'createServiceSession',
      (client) => client.createServiceSession('bird/1', creation),
      'POST /api/sessions/services/bird%2F1',
      creation,
      { serviceInfo: info, authUrl: 'https://safe.example/authorize' },
      { serviceInfo: info, authUrl: 'https://safe.example/authorize' },
    ],
    [
      'createChooser',
      (client) => client.createChooser(creation),
      'POST /api/sessions/chooser',
      creation,
      { chooserUrl: 'https://hub.example/choose/t' },
      { chooserUrl: 'https://hub.example/choose/t' },
    ],
    [
      'services, of an array',
      (client) => client.services(holder),
      'GET /api/sessions/services?identifier=52998224725&identifierType=CPF',
      undefined,
      [info],
      { services: [info] },
    ],
    [
      'availability',
      (client) => client.availability('safe', holder),
      'GET /api/sessions/services/safe/availability?identifier=52998224725&identifierType=CPF',
      undefined,
      { discoveryAvailable: false, certificateFound: null },
      { discoveryAvailable: false, certificateFound: null },
    ],
    [
      'certificate',
      (client) => client.certificate('s 1'),
      'GET /api/v2/sessions/certificate?session=s+1',
      undefined,
      model,
      { ...model, bytes: new Uint8Array([0x30, 0x82, 0x01]) },
    ],
    [
      'customState, of a string',
      (client) => client.customState('s1'),
      'GET /api/sessions/custom-state?session=s1',
      undefined,
      'mine',
      { customState: 'mine' },
    ],
    [
      'customState, of null',
      (client) => client.customState('s1'),
      'GET /api/sessions/custom-state?session=s1',
      undefined,
      null,
      { customState: null },
    ],
    [
      'signHash, of a bare string',
      (client) => client.signHash({ session: 's1', hash: HASH, digestAlgorithm: 'SHA-256' }),
      'POST /api/sessions/sign-hash',
      { session: 's1', hash: HASH_BASE64, digestAlgorithm: 'SHA-256' },
      Buffer.from(SIGNATURE).toString('base64'),
      { signature: SIGNATURE },
    ],
    [
      'signHashes',
      (client) => client.signHashes({ session: 's1', hashes: [HASH, HASH_BASE64], digestAlgorithm: 'SHA-256' }),
      'POST /api/sessions/sign-hashes',
      { session: 's1', hashes: [HASH_BASE64, HASH_BASE64], digestAlgorithm: 'SHA-256' },
      { signatures: ['AQ==', 'Ag=='] },
      { signatures: [new Uint8Array([1]), new Uint8Array([2])] },
    ],
    [
      'status',
      (client) => client.status('s1'),
      'GET /api/sessions/status?session=s1',
      undefined,
      { serviceName: 'safe', type: 'SingleSignature', expiresAt: '2026-11-16T12:00:00Z', remainingSeconds: 9 },
      { serviceName: 'safe', type: 'SingleSignature', expiresAt: '2026-11-16T12:00:00Z', remainingSeconds: 9 },
    ],
  ]

describe('the hub client', () => {
  test.each(calls)('%s calls its operation and brings its answer', async (_name, call, line, body, sent, brought) => {
    const { client, requests } = await clientOf([answer(200, sent)])
    expect(await call(client)).toEqual({ ...brought, correlationId: CORRELATION_ID })
    const { method, url, headers, body: received } = requests[0]!
    expect(`${method} ${url}`).toBe(line)
    expect(headers['x-api-key']).toBe('a+b/c=')
    expect(received.length > 0 ? JSON.parse(received.toString()) : undefined).toEqual(body)
  })

  test('end takes an answer without content', async () => {
    const { client, requests } = await clientOf([{ status: 204, body: '' }])
    expect(await client.end('s1')).toBeUndefined()
    expect(JSON.parse(requests[0]!.body.toString())).toEqual({ session: 's1' })
  })

  test('reads what the hub appended to the redirect URI', () => {
    expect(returnedSession('https://app.example/return?fileId=7&session=abc')).toEqual({ session: 'abc' })
    expect(returnedSession('/return?session=abc&error=access_denied')).toEqual({
      session: 'abc',
      error: 'access_denied',
    })
    // A user may come back without any parameter.
    expect(returnedSession('/return')).toEqual({ session: undefined, error: 'access_denied' })
  })
})

describe('an error of the hub', () => {
  const refused = { code: 'ServiceNotFound', message: 'No provider has this name.', details: { name: 'x' } }
  const problem = { type: 't', title: 'One or more validation errors occurred.', status: 400, traceId: 't' }
  const busy = { type: 't', title: 'Service Unavailable', status: 503, code: 'ServerBusy', traceId: 't' }

  test.each<[string, Reaction, object]>([
    [
      'in an object',
      answer(422, refused),
      { code: 'ServiceNotFound', status: 422, details: { name: 'x' }, message: refused.message },
    ],
    [
      'in an object without details',
      answer(422, { ...refused, code: 'SessionExpired', details: null }),
      { code: 'SessionExpired', details: undefined, isRetryable: false },
    ],
    [
      'as a list of fields',
      answer(400, { ...problem, errors: { hash: ['It is too short.'] } }),
      { code: 'InvalidRequest', status: 400, details: { hash: ['It is too short.'] } },
    ],
    ['without a body', { status: 401, body: '' }, { code: 'Unauthorized', status: 401 }],
    ['as a short code', answer(500, 'ProviderTimeout'), { code: 'ProviderTimeout', status: 500, isRetryable: false }],
    ['as a problem', answer(503, busy), { code: 'ServerBusy', status: 503, isRetryable: true }],
  ])('is understood %s', async (_form, reaction, expected) => {
    const { client } = await clientOf([reaction])
    const error = await caught(client.certificate('s1'))
    expect(error).toBeInstanceOf(ChancelaError)
    expect(error).toMatchObject({ ...expected, correlationId: CORRELATION_ID, operation: 'readCertificateModel' })
  })

  test.each<[string, Reaction]>([
    ['the page of a proxy', { status: 502, body: '<h1>Bad Gateway</h1>' }],
    ['a text that is no code', answer(500, 'Something went wrong.')],
    ['an object of somebody else', answer(422, { error: 'no' })],
    ['a 400 without fields', answer(400, null)],
    ['an answer that is no JSON', { status: 200, body: 'OK' }],
  ])('is not made out of %s', async (_what, reaction) => {
    const { client } = await clientOf([reaction])
    const error = await caught(client.certificate('s1'))
    expect(error).toBeInstanceOf(ChancelaConnectionError)
    expect(error).toMatchObject({ reason: 'not-understood' })
  })

  test('is narrowed by its code', async () => {
    const { client } = await clientOf([answer(422, { ...refused, code: 'SessionExpired' })])
    const error = await caught(client.certificate('s1'))
    expect(isHubError(error)).toBe(true)
    if (!isHubError(error, 'SessionExpired', 'SessionInvalidOrAlreadyUsed')) return expect.fail('It is one of the two.')
    expectTypeOf(error.code).toEqualTypeOf<'SessionExpired' | 'SessionInvalidOrAlreadyUsed'>()
    // @ts-expect-error: no code of the contract.
    isHubError(error, 'SESSION_EXPIRED')
    expectTypeOf<'InvalidRedirectUri' | 'ProviderTimeout'>().toExtend<ErrorCode>()
  })
})

describe('a signature', () => {
  const sign = (client: HubClient, over: object = {}) =>
    client.signHash({ session: 's1', hash: HASH, digestAlgorithm: 'SHA-256', ...over })
  const retry = { firstDelayMs: 1 }

  test('is asked for again under the same key when the connection breaks, so that nothing is signed twice', async () => {
    const { client, requests } = await clientOf(['break', signed], { retry })
    expect((await sign(client)).signature).toEqual(SIGNATURE)
    const keys = requests.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([expect.stringMatching(/^[\da-f]{32}$/), keys[0]])
  })

  test('has another key with every call, unless the caller names it', async () => {
    const { client, requests } = await clientOf([signed])
    await sign(client)
    await sign(client)
    await sign(client, { idempotencyKey: 'contract-7' })
    const keys = requests.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys).size).toBe(3)
    expect(keys[2]).toBe('contract-7')
    expect(JSON.parse(requests[2]!.body.toString())).not.toHaveProperty('idempotencyKey')
  })

  test.each([
    ['again', 'ProviderUnavailable', 2],
    ['never', 'ProviderTimeout', 1],
    ['never', 'ProviderError', 1],
    ['never', 'InvalidProviderSignature', 1],
  ])('is asked for %s after %s', async (_often, code, requested) => {
    const { client, requests } = await clientOf([answer(500, code), signed], { retry })
    await sign(client).catch(() => {})
    expect(requests.length).toBe(requested)
  })

  test('a creation is never asked for again: every one is a session more', async () => {
    const { client, requests } = await clientOf(['break'], { retry })
    expect(await caught(client.createSession(creation))).toMatchObject({ reason: 'unreachable', isRetryable: false })
    expect(requests.length).toBe(1)
  })

  test('has two minutes', async () => {
    vi.useFakeTimers()
    try {
      const fetch: ClientOptions['fetch'] = (_url, { signal }) =>
        new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
      const client = createHubClient({ baseUrl: 'https://hub.example', apiKey: 'k', fetch })
      let error: unknown
      const signing = sign(client).catch((thrown) => {
        error = thrown
      })
      await vi.advanceTimersByTimeAsync(119_999)
      expect(error).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      await signing
      expect(error).toMatchObject({ reason: 'timed-out' })
    } finally {
      vi.useRealTimers()
    }
  })

  test('of a hub that is not there is told', async () => {
    const client = createHubClient({ baseUrl: await deserted(), apiKey: 'k', retry: false })
    expect(await caught(sign(client))).toMatchObject({ reason: 'unreachable', operation: 'signHash' })
  })
})
