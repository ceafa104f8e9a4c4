import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { answer, CORRELATION_ID, deserted, recordedServer, refusal } from '../test-support/recorded-server.ts'
import {
  ChancelaConnectionError,
  ChancelaError,
  type ClientOptions,
  createSessionClient,
  type ErrorCode,
  isSessionError,
} from './index.ts'

const KEY = 'key-of-an-application'
const PIN = 'a-pin-nobody-logs'

const clientOf = (baseUrl: string, options: Partial<ClientOptions> = {}) =>
  createSessionClient({ baseUrl, apiKey: KEY, retry: false, ...options })

async function caught(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.fail('The call should have failed.'),
    (error: unknown) => error,
  )
}

describe('an error of the server', () => {
  test('carries code, status, details, correlation id and the operation', async () => {
    const { baseUrl } = await recordedServer(refusal(413, 'DOCUMENT_TOO_LARGE', { limitBytes: 10, sizeBytes: 11 }))
    const error = await caught(clientOf(baseUrl).sign({ sessionId: 's1', document: new Uint8Array(11) }))
    expect(error).toBeInstanceOf(ChancelaError)
    expect(error).toMatchObject({
      name: 'ChancelaError',
      message: 'Refused with DOCUMENT_TOO_LARGE.',
      code: 'DOCUMENT_TOO_LARGE',
      status: 413,
      details: { limitBytes: 10, sizeBytes: 11 },
      correlationId: CORRELATION_ID,
      operation: 'signDocument',
      isRetryable: false,
    })
  })

  const retryable = ['SERVER_BUSY', 'INTERNAL_ERROR', 'SIGNER_ERROR', 'SIGN_TIMEOUT', 'DOCUMENT_NOT_READY'] as const
  const final = ['TOO_MANY_PIN_ATTEMPTS', 'INVALID_PIN', 'SESSION_EXPIRED', 'DOCUMENT_UNAVAILABLE', 'NEW_CODE'] as const

  test.each([...retryable.map((code) => [code, true] as const), ...final.map((code) => [code, false] as const)])(
    '%s may be tried again: %s',
    async (code, isRetryable) => {
      const { baseUrl } = await recordedServer(refusal(422, code))
      expect(await caught(clientOf(baseUrl).document('d1'))).toMatchObject({ code, isRetryable })
    },
  )

  test('is narrowed by its code', async () => {
    const { baseUrl } = await recordedServer(refusal(429, 'TOO_MANY_PIN_ATTEMPTS'))
    const error = await caught(clientOf(baseUrl).openSession({ cpf: '52998224725', pin: PIN }))
    expect(isSessionError(error)).toBe(true)
    expect(isSessionError(error, 'INVALID_PIN')).toBe(false)
    expect(isSessionError(new Error('SERVER_BUSY'), 'SERVER_BUSY')).toBe(false)
    if (!isSessionError(error, 'INVALID_PIN', 'TOO_MANY_PIN_ATTEMPTS')) return expect.fail('It is one of the two.')
    expectTypeOf(error.code).toEqualTypeOf<'INVALID_PIN' | 'TOO_MANY_PIN_ATTEMPTS'>()
    // @ts-expect-error: no code of the contract.
    isSessionError(error, 'TO_MANY_PIN_ATTEMPTS')
  })

  test('has the codes of the specification', () => {
    expectTypeOf<'TOO_MANY_PIN_ATTEMPTS' | 'SERVER_BUSY' | 'ENDPOINT_NOT_FOUND'>().toExtend<ErrorCode>()
  })
})

describe('no answer', () => {
  test('in time is told, and cancels the request', async () => {
    const { baseUrl } = await recordedServer('wait')
    const error = await caught(
      clientOf(baseUrl).sign({ sessionId: 's1', document: new Uint8Array(1) }, { timeoutMs: 50 }),
    )
    expect(error).toBeInstanceOf(ChancelaConnectionError)
    expect(error).toMatchObject({ reason: 'timed-out', operation: 'signDocument', isRetryable: false })
  })

  test('of a server that is not there is told', async () => {
    const error = await caught(clientOf(await deserted()).sessionStatus('s1'))
    expect(error).toMatchObject({ reason: 'unreachable', isRetryable: true })
  })

  test.each([
    ['a page', 200, '<h1>Welcome to the hotel</h1>'],
    ['an error in another form', 502, '{"message":"bad gateway"}'],
    ['an error that is null', 500, 'null'],
    ['an error without a body', 500, ''],
  ])('of the service itself but %s is told with its status', async (_what, status, body) => {
    const { baseUrl } = await recordedServer({ status, body })
    expect(await caught(clientOf(baseUrl).sessionStatus('s1'))).toMatchObject({ reason: 'not-understood', status })
  })

  test('in time is not waited for once more', async () => {
    const { baseUrl, requests } = await recordedServer('wait')
    const client = clientOf(baseUrl, { timeoutMs: 50, retry: { firstDelayMs: 1 } })
    expect(await caught(client.sessionStatus('s1'))).toMatchObject({ reason: 'timed-out', isRetryable: true })
    expect(requests.length).toBeLessThanOrEqual(1)
  })

  test('in the time of the client where the call sets none', async () => {
    const { baseUrl } = await recordedServer('wait')
    const client = clientOf(baseUrl, { timeoutMs: 50 })
    expect(await caught(client.sessionStatus('s1'))).toMatchObject({ reason: 'timed-out' })
  })
})

describe('cancelling', () => {
  const reason = new Error('The user left.')

  test.each(['client', 'call'])('by the signal of the %s throws its reason', async (whose) => {
    const { baseUrl, requests } = await recordedServer('wait')
    const cancelling = new AbortController()
    const { signal } = cancelling
    const client = clientOf(baseUrl, whose === 'client' ? { signal } : {})
    const call = client.sessionStatus('s1', whose === 'call' ? { signal } : {})
    await expect.poll(() => requests.length).toBe(1)
    cancelling.abort(reason)
    expect(await caught(call)).toBe(reason)
    expect(await caught(client.sessionStatus('s1', { signal }))).toBe(reason)
    expect(requests.length).toBe(1)
  })

  test('leaves no listener on a signal that outlives the call', async () => {
    const { baseUrl } = await recordedServer(refusal(429, 'SERVER_BUSY'), answer(200, {}))
    const { signal } = new AbortController()
    await clientOf(baseUrl, { signal, retry: { firstDelayMs: 1 } }).sessionStatus('s1')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('secrets', () => {
  test('stand in no error', async () => {
    const { baseUrl } = await recordedServer(refusal(401, 'INVALID_PIN'), 'break')
    const client = clientOf(baseUrl)
    const session = { cpf: '52998224725', pin: PIN }
    for (const each of [client, client, clientOf(await deserted()), clientOf(baseUrl, { timeoutMs: 0 })]) {
      const text = inspect(await caught(each.openSession(session)), {
        depth: Number.POSITIVE_INFINITY,
        showHidden: true,
      })
      expect(text).not.toContain(PIN)
      expect(text).not.toContain(KEY)
    }
    const unusable = () => createSessionClient({ baseUrl, apiKey: `${KEY}\nand more` })
    expect(unusable).toThrow(TypeError)
    expect(unusable).not.toThrow(KEY)
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain(KEY)
  })

  test('do not follow a redirect', async () => {
    const elsewhere = await recordedServer(answer(201, {}))
    const { baseUrl } = await recordedServer({ status: 307, body: '', headers: { Location: elsewhere.baseUrl } })
    const error = await caught(clientOf(baseUrl).openSession({ cpf: '52998224725', pin: PIN }))
    expect(error).toMatchObject({ reason: 'unreachable' })
    expect(elsewhere.requests).toEqual([])
  })
})
