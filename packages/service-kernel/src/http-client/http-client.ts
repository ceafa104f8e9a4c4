// The client of all outgoing calls: every call has a deadline, every response a size limit, and with a policy no call
// goes to an address it refuses. Redirects are not followed unless asked for: they would carry secrets elsewhere.
import { Agent, type Dispatcher } from 'undici'
import type { AddressPolicy } from './address-policy.ts'
import { admitted, type Destination, destinationOf, judgedOnce } from './destination.ts'
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
  /** The proxy every connection goes through: `http://user:password@host:port`, or https. Default: none, whatever the environment says. */
  readonly proxyUrl?: string | undefined
  /** Checks the addresses of the proxy. Default: none is refused. */
  readonly proxyPolicy?: AddressPolicy | undefined
  /** Whether the proxy resolves names, which are then checked only as they are written. Default: they are resolved here. */
  readonly proxyResolves?: boolean | undefined
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
  /** Parses and checks an address that will be called again and again. */
  destination(address: string | URL): Destination
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
    deadlineMs: request.deadlineMs ?? options.deadlineMs,
    signal: request.signal,
    maxAnswerBytes: request.maxAnswerBytes ?? options.maxAnswerBytes,
    bodyWithinMs: request.bodyWithinMs,
  })
  // Not async: the promises of one that returns another's cost a small call several turns.
  const once: HttpClient['exchange'] = (request) => {
    try {
      const sent = dispatchOptions(request, admitted(request.url, judge))
      return dispatched(agent, sent, new WholeAnswer(limitsOf(request)))
    } catch (problem) {
      return Promise.reject(problem)
    }
  }
  const following: HttpClient['exchange'] = async (request) => {
    const until = performance.now() + (request.deadlineMs ?? options.deadlineMs)
    let next: HttpRequest = request
    for (let left = options.redirects ?? 0; ; left--) {
      const destination = admitted(next.url, judge)
      const limits = { ...limitsOf(next), deadlineMs: until - performance.now() }
      const answer = await dispatched(agent, dispatchOptions(next, destination), new WholeAnswer(limits))
      const led = redirectedRequest(next, destination.url, answer)
      if (!led) return answer
      if (left === 0) throw new HttpProblem('too-many-redirects', { wasSent: true, status: answer.status })
      next = led
    }
  }
  return {
    exchange: options.redirects ? following : once,
    destination: (address) => destinationOf(address, judge),
    stream: async (request) => {
      const bodyTimeout = request.deadlineMs ?? options.deadlineMs
      const sent = { ...dispatchOptions(request, admitted(request.url, judge)), bodyTimeout }
      return dispatched(agent, sent, new ArrivingAnswer(limitsOf(request)))
    },
    retire: () => agent.close(),
    close: () => agent.destroy(),
  }
}

function openAgent(options: HttpClientOptions): Agent {
  const { policy, connectTimeoutMs, proxyUrl, proxyPolicy, proxyResolves, tls, connections, keepAliveMs } = options
  return new Agent({
    connections: connections ?? null,
    pipelining: 1,
    connect: guardedConnect({ policy, timeout: connectTimeoutMs, proxyUrl, proxyPolicy, proxyResolves, tls }),
    // Each call enforces its own deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(keepAliveMs !== undefined && { keepAliveTimeout: keepAliveMs }),
  })
}

const dispatchOptions = ({ method, headers = {}, body }: HttpRequest, to: Destination): Dispatcher.DispatchOptions => ({
  origin: to.origin,
  path: to.path,
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
