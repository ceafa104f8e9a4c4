// The client of all outgoing calls: every call has a deadline, every response a size limit, and with a policy no call
// goes to an address it refuses. Redirects are not followed unless asked for: they would carry secrets elsewhere.
import { Agent, type Dispatcher } from 'undici'
import { LruCache } from '../concurrency/index.ts'
import type { AddressPolicy } from './address-policy.ts'
import { guardedConnect } from './guarded-connect.ts'
import { HttpProblem } from './http-problem.ts'
import type { HttpRequest } from './http-request.ts'
import { type AnswerLimits, ArrivingAnswer, type HttpAnswer, type HttpArrival, WholeAnswer } from './pending-answer.ts'
import { redirectedRequest } from './redirects.ts'

export interface HttpClientOptions {
  /** Checks every URL, and every address of a connection. Left out where only the operator sets the address. */
  readonly policy?: AddressPolicy
  /** Milliseconds to connect. */
  readonly connectTimeoutMs: number
  /** Default deadline of a call in milliseconds, connecting, redirects and body included. */
  readonly deadlineMs: number
  /** Default limit of a response's body, in bytes. */
  readonly maxAnswerBytes: number
  /** The proxy every connection goes through: `http://host:port`. */
  readonly proxyUrl?: string | undefined
  /** The client certificate, and the authorities trusted instead of Node's. */
  readonly tls?: TlsMaterial | undefined
  /** Connections to one server. Default: as many as calls, which the callers limit. */
  readonly connections?: number
  /** Milliseconds an idle connection is kept where the server does not say. Default 4000. */
  readonly keepAliveMs?: number
  /** Redirects that are followed. Default 0. */
  readonly redirects?: number
}

interface TlsMaterial {
  readonly cert?: string
  readonly key?: string
  readonly ca?: string
}

/** Every method throws only HttpProblem for failures of the other side or the network. */
export interface HttpClient {
  /** One complete response, of any status. */
  exchange(request: HttpRequest): Promise<HttpAnswer>
  /**
   * One response as a stream. The deadline applies to its head, and to every pause after it: how fast a body is read is
   * up to its reader. No redirect is followed.
   */
  stream(request: HttpRequest): Promise<HttpArrival>
  /** Lets calls in progress finish. */
  retire(): Promise<void>
  /** Aborts calls in progress. */
  close(): Promise<void>
}

/** A client with keep-alive connections of its own. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const agent = openAgent(options)
  const judge = judgedOnce(options.policy)
  const limitsOf = (request: HttpRequest): AnswerLimits => ({
    until: performance.now() + (request.deadlineMs ?? options.deadlineMs),
    signal: request.signal,
    maxAnswerBytes: request.maxAnswerBytes ?? options.maxAnswerBytes,
    bodyWithinMs: request.bodyWithinMs,
  })
  return {
    exchange: async (request) => {
      const limits = limitsOf(request)
      let next = request
      for (let left = options.redirects ?? 0; ; left--) {
        const url = admitted(next.url, judge)
        const answer = await dispatched(agent, dispatchOptions(next, url), new WholeAnswer(limits))
        const led = options.redirects ? redirectedRequest(next, url, answer) : undefined
        if (!led) return answer
        if (left === 0) throw new HttpProblem('too-many-redirects', { wasSent: true, status: answer.status })
        next = led
      }
    },
    stream: async (request) => {
      const bodyTimeout = request.deadlineMs ?? options.deadlineMs
      const sent = { ...dispatchOptions(request, admitted(request.url, judge)), bodyTimeout }
      return dispatched(agent, sent, new ArrivingAnswer(limitsOf(request)))
    },
    retire: () => agent.close(),
    close: () => agent.destroy(),
  }
}

function openAgent({ policy, connectTimeoutMs, proxyUrl, tls, connections, keepAliveMs }: HttpClientOptions): Agent {
  return new Agent({
    connections: connections ?? null,
    pipelining: 1,
    connect: guardedConnect({ policy, timeout: connectTimeoutMs, proxyUrl, tls }),
    // Each call enforces its own deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(keepAliveMs !== undefined && { keepAliveTimeout: keepAliveMs }),
  })
}

type Judge = (url: URL) => string | undefined

/** Most recently called origins that are cached. */
const JUDGED_ORIGINS = 1024

/**
 * A literal address is never resolved, and responses name further addresses: each URL is checked before it is called.
 * The policy depends on nothing but origin and credentials, and most clients call one origin all day: it is cached.
 */
function judgedOnce(policy: AddressPolicy | undefined): Judge {
  if (!policy) return () => undefined
  const judged = new LruCache<string, { readonly refusal: string | undefined }>(JUDGED_ORIGINS)
  return ({ origin, username, password, href }) => {
    if (username !== '' || password !== '') return policy.refusesUrl(href)
    const known = judged.get(origin)
    if (known) return known.refusal
    const refusal = policy.refusesUrl(href)
    judged.set(origin, { refusal })
    return refusal
  }
}

function admitted(address: string | URL, judge: Judge): URL {
  const url = typeof address === 'string' ? parsed(address) : address
  const refusal = url?.protocol === 'http:' || url?.protocol === 'https:' ? judge(url) : NO_ADDRESS
  if (!url || refusal !== undefined) throw new HttpProblem('address-refused', { sentence: refusal })
  return url
}

const NO_ADDRESS = 'It is not an absolute http or https URL.'

const parsed = (address: string): URL | undefined => (URL.canParse(address) ? new URL(address) : undefined)

const dispatchOptions = ({ method, headers = {}, body }: HttpRequest, url: URL): Dispatcher.DispatchOptions => ({
  origin: url.origin,
  path: `${url.pathname}${url.search}`,
  method,
  headers,
  body: (body ?? null) as string | null,
})

function dispatched<Answer>(
  agent: Agent,
  request: Dispatcher.DispatchOptions,
  pending: Dispatcher.DispatchHandler & { readonly promise: Promise<Answer>; readonly isOver: boolean },
): Promise<Answer> {
  if (!pending.isOver) agent.dispatch(request, pending)
  return pending.promise
}
