import { describe, expect, onTestFinished, test } from 'vitest'
import { addressPolicy, asFetch, createHttpClient } from './index.ts'
import { served } from './test-support/servers.ts'

function fetchOf(deadlineMs = 20_000) {
  const policy = addressPolicy({ allowed: ['127.0.0.1'] })
  const client = createHttpClient({ policy, connectTimeoutMs: 5000, deadlineMs, maxAnswerBytes: 1000 })
  onTestFinished(() => client.close())
  return asFetch(client)
}

describe('the client as a fetch', () => {
  test('sends forms and answers a Response', async () => {
    const url = await served((request, response) => {
      response.writeHead(201, { 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] })
      request.pipe(response)
    })
    const answer = await fetchOf()(url, { method: 'POST', body: new URLSearchParams({ a: 'b c' }) })
    expect([answer.status, answer.headers.getSetCookie(), await answer.text()]).toEqual([201, ['a=1', 'b=2'], 'a=b+c'])
  })

  test('answers without a body where there is none, and with a redirect as it is', async () => {
    const url = await served(({ url }, response) => response.writeHead(url === '/204' ? 204 : 302).end())
    expect((await fetchOf()(`${url}204`)).body).toBeNull()
    expect((await fetchOf()(url)).status).toBe(302)
  })

  test('fails as fetch does: with a TypeError, in time, or with the reason of the signal', async () => {
    const silent = await served(() => {})
    const endless = await served((_, response) => response.end(Buffer.alloc(10_000)))
    await expect(fetchOf()('https://10.0.0.1/')).rejects.toMatchObject({
      name: 'TypeError',
      cause: { kind: 'address-refused' },
    })
    await expect(fetchOf()(endless)).rejects.toMatchObject({ name: 'TypeError', cause: { kind: 'too-large' } })
    await expect(fetchOf(200)(silent)).rejects.toMatchObject({ name: 'TimeoutError' })
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(fetchOf()(silent, { signal })).rejects.toThrow('enough')
  })
})
