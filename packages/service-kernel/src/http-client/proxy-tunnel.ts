import { type ClientRequest, type RequestOptions, request } from 'node:http'
import { request as requestOverTls } from 'node:https'
import type { LookupFunction, Socket } from 'node:net'
import { PROXY_FAILED } from './http-problem.ts'

export interface Proxy {
  /** Its address, with the credentials for it. */
  readonly url: URL
  /** Why it must not be used, by what its address says. */
  readonly refusal: string | undefined
  readonly lookup: LookupFunction
  /** Milliseconds until the tunnel must be open. */
  readonly timeout: number
  /** The authorities trusted instead of Node's, where the proxy itself is reached over TLS. */
  readonly ca?: string | undefined
}

/** Why a proxy opened no tunnel. It keeps nothing else of the underlying error, which may hold the credentials. */
class ProxyFailed extends Error {
  override readonly name = PROXY_FAILED
  readonly code: string | undefined
  readonly status: number | undefined

  constructor(sentence: string, { code, status }: { readonly code?: string; readonly status?: number } = {}) {
    super(sentence)
    this.code = code
    this.status = status
  }
}

/** A connection to `host:port` through the proxy (RFC 9110 §9.3.6). */
export function openTunnel(proxy: Proxy, target: string): Promise<Socket> {
  if (proxy.refusal !== undefined) return Promise.reject(new ProxyFailed(proxy.refusal))
  return new Promise((resolve, reject) => {
    const asked = askedFor(proxy, target)
    // Not the timeout of an idle socket: a proxy must not win time by sending a byte now and then.
    const timer = setTimeout(() => asked.destroy(new ProxyFailed('the proxy did not answer in time')), proxy.timeout)
    asked.once('close', () => clearTimeout(timer))
    asked.once('connect', ({ statusCode: status = 0 }, socket, head) => {
      clearTimeout(timer)
      const isOpen = status >= 200 && status <= 299
      // Servers of HTTP and TLS do not speak first.
      if (isOpen && head.length === 0) return resolve(socket as Socket)
      socket.destroy()
      const sentence = isOpen ? 'the proxy sent more than its answer' : `the proxy answered ${status}`
      reject(new ProxyFailed(sentence, { status }))
    })
    asked.once('error', (error: Error & { code?: string }) => reject(failed(error)))
    asked.end()
  })
}

/** No agent: neither connections of others nor the environment's proxies are used. */
function askedFor({ url, lookup, ca }: Proxy, target: string): ClientRequest {
  const { protocol, hostname, port, username, password } = url
  const isSecured = protocol === 'https:'
  const options: RequestOptions = {
    method: 'CONNECT',
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port || (isSecured ? 443 : 80),
    path: target,
    headers: { host: target, ...(username !== '' && { 'proxy-authorization': basic(username, password) }) },
    lookup,
    agent: false,
  }
  return isSecured ? requestOverTls({ ...options, ca }) : request(options)
}

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${decodeURIComponent(user)}:${decodeURIComponent(password)}`).toString('base64')}`

const failed = (error: Error & { code?: string }): ProxyFailed =>
  error instanceof ProxyFailed
    ? error
    : new ProxyFailed('the proxy was not reached', error.code === undefined ? {} : { code: error.code })
