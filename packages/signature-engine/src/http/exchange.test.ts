import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { cachedKeys, startDemoPki } from '@chancela/testkit/demo-pki'
import { expect, onTestFinished, test } from 'vitest'
import { createHttpExchange, exchangeOverHttp, type HttpRequest, requireOk } from './exchange.ts'

function listen(server: Server): Promise<number> {
  onTestFinished(async () => {
    await new Promise((resolve) => server.close(resolve))
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)))
}

/** A server of the test's own; its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => server.closeAllConnections())
  return `http://127.0.0.1:${await listen(server)}`
}

const get = (url: string, more: Partial<HttpRequest> = {}) =>
  exchangeOverHttp({ url, method: 'GET', maxBytes: 1_000, timeoutMs: 2_000, ...more })

const refuses = (promise: Promise<unknown>, code: string) =>
  expect(promise).rejects.toMatchObject({ name: 'EngineError', code })

test('an answer has status, headers in small letters, and body', async () => {
  const url = await serve((_request, response) => response.writeHead(200, { 'X-One': '1' }).end('hello'))
  const answer = await get(url)
  expect(answer).toMatchObject({ status: 200, headers: { 'x-one': '1' } })
  expect(answer.body.toString()).toBe('hello')
})

test('a body is posted as it is', async () => {
  const url = await serve((request, response) => {
    response.setHeader('x-type', request.headers['content-type'] ?? '')
    request.pipe(response)
  })
  const body = Buffer.from([0, 255, 1, 254])
  const answer = await get(url, { method: 'POST', body, headers: { 'content-type': 'application/x' } })
  expect(answer.body).toEqual(body)
  expect(answer.headers['x-type']).toBe('application/x')
})

test('connections are made by whoever is told to, who may refuse an address', async () => {
  const url = await serve((_request, response) => response.end('x'))
  const refusing = createHttpExchange({
    connect: (_options, callback) => callback(new Error('not this address'), null),
  })
  await refuses(refusing({ url, method: 'GET', maxBytes: 10, timeoutMs: 2_000 }), 'http.broken')
})

test('connections are kept for the next calls', async () => {
  const ports = new Set<number | undefined>()
  const url = await serve((request, response) => {
    ports.add(request.socket.remotePort)
    response.end('x')
  })
  for (let call = 0; call < 20; call++) await get(url)
  // A call may begin before the connection of the last one is free again: then there are two, not twenty.
  expect(ports.size).toBeLessThan(5)
})

test('any status is an answer; whoever needs a good one says so', async () => {
  const url = await serve((_request, response) => response.writeHead(404).end('no'))
  const answer = await get(url)
  expect(answer.status).toBe(404)
  expect(() => requireOk(answer, url)).toThrow(
    expect.objectContaining({ code: 'http.refused-status', details: { url, status: 404 } }),
  )
})

test('an answer larger than allowed is refused, announced or not', async () => {
  const announced = await serve((_request, response) => response.end(Buffer.alloc(2_000)))
  await refuses(get(announced), 'http.too-large')
  const endless = await serve((_request, response) => {
    const more = () => {
      while (response.write(Buffer.alloc(500)));
      response.once('drain', more)
    }
    more()
  })
  await refuses(get(endless), 'http.too-large')
})

test('an answer that does not come, or does not end, in time is refused', async () => {
  await refuses(get(await serve(() => {}), { timeoutMs: 100 }), 'http.timeout')
  const slow = await serve((_request, response) => response.write('begun'))
  await refuses(get(slow, { timeoutMs: 200 }), 'http.timeout')
})

test('the caller can cancel', async () => {
  const controller = new AbortController()
  const call = get(await serve(() => controller.abort()), { signal: controller.signal })
  await refuses(call, 'http.canceled')
})

test('redirects are followed three times, not more', async () => {
  const url = await serve((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('there')
    else response.writeHead(302, { location: `/${left - 1}` }).end()
  })
  expect((await get(`${url}/3`)).body.toString()).toBe('there')
  await refuses(get(`${url}/4`), 'http.too-many-redirects')
})

test('a redirect to another server does not take the credentials along', async () => {
  const other = await serve((request, response) => response.end(request.headers.authorization ?? 'none'))
  const url = await serve((_request, response) => response.writeHead(307, { location: other }).end())
  const answer = await get(url, { headers: { Authorization: 'Basic c2VjcmV0' } })
  expect(answer.body.toString()).toBe('none')
})

test('a post is repeated only where the redirect keeps the method', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/there') response.end(request.method)
    else response.writeHead(Number(request.url?.slice(1)), { location: '/there' }).end()
  })
  expect((await get(`${url}/308`, { method: 'POST' })).body.toString()).toBe('POST')
  expect((await get(`${url}/302`, { method: 'POST' })).status).toBe(302)
})

test.each(['file:///etc/passwd', 'ldap://x.example/', 'javascript:1', 'nonsense', ''])(
  'the address "%s" is refused',
  async (url) => {
    await refuses(get(url), 'http.bad-address')
  },
)

test('a redirect out of the web is refused, and so is one to an address that is not allowed', async () => {
  const out = await serve((_request, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end())
  await refuses(get(out), 'http.bad-address')
  const inner = await serve((_request, response) => response.end('secret'))
  const url = await serve((_request, response) => response.writeHead(302, { location: inner }).end())
  const guarded = createHttpExchange({ allowed: ({ origin }) => origin !== inner })
  await refuses(guarded({ url, method: 'GET', maxBytes: 100, timeoutMs: 1_000 }), 'http.bad-address')
})

test('nobody listening, no such host, and a connection that breaks are told apart', async () => {
  const closed = createTcpServer()
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
  const { port } = closed.address() as AddressInfo
  await new Promise((resolve) => closed.close(resolve))
  await refuses(get(`http://127.0.0.1:${port}`), 'http.unreachable')
  await refuses(get('http://nobody.invalid/'), 'http.unreachable')
  await refuses(get(await serve((request) => request.socket.destroy())), 'http.broken')
  const port2 = await listen(createTcpServer((socket) => socket.resume().end('this is no HTTP\r\n\r\n')))
  await refuses(get(`http://127.0.0.1:${port2}`), 'http.broken')
})

test('a TLS certificate that nobody vouches for, and no TLS at all, are failures of TLS', async () => {
  const { pki, stop } = await startDemoPki({ keys: cachedKeys() })
  onTestFinished(stop)
  const { x509, key } = pki.certificate('equipment')
  const server = createTlsServer(
    { cert: x509.toString(), key: key.privateKey.export({ format: 'pem', type: 'pkcs8' }) },
    (_request, response) => response.end('secret'),
  )
  await refuses(get(`https://127.0.0.1:${await listen(server)}`), 'http.tls')
  const plain = await serve((_request, response) => response.end('plain'))
  await refuses(get(plain.replace('http:', 'https:')), 'http.tls')
})
