import { request } from 'node:http'
import Type from 'typebox'
import { describe, expect, test, vi } from 'vitest'
import { discardRest } from '../input/discard-rest.ts'
import { serve } from '../serve.ts'
import { openConnection } from '../test-support/raw-http.ts'
import { listen, testApp } from '../test-support/test-app.ts'
import { drain } from './drain.ts'

/** A service with one call that runs until the test ends it. */
async function slowService() {
  const { app, lines } = await testApp()
  const open = { summary: 'S.', access: 'anonymous', answer: Type.String() } as const
  const calls: Array<(answer: string) => void> = []
  serve(app, { ...open, method: 'GET', path: '/slow' }, () => new Promise<string>((resolve) => calls.push(resolve)))
  serve(app, { ...open, method: 'GET', path: '/quick' }, () => 'quick')
  const url = await listen(app)
  const running = (count: number) => vi.waitFor(() => expect(calls).toHaveLength(count))
  return { app, url, calls, running, lines }
}

const get = (path: string): readonly string[] => [`GET ${path} HTTP/1.1`, 'Host: x', '', '']

describe('drain', () => {
  test('answers what runs, closes its connection and then rests', async () => {
    const { app, url, calls, running } = await slowService()
    const connection = await openConnection(url)
    connection.send(...get('/slow'))
    await running(1)
    const drained = drain(app, 30)
    calls[0]!('done')
    expect(await connection.answer()).toMatchObject({ status: 200, body: '"done"', headers: { connection: 'close' } })
    await connection.closed()
    expect(await drained).toEqual({ cutOff: 0 })
  })

  test('accepts no new connection', async () => {
    const { app, url, running } = await slowService()
    const holding = await openConnection(url)
    holding.send(...get('/slow'))
    await running(1)
    const drained = drain(app, 0.5)
    await vi.waitFor(() => expect(app.server.listening).toBe(false))
    await expect(fetch(`${url}/quick`)).rejects.toThrow()
    await drained
  })

  test('closes idle connections at once', async () => {
    const { app, url } = await slowService()
    const idle = await openConnection(url)
    idle.send(...get('/quick'))
    expect((await idle.answer()).headers.connection).toBe('keep-alive')
    await Promise.all([drain(app, 30), idle.closed()])
  })

  // Browsers open connections in advance; Node counts those as busy, because their first request may be arriving.
  test('closes a connection on which nothing was ever said at once', async () => {
    const { app, url } = await slowService()
    const silent = await openConnection(url)
    await vi.waitFor(async () =>
      expect(await new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))).toBe(1),
    )
    // Longer than a test may take.
    await Promise.all([drain(app, 600), silent.closed()])
  })

  test('tells a request that still arrives to go elsewhere, in the dialect', async () => {
    const { app, url, calls, running } = await slowService()
    const [holding, late] = [await openConnection(url), await openConnection(url)]
    holding.send(...get('/slow'))
    late.send('GET /quick HTTP/1.1', '')
    await running(1)
    const drained = drain(app, 30)
    await vi.waitFor(() => expect(app.server.listening).toBe(false))
    late.send('Host: x', '', '')
    const answer = await late.answer()
    expect([answer.status, answer.headers.connection, JSON.parse(answer.body).error.code]).toEqual([
      503,
      'close',
      'too-busy',
    ])
    calls[0]!('done')
    expect(await drained).toEqual({ cutOff: 0 })
  })

  test('does not wait for a kept connection whose answer was already on its way', async () => {
    const { app } = await testApp()
    let finish = (): void => {}
    serve(app, { method: 'GET', path: '/stream', summary: 'S.', access: 'anonymous' }, ({ reply }) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-length': '2' })
      reply.raw.write('a')
      finish = () => void reply.raw.end('b')
      return reply
    })
    const url = await listen(app)
    const bodies: string[] = []
    const sent = request(`${url}/stream`, { headers: { connection: 'keep-alive' } }, (answer) => {
      answer.on('data', (bytes) => bodies.push(String(bytes)))
    }).end()
    sent.on('error', () => {})
    await vi.waitFor(() => expect(bodies).toEqual(['a']))
    const drained = drain(app, 30)
    finish()
    expect(await drained).toEqual({ cutOff: 0 })
    await vi.waitFor(() => expect(bodies.join('')).toBe('ab'))
  })

  test('does not wait for a kept connection whose body came to its end after its answer', async () => {
    const { app } = await testApp()
    const refused = { method: 'POST', path: '/refused', summary: 'R.', access: 'anonymous', streamed: true } as const
    serve(app, { ...refused, consumes: ['application/octet-stream'], answer: Type.String() }, ({ request }) => {
      discardRest(request.raw)
      return 'no'
    })
    const connection = await openConnection(await listen(app))
    const head = ['POST /refused HTTP/1.1', 'Host: x', 'Content-Type: application/octet-stream', 'Content-Length: 2']
    connection.send(...head, '', 'a')
    expect(await connection.answer()).toMatchObject({ body: '"no"', headers: { connection: 'keep-alive' } })
    // Longer than the test may take.
    const drained = drain(app, 600)
    await vi.waitFor(() => expect(app.server.listening).toBe(false))
    connection.send('b')
    expect(await drained).toEqual({ cutOff: 0 })
  })

  test('cuts off what has not ended in time, and says how much', async () => {
    const { app, url, running } = await slowService()
    const connection = await openConnection(url)
    connection.send(...get('/slow'))
    await running(1)
    const [report] = await Promise.all([drain(app, 0.1), connection.closed()])
    expect(report).toEqual({ cutOff: 1 })
  })
})
