import { createServer as createTlsServer } from 'node:https'
import { describe, expect, test } from 'vitest'
import { portOf, selfSigned, served, speaking } from '../http-client/test-support/servers.ts'
import { guardedExchange } from './index.ts'

const exchange = guardedExchange(['127.0.0.1'])
const ask = (url: string) => ({ url, method: 'GET', maxBytes: 1000, timeoutMs: 20_000 }) as const
const refuses = (asked: Promise<unknown>, code: string) =>
  expect(asked).rejects.toMatchObject({ name: 'EngineError', code })

describe('an authority', () => {
  test('answers with its status, the first of each header, and its bytes; one redirect leads there', async () => {
    const url = await served(({ url }, response) => {
      if (url === '/') response.writeHead(301, { location: '/list.crl' }).end()
      else response.writeHead(200, { 'X-One': ['1', '2'] }).end('list')
    })
    expect(await exchange(ask(url))).toMatchObject({
      status: 200,
      headers: { 'x-one': '1' },
      body: Buffer.from('list'),
    })
  })

  test('inside the network is not asked: by its address, by its name, behind a redirect', async () => {
    const redirecting = await served((_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
    await refuses(exchange(ask('http://10.0.0.1/crl')), 'http.bad-address')
    await refuses(exchange(ask(redirecting)), 'http.bad-address')
    await refuses(guardedExchange([])(ask('http://localhost/crl')), 'http.bad-address')
  })

  test('that fails is told of as the engine does', async () => {
    const silent = await served(() => {})
    const endless = await served((_, response) => response.end(Buffer.alloc(100_000)))
    const circular = await served((_, response) => response.writeHead(302, { location: '/' }).end())
    const resetting = await speaking((socket) => socket.resetAndDestroy())
    const garbled = await speaking((socket) => socket.write('SSH-2.0\r\n'))
    const tls = await portOf(createTlsServer(await selfSigned()))
    await refuses(exchange({ ...ask(silent), timeoutMs: 200 }), 'http.timeout')
    await refuses(exchange({ ...ask(silent), signal: AbortSignal.abort() }), 'http.canceled')
    await refuses(exchange(ask(endless)), 'http.too-large')
    await refuses(exchange(ask(circular)), 'http.too-many-redirects')
    await refuses(exchange(ask(resetting)), 'http.broken')
    await refuses(exchange(ask(garbled)), 'http.broken')
    await refuses(exchange(ask('http://127.0.0.1:1/')), 'http.unreachable')
    await refuses(exchange(ask(`https://127.0.0.1:${tls}/`)), 'http.tls')
  })
})
