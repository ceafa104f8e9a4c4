import { describe, expect, test } from 'vitest'
import { pdf, type Reaction, recordedServer, refusal } from '../test-support/recorded-server.ts'
import { createSessionClient } from './index.ts'

const PDF = new TextEncoder().encode('%PDF-1.7 signed')
const notReady = refusal(409, 'DOCUMENT_NOT_READY')

async function clientOf(...reactions: readonly Reaction[]) {
  const { baseUrl, requests } = await recordedServer(...reactions)
  return { client: createSessionClient({ baseUrl, apiKey: 'k', retry: { firstDelayMs: 1 } }), requests }
}

describe('waitForDocument', () => {
  test('asks until the document is there, with pauses that grow', async () => {
    const { client, requests } = await clientOf(notReady, notReady, notReady, pdf(PDF))
    const { bytes } = await client.waitForDocument('d1', { firstDelayMs: 40 })
    expect(bytes).toEqual(PDF)
    const pauses = requests.slice(1).map(({ at }, index) => at - requests[index]!.at)
    // At least half of 40, 60 and 90.
    for (const [index, least] of [20, 30, 45].entries()) expect(pauses[index]).toBeGreaterThanOrEqual(least - 1)
  })

  test.each([
    ['DOCUMENT_UNAVAILABLE', 422],
    ['DOCUMENT_NOT_FOUND', 404],
    ['UNAUTHORIZED', 401],
  ] as const)('ends at once with %s', async (code, status) => {
    const { client, requests } = await clientOf(notReady, refusal(status, code))
    await expect(client.waitForDocument('d1', { firstDelayMs: 1 })).rejects.toMatchObject({ code })
    expect(requests.length).toBe(2)
  })

  test('goes on after the signature service could not be asked, and after a busy server', async () => {
    const { client } = await clientOf(notReady, refusal(502, 'SIGNER_ERROR'), refusal(429, 'SERVER_BUSY'), pdf(PDF))
    expect((await client.waitForDocument('d1', { firstDelayMs: 1 })).bytes).toEqual(PDF)
  })

  test('gives up in the end, with what the server said last', async () => {
    const { client, requests } = await clientOf(notReady)
    const waiting = client.waitForDocument('d1', { timeoutMs: 1500, firstDelayMs: 10, maxDelayMs: 50 })
    await expect(waiting).rejects.toMatchObject({ code: 'DOCUMENT_NOT_READY', isRetryable: true })
    expect(requests.length).toBeGreaterThan(1)
  })

  test('gives up on a server that does not answer', async () => {
    const { client } = await clientOf('wait')
    await expect(client.waitForDocument('d1', { timeoutMs: 50 })).rejects.toMatchObject({ reason: 'timed-out' })
  })

  test('can be cancelled while it pauses', async () => {
    const { client, requests } = await clientOf(notReady)
    const cancelling = new AbortController()
    const waiting = client.waitForDocument('d1', {
      signal: cancelling.signal,
      firstDelayMs: 600_000,
      timeoutMs: 900_000,
    })
    await expect.poll(() => requests.length).toBe(1)
    setTimeout(() => cancelling.abort(new Error('The user left.')), 20)
    await expect(waiting).rejects.toThrow('The user left.')
  })
})
