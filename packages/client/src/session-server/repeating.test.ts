import { describe, expect, test } from 'vitest'
import { answer, pdf, type Reaction, recordedServer, refusal } from '../test-support/recorded-server.ts'
import { type ClientOptions, createSessionClient, type SessionClient } from './index.ts'

const PDF = new TextEncoder().encode('%PDF-1.7')

const calls = {
  openSession: (client) => client.openSession({ cpf: '52998224725', pin: '1234' }),
  deactivate: (client) => client.deactivate('s1'),
  sign: (client) => client.sign({ sessionId: 's1', document: new Blob([PDF]).stream() }),
  signBatch: (client) => client.signBatch({ sessionId: 's1', documents: [{ document: PDF }] }),
  sessionStatus: (client) => client.sessionStatus('s1'),
  certificateInfo: (client) => client.certificateInfo('s1'),
  document: (client) => client.document('d1'),
} satisfies Record<string, (client: SessionClient) => Promise<unknown>>

type Call = keyof typeof calls

const writes = ['openSession', 'deactivate', 'sign', 'signBatch'] as const
const reads = ['sessionStatus', 'certificateInfo', 'document'] as const
const all = [...writes, ...reads]

/** The same server for a call: it fails at first and would answer the second request. */
async function call(name: Call, first: Reaction, options: Partial<ClientOptions> = {}) {
  const { baseUrl, requests } = await recordedServer(first, name === 'document' ? pdf(PDF) : answer(200, {}))
  const client = createSessionClient({ baseUrl, apiKey: 'k', retry: { firstDelayMs: 1 }, ...options })
  const outcome = await calls[name](client).then(
    () => 'done',
    (error) => error.code ?? error.reason,
  )
  return { outcome, requests }
}

describe('a call is repeated', () => {
  test.each(all)('%s, with the same body, when the server is busy', async (name) => {
    const { outcome, requests } = await call(name, refusal(429, 'SERVER_BUSY'))
    expect([outcome, requests.length]).toEqual(['done', 2])
    const [first, second] = await Promise.all(requests.map(contentOf))
    expect(second).toEqual(first)
  })

  const failures = [
    ['INTERNAL_ERROR', refusal(500, 'INTERNAL_ERROR')],
    ['SIGNER_ERROR', refusal(502, 'SIGNER_ERROR')],
    ['a broken connection', 'break'],
    ['the page of a proxy', { status: 503, body: '<h1>Service Unavailable</h1>' }],
  ] as const

  test.each(reads.flatMap((name) => failures.map((failure) => [name, ...failure] as const)))(
    '%s after %s, because reading twice does no harm',
    async (name, _what, failure) => {
      const { outcome, requests } = await call(name, failure)
      expect([outcome, requests.length]).toEqual(['done', 2])
    },
  )

  test.each(writes.flatMap((name) => failures.map((failure) => [name, ...failure] as const)))(
    'never: %s after %s, because it may have happened',
    async (name, _what, failure) => {
      const { outcome, requests } = await call(name, failure)
      expect(outcome).not.toBe('done')
      expect(requests.length).toBe(1)
    },
  )

  test.each([
    ['openSession', 'TOO_MANY_PIN_ATTEMPTS', 429],
    ['openSession', 'INVALID_PIN', 401],
    ['openSession', 'PIN_NOT_AVAILABLE', 422],
    ['sign', 'SIGN_TIMEOUT', 422],
    ['sign', 'SESSION_EXPIRED', 401],
    ['document', 'DOCUMENT_NOT_READY', 409],
    ['document', 'DOCUMENT_UNAVAILABLE', 422],
    ['sessionStatus', 'UNAUTHORIZED', 401],
    ['sessionStatus', 'A_CODE_OF_TOMORROW', 429],
  ] as const)('never: %s after %s', async (name, code, status) => {
    const { outcome, requests } = await call(name, refusal(status, code))
    expect([outcome, requests.length]).toEqual([code, 1])
  })

  test('as often as it may, then the error comes out', async () => {
    const { baseUrl, requests } = await recordedServer(refusal(429, 'SERVER_BUSY'))
    const client = createSessionClient({ baseUrl, apiKey: 'k', retry: { attempts: 3, firstDelayMs: 1 } })
    await expect(client.sessionStatus('s1')).rejects.toMatchObject({ code: 'SERVER_BUSY', isRetryable: true })
    expect(requests.length).toBe(3)
  })

  test('after pauses that grow up to a limit', async () => {
    const { baseUrl, requests } = await recordedServer(refusal(429, 'SERVER_BUSY'))
    const retry = { attempts: 5, firstDelayMs: 40, maxDelayMs: 100 }
    await expect(createSessionClient({ baseUrl, apiKey: 'k', retry }).sessionStatus('s1')).rejects.toThrow()
    const pauses = requests.slice(1).map(({ at }, index) => at - requests[index]!.at)
    // At least half of 40, 80, 100 and 100; a slow machine only makes them longer.
    for (const [index, least] of [20, 40, 50, 50].entries()) expect(pauses[index]).toBeGreaterThanOrEqual(least - 1)
  })

  test('not at all where it is switched off', async () => {
    const { outcome, requests } = await call('sessionStatus', refusal(429, 'SERVER_BUSY'), { retry: false })
    expect([outcome, requests.length]).toEqual(['SERVER_BUSY', 1])
  })

  test('no more once it is cancelled in a pause', async () => {
    const { baseUrl, requests } = await recordedServer(refusal(429, 'SERVER_BUSY'))
    const client = createSessionClient({ baseUrl, apiKey: 'k', retry: { firstDelayMs: 600_000, maxDelayMs: 600_000 } })
    const cancelling = new AbortController()
    const call = client.sessionStatus('s1', { signal: cancelling.signal })
    await expect.poll(() => requests.length).toBe(1)
    setTimeout(() => cancelling.abort(new Error('The user left.')), 20)
    await expect(call).rejects.toThrow('The user left.')
    expect(requests.length).toBe(1)
  })
})

/** A form has a different boundary each time, but the same content. */
async function contentOf({ headers, body, form }: Awaited<ReturnType<typeof recordedServer>>['requests'][number]) {
  if (!headers['content-type']?.startsWith('multipart/')) return body.toString()
  const parts = [...(await form()).entries()]
  return Promise.all(parts.map(async ([name, part]) => [name, typeof part === 'string' ? part : await part.text()]))
}
