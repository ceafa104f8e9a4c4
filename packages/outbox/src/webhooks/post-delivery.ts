import type { KeyObject } from 'node:crypto'
import type { Clock } from '@chancela/service-kernel/clock'
import {
  type AddressPolicy,
  createHttpClient,
  type Destination,
  type HttpAnswer,
  type HttpClient,
  HttpProblem,
} from '@chancela/service-kernel/http-client'
import { type AccessTokens, openAccessTokens, TokenRefused } from './access-tokens.ts'
import { retryAfterSeconds } from './delivery-schedule.ts'
import type { EndpointAccess, EndpointKeys } from './endpoints.ts'
import { reason } from './reason-texts.ts'
import { signedHeaders, signingKey } from './signed-headers.ts'
import type { AuthType, EndpointRow } from './tables.ts'

/** Address and headers of an endpoint's deliveries, computed once. */
export interface Target {
  readonly endpointId: string
  /** Parsed and checked once: the policy may have changed since the URL was saved. */
  readonly destination: Destination
  readonly headers: Readonly<Record<string, string>>
  readonly signingKeys: readonly KeyObject[]
  readonly access: EndpointAccess
  readonly client: HttpClient
}

/** One POST to a receiver. */
interface Post {
  /** Stable id of the event. */
  readonly eventId: string
  readonly body: string
}

/** The result. */
export interface PostOutcome {
  readonly delivered: boolean
  readonly status: number | null
  /** Why it was not delivered, in one sentence. */
  readonly error: string | null
  /** The beginning of the response. */
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
  /** Milliseconds to connect. Default 5000. */
  readonly connectMs?: number
  /** Milliseconds until the head of the answer is there, connection included. Default 20000. */
  readonly totalMs?: number
  readonly proxyUrl?: string
  /** Whether the body is signed, in headers of its own. Default true. */
  readonly signs?: boolean
}

/** Sends deliveries over keep-alive connections. */
export interface Poster {
  target(row: EndpointRow, keys: EndpointKeys): Target
  post(target: Target, post: Post): Promise<PostOutcome>
  close(): Promise<void>
}

const CONNECT_MS = 5_000
const TOTAL_MS = 20_000
/** The head of an answer says what became of a delivery; its body is for the log, and has so many milliseconds. */
const BODY_MS = 2_000
/** Of an answer, so much is read and so much is kept: a receiver that sends gigabytes is cut off. */
const READ_BYTES = 64 * 1024
const KEPT_CHARACTERS = 2_000

/** Opens a poster; the policy checks every address at connection time. */
export function openPoster(options: PosterOptions): Poster {
  const { policy, clock, connectMs = CONNECT_MS, totalMs = TOTAL_MS, proxyUrl, signs = true } = options
  // As many connections as attempts: each endpoint's line limits those, and receivers on one host must not wait for
  // each other.
  const open = (tls: EndpointAccess['tls']) =>
    createHttpClient({
      policy,
      connectTimeoutMs: connectMs,
      deadlineMs: totalMs,
      maxAnswerBytes: READ_BYTES,
      proxyUrl,
      tls,
    })
  const shared = open(undefined)
  const own = clientsOfEndpoints(open)
  const tokens = openAccessTokens({ clock, client: shared, totalMs })
  return {
    target: (row, keys) => targetOf(row, keys, keys.access.tls ? own.of(row, keys.access.tls) : shared),
    post: (target, post) => attempt({ tokens, clock, signs }, target, post),
    close: async () => {
      await Promise.all([shared, ...own.all()].map((client) => client.close()))
    },
  }
}

/** Connections with a client certificate are not shared between endpoints. */
function clientsOfEndpoints(open: (tls: EndpointAccess['tls']) => HttpClient) {
  const clients = new Map<string, { readonly updatedAt: string; readonly client: HttpClient }>()
  return {
    of: ({ id, updated_at }: EndpointRow, tls: EndpointAccess['tls']): HttpClient => {
      const known = clients.get(id)
      if (known?.updatedAt === updated_at) return known.client
      void known?.client.retire()
      const client = open(tls)
      clients.set(id, { updatedAt: updated_at, client })
      return client
    },
    all: () => [...clients.values()].map(({ client }) => client),
  }
}

function targetOf(row: EndpointRow, keys: EndpointKeys, client: HttpClient): Target {
  return {
    endpointId: row.id,
    destination: client.destination(row.url),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Chancela-Webhooks/1',
      ...authHeaders[row.auth_type](keys.token ?? ''),
    },
    signingKeys: keys.signingSecrets.map(signingKey),
    access: keys.access,
    client,
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
  readonly signs: boolean
}

async function attempt(
  { tokens, clock, signs }: Dependencies,
  target: Target,
  { eventId, body }: Post,
): Promise<PostOutcome> {
  const begun = performance.now()
  const { destination, access, endpointId, client } = target
  // Without a valid address no token is requested either.
  if (destination.refusal !== undefined) return refused(destination.refusal, begun)
  try {
    const token = access.oauth2 && (await tokens.of(endpointId, access.oauth2))
    const headers = {
      ...target.headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(signs && signedHeaders({ id: eventId, at: clock(), body }, target.signingKeys)),
    }
    const answer = await client.exchange({ method: 'POST', url: destination, headers, body, bodyWithinMs: BODY_MS })
    // A token may be withdrawn before its time: the next attempt asks for another.
    if (answer.status === 401) tokens.forget(endpointId)
    return judged(answer, clock, begun)
  } catch (error) {
    return failed(error, begun)
  }
}

const since = (begun: number): number => Math.round(performance.now() - begun)

const beginningOf = (body: Buffer): string =>
  body.length === 0 ? '' : body.toString('utf8').replaceAll('\u0000', '\uFFFD').slice(0, KEPT_CHARACTERS)

const IMPATIENT: readonly number[] = [429, 502, 503, 504]

function judged({ status, headers, body }: HttpAnswer, clock: Clock, begun: number): PostOutcome {
  const answer = beginningOf(body)
  const durationMs = since(begun)
  const delivered = status >= 200 && status < 300
  if (delivered) return { delivered, status, error: null, answer, durationMs, needsPatience: false, gone: false }
  const seconds = retryAfterSeconds([headers['retry-after']].flat()[0], clock())
  return {
    delivered,
    status,
    error: reason('answered', { status }),
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
  const kind = error instanceof HttpProblem ? error.kind : undefined
  const { code, message } = error as Error & { code?: string }
  if (kind === 'address-refused' || error instanceof TokenRefused) return refused(message, begun)
  const timedOut = kind === 'deadline'
  const said = timedOut ? reason('late') : reason('no-answer', { code: code ?? message })
  return { ...noAnswer, error: said, durationMs: since(begun), needsPatience: timedOut }
}
