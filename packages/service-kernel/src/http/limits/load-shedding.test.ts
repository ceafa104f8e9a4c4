import Type from 'typebox'
import { describe, expect, test, vi } from 'vitest'
import { loadOf } from '../app.ts'
import type { HttpSettings } from '../app-options.ts'
import { serve } from '../serve.ts'
import { openConnection, type RawConnection } from '../test-support/raw-http.ts'
import { listen, testApp, withKey } from '../test-support/test-app.ts'

/** A service whose calls run until the test ends them, in the order in which they began. */
async function slowService(settings: HttpSettings) {
  const { app } = await testApp({ settings })
  const begun: string[] = []
  const endings = new Map<string, (answer: string) => void>()
  const slow = { method: 'GET', path: '/slow/{name}', summary: 'S.', answer: Type.String() } as const
  serve(app, slow, ({ params }) => {
    begun.push(params.name)
    return new Promise<string>((resolve) => endings.set(params.name, resolve))
  })
  serve(app, { method: 'GET', path: '/open', summary: 'O.', access: 'anonymous' }, () => {})
  serve(app, { method: 'GET', path: '/uncounted', summary: 'U.', counted: false }, () => {})
  const url = await listen(app)
  const start = async (name: string): Promise<RawConnection> => {
    const connection = await openConnection(url)
    connection.send(`GET /slow/${name} HTTP/1.1`, 'Host: x', `X-API-Key: ${withKey['x-api-key']}`, '', '')
    return connection
  }
  const until = (expected: object) => vi.waitFor(() => expect(loadOf(app)).toMatchObject(expected))
  return { url, start, begun, until, end: (name: string) => endings.get(name)!(name), load: () => loadOf(app) }
}

describe('load shedding', () => {
  test('runs N, queues M in order, and refuses the rest with the code for busy', async () => {
    const { start, until, begun, end, load } = await slowService({ maxRunning: 1, maxQueued: 2 })
    const first = await start('first')
    await until({ running: 1 })
    const second = await start('second')
    await until({ queued: 1 })
    const third = await start('third')
    await until({ queued: 2 })
    const refused = await (await start('fourth')).answer()
    expect([refused.status, JSON.parse(refused.body).error.code, refused.headers['retry-after']]).toEqual([
      503,
      'too-busy',
      undefined,
    ])
    for (const [name, connection] of [
      ['first', first],
      ['second', second],
      ['third', third],
    ] as const) {
      await vi.waitFor(() => expect(begun.at(-1)).toBe(name))
      end(name)
      expect((await connection.answer()).body).toBe(JSON.stringify(name))
    }
    await until({ running: 0, queued: 0 })
    expect([begun, load().refused]).toEqual([['first', 'second', 'third'], 1])
  })

  test('a client that leaves the queue frees its place there and never runs', async () => {
    const { start, until, begun, end } = await slowService({ maxRunning: 1, maxQueued: 1 })
    const first = await start('first')
    await until({ running: 1 })
    const leaver = await start('leaver')
    await until({ queued: 1 })
    leaver.socket.destroy()
    await until({ queued: 0 })
    const patient = await start('patient')
    await until({ queued: 1 })
    end('first')
    await first.answer()
    await vi.waitFor(() => expect(begun).toEqual(['first', 'patient']))
    end('patient')
    expect((await patient.answer()).status).toBe(200)
  })

  test('a client that leaves while its call runs keeps the place until the work has ended', async () => {
    const { start, until, begun, end } = await slowService({ maxRunning: 1, maxQueued: 1 })
    const first = await start('first')
    await vi.waitFor(() => expect(begun).toEqual(['first']))
    first.socket.destroy()
    const next = await start('next')
    await until({ running: 1, queued: 1 })
    expect(begun).toEqual(['first'])
    end('first')
    await vi.waitFor(() => expect(begun).toEqual(['first', 'next']))
    end('next')
    await next.answer()
    await until({ running: 0, queued: 0 })
  })

  test('a call that fails frees its place like one that succeeds', async () => {
    const { app } = await testApp({ settings: { maxRunning: 1 } })
    const failing = { method: 'POST', path: '/f', summary: 'F.', body: Type.Object({ a: Type.Integer() }) } as const
    serve(app, failing, () => {
      throw new Error('no')
    })
    const url = await listen(app)
    const call = async (body: string) =>
      (await fetch(`${url}/f`, { method: 'POST', body, headers: { ...withKey, 'content-type': 'application/json' } }))
        .status
    for (let round = 0; round < 3; round += 1) {
      expect([await call('{"a":1}'), await call('{"a":"x"}'), await call('{')]).toEqual([500, 400, 400])
    }
    expect(loadOf(app).running).toBe(0)
  })

  test('anonymous and uncounted routes answer while everything is taken', async () => {
    const { url, start, until } = await slowService({ maxRunning: 1 })
    await start('first')
    await until({ running: 1 })
    expect((await fetch(`${url}/open`)).status).toBe(204)
    expect((await fetch(`${url}/uncounted`, { headers: withKey })).status).toBe(204)
  })

  test('strangers take no place', async () => {
    const { url, load } = await slowService({ maxRunning: 1 })
    expect((await fetch(`${url}/slow/x`)).status).toBe(401)
    expect(load().running).toBe(0)
  })

  test('Retry-After is sent where the service asks for it', async () => {
    const { start, until } = await slowService({ maxRunning: 1, busyRetryAfterSeconds: 7 })
    await start('first')
    await until({ running: 1 })
    expect((await (await start('second')).answer()).headers['retry-after']).toBe('7')
  })

  test('without a limit nothing is counted', async () => {
    const { start, begun, load } = await slowService({})
    await start('a')
    await start('b')
    await vi.waitFor(() => expect(begun.sort()).toEqual(['a', 'b']))
    expect(load()).toEqual({ running: 0, queued: 0, refused: 0 })
  })
})
