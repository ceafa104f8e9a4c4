import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { ForwardProxyOptions } from '@chancela/testkit/forward-proxy'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { addressPolicy, createHttpClient } from './index.ts'
import { portOf, proxyOf, selfSigned, served, speaking } from './test-support/servers.ts'

type Options = Parameters<typeof createHttpClient>[0]

const here = addressPolicy({ allowed: ['127.0.0.1', 'localhost'] })

function clientOf(options: Partial<Options>) {
  const limits = { connectTimeoutMs: 5000, deadlineMs: 20_000, maxAnswerBytes: 65_536 }
  const client = createHttpClient({ policy: here, ...limits, ...options })
  onTestFinished(() => client.close())
  return client
}

const get = (url: string) => ({ method: 'GET', url }) as const

/** A proxy, and the text that comes of a call through it. */
async function calledThrough(url: string, options: ForwardProxyOptions, more: Partial<Options> = {}) {
  const proxy = await proxyOf(options)
  const client = clientOf({ proxyUrl: proxy.url, ...more })
  return { proxy, said: String((await client.exchange(get(url))).body) }
}

describe('a call through a proxy', () => {
  test('is made to the address that was judged, over one tunnel for all calls of a server', async () => {
    const url = await served((_, response) => response.end('through'))
    const proxy = await proxyOf()
    const client = clientOf({ proxyUrl: proxy.url })
    const named = url.replace('127.0.0.1', 'localhost')
    for (let calls = 0; calls < 5; calls++) expect(String((await client.exchange(get(named))).body)).toBe('through')
    expect(new Set(proxy.asked)).toEqual(new Set([new URL(url).host]))
    expect(proxy.tunnels).toBeLessThan(3)
  })

  test('is made by name where the proxy resolves names; an address that is written is judged all the same', async () => {
    const url = await served((_, response) => response.end('by name'))
    const { port, host } = new URL(url)
    const proxy = await proxyOf({ hosts: { 'server.invalid': host } })
    const policy = addressPolicy({ allowHttp: true, allowedPorts: [Number(port)] })
    const client = clientOf({ policy, proxyUrl: proxy.url, proxyResolves: true })
    expect(String((await client.exchange(get(`http://server.invalid:${port}/`))).body)).toBe('by name')
    await expect(client.exchange(get(url))).rejects.toMatchObject({ kind: 'address-refused' })
    expect(proxy.asked).toEqual([`server.invalid:${port}`])
  })

  test('is secured from end to end, whether the way to the proxy is or not', async () => {
    const own = await selfSigned()
    const server = createTlsServer(own, (_, response) => response.end('secured'))
    const url = `https://127.0.0.1:${await portOf(server)}/`
    for (const tls of [undefined, own]) {
      const { proxy, said } = await calledThrough(url, tls ? { tls } : {}, { tls: { ca: own.cert } })
      expect([said, proxy.tunnels]).toEqual(['secured', 1])
    }
  })

  test('shows the proxy its password, and nobody else', async () => {
    const seen: unknown[] = []
    const url = await served(({ headers }, response) => {
      seen.push(headers['proxy-authorization'], headers.authorization)
      response.end('let in')
    })
    const proxy = await proxyOf({ credentials: { user: 'hub', password: 'p@ss:word/ç' } })
    const proxyUrl = proxy.url.replace('//', `//hub:${encodeURIComponent('p@ss:word/ç')}@`)
    expect(String((await clientOf({ proxyUrl }).exchange(get(url))).body)).toBe('let in')
    expect(seen).toEqual([undefined, undefined])
  })

  test('that the environment names is not made', async () => {
    const url = await served((_, response) => response.end('straight'))
    const proxy = await proxyOf()
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'])
      vi.stubEnv(name, name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.url)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(String((await clientOf({}).exchange(get(url))).body)).toBe('straight')
    expect(proxy.asked).toEqual([])
  })
})

describe('a proxy that opens no tunnel', () => {
  const failing = { kind: 'proxy', wasSent: false }

  test.each([403, 407, 500, 502])('because it answers %d, is told apart from the server behind it', async (status) => {
    const proxy = await proxyOf()
    proxy.fail({ status })
    const asked = clientOf({ proxyUrl: proxy.url }).exchange(get('http://127.0.0.1:1/'))
    await expect(asked).rejects.toMatchObject({ ...failing, status })
  })

  test('because it does not know the password, is told without it', async () => {
    const proxy = await proxyOf({ credentials: { user: 'hub', password: 'right' } })
    const proxyUrl = proxy.url.replace('//', '//hub:wrong-password@')
    const problem = await clientOf({ proxyUrl })
      .exchange(get('http://127.0.0.1:1/'))
      .catch((error: Error) => error)
    expect(problem).toMatchObject({ ...failing, status: 407 })
    expect(JSON.stringify(problem) + (problem as Error).stack).not.toContain('wrong-password')
  })

  test.each(['drop', 'garbage'] as const)('because of a %s, too', async (fault) => {
    const proxy = await proxyOf()
    proxy.fail(fault)
    const asked = clientOf({ proxyUrl: proxy.url }).exchange(get('http://127.0.0.1:1/'))
    await expect(asked).rejects.toMatchObject(failing)
  })

  test('because it answers in place of the server', async () => {
    const answer = 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfake'
    const proxyUrl = await speaking((socket) => socket.write(answer))
    await expect(clientOf({ proxyUrl }).exchange(get('http://127.0.0.1:1/'))).rejects.toMatchObject(failing)
  })

  test('because it is not there', async () => {
    const asked = clientOf({ proxyUrl: 'http://127.0.0.1:1' }).exchange(get('http://127.0.0.1:2/'))
    await expect(asked).rejects.toMatchObject({ ...failing, code: 'ECONNREFUSED' })
  })

  test('because nobody vouches for its certificate', async () => {
    const proxy = await proxyOf({ tls: await selfSigned() })
    const asked = clientOf({ proxyUrl: proxy.url }).exchange(get('http://127.0.0.1:1/'))
    await expect(asked).rejects.toMatchObject({ ...failing, code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  })

  test('because it hangs, also where it sends a byte now and then, is given up in time', async () => {
    const proxy = await proxyOf()
    proxy.fail('hang')
    const trickling = await speaking((socket: Socket) => {
      const drop = setInterval(() => socket.write('H'), 50)
      socket.once('close', () => clearInterval(drop))
    })
    for (const proxyUrl of [proxy.url, trickling]) {
      const asked = clientOf({ proxyUrl, connectTimeoutMs: 300 }).exchange(get('http://127.0.0.1:1/'))
      await expect(asked).rejects.toMatchObject(failing)
    }
  })

  test('because its own address is refused, by what it says and by where its name leads', async () => {
    const proxy = await proxyOf()
    const proxyPolicy = addressPolicy({ allowHttp: true })
    for (const proxyUrl of [proxy.url, proxy.url.replace('127.0.0.1', 'localhost')]) {
      const asked = clientOf({ proxyUrl, proxyPolicy }).exchange(get('http://127.0.0.1:1/'))
      await expect(asked).rejects.toMatchObject(failing)
    }
    expect(proxy.asked).toEqual([])
  })
})
