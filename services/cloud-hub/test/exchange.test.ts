// Calls to providers: which addresses are allowed, and which answers (threats: SSRF, oversized answers).
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ExchangeOptions, openExchange, type ProviderCall } from '../src/upstream/exchange.ts'
import { running } from './test-support/pki.ts'

const call = (url: string, more: Partial<ProviderCall> = {}): ProviderCall => ({
  method: 'POST',
  url,
  json: { secret: 'a secret' },
  shown: 'nothing',
  deadline: 20_000,
  ...more,
})

function exchangeWith(options: Partial<ExchangeOptions> = {}) {
  const exchange = openExchange({
    allowedHosts: ['127.0.0.1'],
    maxResponseBytes: 65_536,
    connectTimeout: 5000,
    ...options,
  })
  onTestFinished(() => exchange.close())
  return exchange
}

/** A server for one test. */
async function serverOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v0`
}

describe('an endpoint inside the network of the hub is not called', () => {
  test.each([
    'https://127.0.0.1/v0',
    'https://169.254.169.254/latest/meta-data',
    'https://10.1.2.3/v0',
    'https://192.168.0.1/v0',
    'https://[::1]/v0',
    'https://[::ffff:10.0.0.1]/v0',
    'https://localhost/v0',
  ])('%s', async (url) => {
    await expect(exchangeWith({ allowedHosts: [] }).send(call(url))).rejects.toMatchObject({
      kind: 'unavailable',
      diagnosis: expect.stringContaining('not a public address'),
    })
  })

  test('nor is one without TLS, unless the operator lists its host', async () => {
    const url = await serverOf((_, response) => response.end('{}'))
    await expect(exchangeWith({ allowedHosts: [] }).send(call(url))).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await exchangeWith().send(call(url))).toEqual({ status: 200, body: {} })
  })

  test('a name is judged by the address the connection is made to', async () => {
    let calls = 0
    const url = await serverOf((_, response) => {
      calls += 1
      response.end('{}')
    })
    const named = url.replace('127.0.0.1', 'localhost').replace('http:', 'https:')
    await expect(exchangeWith({ allowedHosts: [] }).send(call(named))).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'AddressRefused',
    })
    expect(calls).toBe(0)
  })
})

describe('an answer', () => {
  test('that redirects is not followed', async () => {
    let stolen = 0
    const elsewhere = await serverOf((_, response) => {
      stolen += 1
      response.end('{}')
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await serverOf((_, response) => response.writeHead(status, { location: elsewhere }).end())
      await expect(exchangeWith().send(call(url))).rejects.toMatchObject({ kind: 'garbage', status })
    }
    expect(stolen).toBe(0)
  })

  test('is read as JSON whatever its content type, also with a byte order mark', async () => {
    const url = await serverOf((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('\uFEFF{"a":1}'),
    )
    expect(await exchangeWith().send(call(url))).toEqual({ status: 200, body: { a: 1 } })
  })

  test('that never ends is cut off at the limit', async () => {
    const url = await serverOf((_, response) => {
      const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    await expect(exchangeWith().send(call(url))).rejects.toMatchObject({ kind: 'garbage' })
  })

  test('that comes byte by byte is given up at the deadline', async () => {
    const url = await serverOf((_, response) => {
      const timer = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(timer))
    })
    await expect(exchangeWith().send(call(url, { deadline: 300 }))).rejects.toMatchObject({ kind: 'timeout' })
  })

  test('that is no HTTP is garbage', async () => {
    const server = createTcpServer((socket) =>
      socket.once('data', () => socket.write('SSH-2.0-OpenSSH_9.0\r\n')).on('error', () => {}),
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await expect(exchangeWith().send(call(url))).rejects.toMatchObject({ kind: 'garbage' })
  })
})

describe('a connection', () => {
  test('that is refused sent nothing', async () => {
    await expect(exchangeWith().send(call('http://127.0.0.1:1/'))).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'ECONNREFUSED',
    })
  })

  test('that nobody waits for any more sent nothing', async () => {
    let calls = 0
    const url = await serverOf(() => {
      calls += 1
    })
    const signal = AbortSignal.abort()
    await expect(exchangeWith().send(call(url, { signal }))).rejects.toMatchObject({ kind: 'unavailable' })
    expect(calls).toBe(0)
  })

  test('to a server whose certificate nobody vouches for sent nothing', async () => {
    const { key, x509 } = running.pki.certificate('tsa')
    let calls = 0
    const server = createTlsServer(
      { key: key.privateKey.export({ type: 'pkcs8', format: 'pem' }), cert: x509.toString() },
      () => {
        calls += 1
      },
    ).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
    await expect(exchangeWith().send(call(url))).rejects.toMatchObject({ kind: 'unavailable' })
    expect(calls).toBe(0)
  })

  test('shows the certificate of the hub where the provider asks for one, and trusts the bundle it was given', async () => {
    const { cert, key } = await selfSigned()
    const server = createTlsServer({ cert, key, ca: cert, requestCert: true }, (_, response) => response.end('{}'))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
    expect(await exchangeWith({ tls: { ca: cert, cert, key } }).send(call(url))).toEqual({ status: 200, body: {} })
    await expect(exchangeWith({ tls: { ca: cert } }).send(call(url))).rejects.toMatchObject({ name: 'ProviderProblem' })
  })

  test('stays open for further calls', async () => {
    const ports = new Set<number | undefined>()
    const url = await serverOf((request, response) => {
      ports.add(request.socket.remotePort)
      response.end('{}')
    })
    const exchange = exchangeWith()
    for (let calls = 0; calls < 20; calls++) await exchange.send(call(url))
    // A connection is free only a moment after its answer, so that two may be used in turn.
    expect(ports.size).toBeLessThan(3)
  })

  test('that breaks after the request was sent leaves open what became of it', async () => {
    const url = await serverOf((request) => request.socket.destroy())
    await expect(exchangeWith().send(call(url))).rejects.toMatchObject({ kind: 'lost' })
  })
})

/** A self-signed certificate for this machine. */
async function selfSigned(): Promise<{ readonly cert: string; readonly key: string }> {
  const folder = await temporaryFolder()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30']
  await openssl([
    ...made,
    '-subj',
    '/CN=127.0.0.1',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
    '-keyout',
    key,
    '-out',
    cert,
  ])
  return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') }
}
