import { setImmediate as nextTurn } from 'node:timers/promises'
import { Agent, type buildConnector, type Dispatcher, request as send } from 'undici'
import { requireArguments } from '../errors/arguments.ts'
import { refuseHttp } from './errors.ts'

/** One request to a server, with limits for its response. */
export interface HttpRequest {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Most bytes of the response's body; a longer one is refused, not truncated. */
  readonly maxBytes: number
  /** From the first byte sent to the last byte read, redirects included. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface HttpResponse {
  readonly status: number
  /** Names in lower case; of a repeated header the first value. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * The engine's only network access. Any status is a response (see `requireOk`); a failure is thrown as an EngineError
 * `http.*`.
 */
export type HttpExchange = (request: HttpRequest) => Promise<HttpResponse>

export interface HttpExchangeOptions {
  /**
   * Whether this address may be called. Certificates contain addresses, and anybody can make a certificate: a service
   * that validates untrusted files keeps the engine out of its own network here. Default: every http and https address.
   */
  readonly allowed?: (url: URL) => boolean
  /** How connections are made: for rules about the addresses that names resolve to. Default: no rules. */
  readonly connect?: buildConnector.connector
}

/** Redirects followed; real distribution points need one, for a moved host or for https. */
const MAX_REDIRECTS = 3

/** Connections kept per server: a batch calls the same authority repeatedly. */
const CONNECTIONS_PER_SERVER = 16

/** An exchange with connections of its own. */
export function createHttpExchange(options: HttpExchangeOptions = {}): HttpExchange {
  requireArguments('createHttpExchange', {}, options)
  const { allowed = () => true, connect } = options
  const agent = new Agent({ connections: CONNECTIONS_PER_SERVER, ...(connect && { connect }) })
  return async (request) => {
    requireArguments('exchange', { url: [request?.url, 'text'], timeoutMs: [request?.timeoutMs, 'number'] })
    const signal = signalOf(request)
    let url = addressOf(request.url, allowed)
    let headers = request.headers ?? {}
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await exchangeOnce(agent, { ...request, url: url.href, headers, signal })
      const next = redirectOf(answer, request)
      if (next === undefined) return answer
      const target = addressOf(new URL(next, url).href, allowed)
      // Credentials belong to the server they were given for; and https must not silently become http.
      if (target.origin !== url.origin) headers = withoutCredentials(headers)
      if (url.protocol === 'https:' && target.protocol === 'http:') throw refuseHttp('http.bad-address', { url: next })
      url = target
    }
    throw refuseHttp('http.too-many-redirects', { url: request.url, limit: MAX_REDIRECTS })
  }
}

/** The exchange everything uses unless told otherwise. */
export const exchangeOverHttp: HttpExchange = createHttpExchange()

/** The response, if its status is a success. */
export function requireOk(answer: HttpResponse, url: string): HttpResponse {
  if (answer.status < 200 || answer.status > 299)
    throw refuseHttp('http.refused-status', { url, status: answer.status })
  return answer
}

interface SingleRequest extends HttpRequest {
  readonly signal: AbortSignal
}

function signalOf({ timeoutMs, signal }: HttpRequest): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs)
  return signal ? AbortSignal.any([signal, timeout]) : timeout
}

function addressOf(text: string, allowed: (url: URL) => boolean): URL {
  const url = urlIn(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || !allowed(url)) {
    throw refuseHttp('http.bad-address', { url: text })
  }
  return url
}

async function exchangeOnce(agent: Agent, request: SingleRequest): Promise<HttpResponse> {
  // A kept connection may have been closed while this thread was busy, such as with hashing a large file: one turn, and
  // it is known. Repeating the call instead could pay for two timestamps.
  await nextTurn()
  try {
    const answer = await send(request.url, {
      dispatcher: agent,
      method: request.method,
      headers: request.headers ?? {},
      signal: request.signal,
      ...(request.body && { body: request.body }),
    })
    return { status: answer.statusCode, headers: flat(answer.headers), body: await bodyOf(answer, request) }
  } catch (error) {
    throw explained(error, request)
  }
}

class TooLarge extends Error {}

async function bodyOf(answer: Dispatcher.ResponseData, { maxBytes }: HttpRequest): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  if (Number(answer.headers['content-length'] ?? 0) > maxBytes) size = Infinity
  // Leaving the loop early closes the connection: the rest is not even read.
  for await (const part of answer.body) {
    size += part.length
    if (size > maxBytes) throw new TooLarge()
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const redirects = new Set([301, 302, 303, 307, 308])

/** The target of a redirect; a POST is repeated only where RFC 9110 §15.4 keeps the method (307, 308). */
function redirectOf({ status, headers }: HttpResponse, { method }: HttpRequest): string | undefined {
  if (!redirects.has(status) || (method === 'POST' && status < 307)) return undefined
  return headers.location
}

const withoutCredentials = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => !['authorization', 'cookie'].includes(name.toLowerCase())),
  )

const flat = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const first = Array.isArray(value) ? value[0] : value
      return first === undefined ? [] : [[name.toLowerCase(), first]]
    }),
  )

/** Classifies a failure by its cause: the caller, the timeout, the network, TLS, the server. */
function explained(error: unknown, { url, timeoutMs, maxBytes, signal }: SingleRequest) {
  const { code = '', message = String(error) } = error as { code?: string; message?: string }
  if (error instanceof TooLarge) return refuseHttp('http.too-large', { url, maxBytes })
  if (signal.aborted) {
    const timedOut = (signal.reason as { name?: string } | undefined)?.name === 'TimeoutError'
    return timedOut
      ? refuseHttp('http.timeout', { url, timeoutMs }, error)
      : refuseHttp('http.canceled', { url }, error)
  }
  const reason = code || message
  if (code.includes('TIMEOUT') || code === 'ETIMEDOUT') return refuseHttp('http.timeout', { url, timeoutMs }, error)
  if (isTlsCode(code)) return refuseHttp('http.tls', { url, reason }, error)
  if (unreachable.has(code)) return refuseHttp('http.unreachable', { url, reason }, error)
  return refuseHttp('http.broken', { url, reason }, error)
}

const unreachable = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])

// Node names TLS alerts and broken handshakes ERR_SSL_…/EPROTO, and a certificate it does not accept by OpenSSL's name.
const isTlsCode = (code: string): boolean =>
  /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/.test(code)

/** Not by `URL.canParse`: called often, Node 20 takes the bytes of a text with accents for UTF-8, and refuses it. */
function urlIn(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
