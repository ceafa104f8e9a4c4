// The one way out: every call has a deadline, every answer a size, and where a policy is given no call leads to an
// address it refuses. Redirects are not followed unless asked for: they would carry secrets elsewhere.
import { Agent, type Dispatcher } from 'undici'
import { LruCache } from '../concurrency/index.ts'
import type { AddressPolicy } from './address-policy.ts'
import { guardedConnect } from './guarded-connect.ts'
import { HttpProblem } from './http-problem.ts'
import type { HttpRequest } from './http-request.ts'
import { type AnswerLimits, ArrivingAnswer, type HttpAnswer, type HttpArrival, WholeAnswer } from './pending-answer.ts'
import { redirectedRequest } from './redirects.ts'

export interface HttpClientOptions {
  /** Judges every URL, and every address a connection is made to. Left out where the operator alone names the address. */
  readonly policy?: AddressPolicy
  /** Milliseconds until a connection stands. */
  readonly connectTimeoutMs: number
  /** Milliseconds for one answer, connection, redirects and body included, where the call does not say. */
  readonly deadlineMs: number
  /** Bytes of one answer's body, where the call does not say. */
  readonly maxAnswerBytes: number
  /** The proxy every connection goes through: `http://host:port`. */
  readonly proxyUrl?: string | undefined
  /** What this side shows in TLS, and whom it trusts instead of the authorities Node knows. */
  readonly tls?: TlsMaterial | undefined
  /** Connections to one server. Default: as many as there are calls, which the callers' own limits say. */
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

/** Every method throws HttpProblem, and nothing else, for what the other side or the network does. */
export interface HttpClient {
  /** One answer as a whole, whatever its status. */
  exchange(request: HttpRequest): Promise<HttpAnswer>
  /**
   * One answer while it arrives. The deadline is that of its head, and of every silence after it: how fast a body is
   * read is its reader's affair. No redirect is followed.
   */
  stream(request: HttpRequest): Promise<HttpArrival>
  /** Lets calls under way finish. */
  retire(): Promise<void>
  /** Cuts calls under way off. */
  close(): Promise<void>
}

/** A client with connections of its own that stay open. */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const agent = openAgent(options)
  const judge = judgedOnce(options.policy)
  const limitsOf = (request: HttpRequest): AnswerLimits => ({
    until: performance.now() + (request.deadlineMs ?? options.deadlineMs),
    signal: request.signal,
    maxAnswerBytes: request.maxAnswerBytes ?? options.maxAnswerBytes,
    overlong: request.overlong ?? 'refused',
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
    // The deadline of a call is kept by the call.
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(keepAliveMs !== undefined && { keepAliveTimeout: keepAliveMs }),
  })
}

type Judge = (url: URL) => string | undefined

/** Origins that are remembered, those called last. */
const JUDGED_ORIGINS = 1024

/**
 * A literal address is never looked up, and answers name further addresses: each URL is judged before it is called. The
 * rules look at nothing but the origin and credentials, and most clients call the same one all day.
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
