import type { KeyObject } from 'node:crypto'
import type { Clock } from '@chancela/service-kernel/clock'
import type { AddressPolicy } from '@chancela/service-kernel/http-client'
import { AddressRefused, guardedConnect } from '@chancela/service-kernel/http-client'
import { Agent, type Dispatcher } from 'undici'
import { type AccessTokens, openAccessTokens, TokenRefused } from './access-tokens.ts'
import { retryAfterSeconds } from './delivery-schedule.ts'
import type { EndpointAccess, EndpointKeys } from './endpoints.ts'
import { signedHeaders, signingKey } from './signed-headers.ts'
import type { AuthType, EndpointRow } from './tables.ts'

/** Where an endpoint's deliveries go and what they carry, worked out once. */
export interface Target {
  readonly endpointId: string
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly signingKeys: readonly KeyObject[]
  readonly access: EndpointAccess
  readonly dispatcher: Dispatcher
  /** Why nothing is sent there. */
  readonly refusal?: string
}

/** One POST to a receiver. */
interface Post {
  /** Stable id of the event. */
  readonly eventId: string
  readonly body: string
}

/** What came of it. */
export interface PostOutcome {
  readonly delivered: boolean
  readonly status: number | null
  /** Why it was not delivered, in one sentence. */
  readonly error: string | null
  /** The beginning of the answer. */
  readonly answer: string | null
  readonly durationMs: number
  readonly needsPatience: boolean
  readonly retryAfter?: number
  /** The receiver says that it is gone for good (410). */
  readonly gone: boolean
}

export interface PosterOptions {
  readonly policy: AddressPolicy
  readonly clock: Clock
  /** Milliseconds until a connection stands. Default 5000. */
  readonly connectMs?: number
  /** Milliseconds until the answer is there, connection included. Default 20000. */
  readonly totalMs?: number
  readonly proxyUrl?: string
}

/** Sends deliveries over connections that stay open. */
export interface Poster {
  target(row: EndpointRow, keys: EndpointKeys): Target
  post(target: Target, post: Post): Promise<PostOutcome>
  close(): Promise<void>
}

const CONNECT_MS = 5_000
const TOTAL_MS = 20_000
/** Of an answer, so much is read and so much is kept: a receiver that sends gigabytes is cut off. */
const READ_BYTES = 64 * 1024
const KEPT_CHARACTERS = 2_000

/** Opens a poster; every name it connects to is judged by the policy at the moment of the connection. */
export function openPoster(options: PosterOptions): Poster {
  const { policy, clock, connectMs = CONNECT_MS, totalMs = TOTAL_MS, proxyUrl } = options
  // As many connections as there are attempts: what limits these is each endpoint's line, and receivers on one host
  // must not wait for each other.
  const open = (tls: EndpointAccess['tls']) =>
    new Agent({
      connections: null,
      pipelining: 1,
      connect: guardedConnect({ policy, timeout: connectMs, ...(proxyUrl && { proxyUrl }), ...(tls && { tls }) }),
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  const shared = open(undefined)
  const agents = agentsOfEndpoints(open)
  const tokens = openAccessTokens({ policy, clock, dispatcher: shared, totalMs })
  return {
    target: (row, keys) => targetOf(row, keys, policy, keys.access.tls ? agents.of(row, keys.access.tls) : shared),
    post: (target, post) => attempt({ tokens, clock, totalMs }, target, post),
    close: async () => {
      await Promise.all([shared, ...agents.all()].map((agent) => agent.destroy()))
    },
  }
}

/** Connections of endpoints that show a certificate are nobody else's. */
function agentsOfEndpoints(open: (tls: EndpointAccess['tls']) => Agent) {
  const agents = new Map<string, { readonly updatedAt: string; readonly agent: Agent }>()
  return {
    of: ({ id, updated_at }: EndpointRow, tls: EndpointAccess['tls']): Agent => {
      const known = agents.get(id)
      if (known?.updatedAt === updated_at) return known.agent
      void known?.agent.close()
      const agent = open(tls)
      agents.set(id, { updatedAt: updated_at, agent })
      return agent
    },
    all: () => [...agents.values()].map(({ agent }) => agent),
  }
}

function targetOf(row: EndpointRow, keys: EndpointKeys, policy: AddressPolicy, dispatcher: Dispatcher): Target {
  const { origin, pathname, search } = new URL(row.url)
  // A literal address is never looked up, and the rules may have changed since the URL was saved.
  const refusal = policy.refusesUrl(row.url)
  return {
    endpointId: row.id,
    origin,
    path: `${pathname}${search}`,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Chancela-Webhooks/1',
      ...authHeaders[row.auth_type](keys.token ?? ''),
    },
    signingKeys: keys.signingSecrets.map(signingKey),
    access: keys.access,
    dispatcher,
    ...(refusal !== undefined && { refusal }),
  }
}

const authHeaders: Readonly<Record<AuthType, (token: string) => Record<string, string>>> = {
  NoAuth: () => ({}),
  Basic: (token) => ({ authorization: `Basic ${token}` }),
  Bearer: (token) => ({ authorization: `Bearer ${token}` }),
  ApiKey: (token) => ({ 'x-api-key': token }),
}

interface Dependencies {
  readonly tokens: AccessTokens
  readonly clock: Clock
  readonly totalMs: number
}

async function attempt(
  { tokens, clock, totalMs }: Dependencies,
  target: Target,
  { eventId, body }: Post,
): Promise<PostOutcome> {
  const begun = performance.now()
  const { refusal, access, endpointId, origin, path, dispatcher } = target
  if (refusal !== undefined) return refused(refusal, begun)
  try {
    const token = access.oauth2 && (await tokens.of(endpointId, access.oauth2))
    const headers = {
      ...target.headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...signedHeaders({ id: eventId, at: clock(), body }, target.signingKeys),
    }
    const answer = await exchange(dispatcher, { origin, path, method: 'POST', headers, body }, totalMs)
    // A token may be withdrawn before its time: the next attempt asks for another.
    if (answer.status === 401) tokens.forget(endpointId)
    return judged(answer, clock, begun)
  } catch (error) {
    return failed(error, begun)
  }
}

const since = (begun: number): number => Math.round(performance.now() - begun)

interface Answer {
  readonly status: number
  readonly retryAfter: string | string[] | undefined
  readonly answer: string
}

/** One request and the beginning of its answer, without the streams a general client makes for each. */
function exchange(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, totalMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const exchange = new Exchange(resolve, reject, totalMs)
    dispatcher.dispatch(options, exchange)
  })
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Answer) => void
  readonly #reject: (error: Error) => void
  readonly #timer: NodeJS.Timeout
  readonly #pieces: Buffer[] = []
  #read = 0
  #controller: Dispatcher.DispatchController | undefined
  #late: TimedOut | undefined
  #status = 0
  #retryAfter: string | string[] | undefined

  constructor(resolve: (answer: Answer) => void, reject: (error: Error) => void, totalMs: number) {
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(() => this.#giveUp(), totalMs)
  }

  #giveUp(): void {
    this.#late = new TimedOut()
    this.#controller?.abort(this.#late)
    this.#reject(this.#late)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#late) controller.abort(this.#late)
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status
    this.#retryAfter = headers['retry-after']
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#pieces.push(piece)
    this.#read += piece.length
    if (this.#read < READ_BYTES) return
    this.#end()
    controller.abort(new Error('The answer is too long.'))
  }

  onResponseEnd(): void {
    this.#end()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    clearTimeout(this.#timer)
    this.#reject(error)
  }

  #end(): void {
    clearTimeout(this.#timer)
    this.#resolve({ status: this.#status, retryAfter: this.#retryAfter, answer: beginningOf(this.#pieces) })
  }
}

/** The receiver took too long. */
class TimedOut extends Error {
  override readonly name = 'TimedOut'
}

const beginningOf = (pieces: readonly Buffer[]): string =>
  pieces.length === 0
    ? ''
    : Buffer.concat(pieces).toString('utf8').replaceAll('\u0000', '\uFFFD').slice(0, KEPT_CHARACTERS)

const IMPATIENT: readonly number[] = [429, 502, 503, 504]

function judged({ status, retryAfter, answer }: Answer, clock: Clock, begun: number): PostOutcome {
  const durationMs = since(begun)
  const delivered = status >= 200 && status < 300
  if (delivered) return { delivered, status, error: null, answer, durationMs, needsPatience: false, gone: false }
  const seconds = retryAfterSeconds([retryAfter].flat()[0], clock())
  return {
    delivered,
    status,
    error: `The receiver answered ${status}.`,
    answer,
    durationMs,
    needsPatience: IMPATIENT.includes(status),
    ...(seconds !== undefined && { retryAfter: seconds }),
    gone: status === 410,
  }
}

const noAnswer = { delivered: false, status: null, answer: null, gone: false } as const

const refused = (error: string, begun: number): PostOutcome => ({
  ...noAnswer,
  error,
  durationMs: since(begun),
  needsPatience: false,
})

function failed(error: unknown, begun: number): PostOutcome {
  if (error instanceof AddressRefused || error instanceof TokenRefused) return refused(error.message, begun)
  const { code, message } = error as Error & { code?: string }
  const timedOut = error instanceof TimedOut || code === 'UND_ERR_CONNECT_TIMEOUT'
  const said = timedOut ? 'The receiver did not answer in time.' : `No answer: ${code ?? message}.`
  return { ...noAnswer, error: said, durationMs: since(begun), needsPatience: timedOut }
}
