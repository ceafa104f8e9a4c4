import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from 'undici'
import type { Clock } from '../clock/index.ts'
import type { AddressPolicy } from './address-policy.ts'
import { retryAfterSeconds } from './delivery-schedule.ts'
import type { EndpointKeys } from './endpoints.ts'
import { signedHeaders } from './signed-headers.ts'
import type { AuthType } from './tables.ts'

/** One POST to a receiver. */
interface Post {
  readonly url: string
  readonly authType: AuthType
  readonly keys: EndpointKeys
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
  /** Connections kept to one receiver. Default 64. */
  readonly connections?: number
}

/** Sends deliveries over connections that stay open. */
export interface Poster {
  post(post: Post): Promise<PostOutcome>
  close(): Promise<void>
}

const CONNECT_MS = 5_000
const TOTAL_MS = 20_000
const CONNECTIONS = 64
/** Of an answer, so much is read and so much is kept: a receiver that sends gigabytes is cut off. */
const READ_BYTES = 64 * 1024
const KEPT_CHARACTERS = 2_000

/** Opens a poster; every name it connects to is judged by the policy at the moment of the connection. */
export function openPoster(options: PosterOptions): Poster {
  const { policy, clock, connectMs = CONNECT_MS, totalMs = TOTAL_MS, connections = CONNECTIONS } = options
  const agent = new Agent({
    connections,
    pipelining: 1,
    connect: { timeout: connectMs, lookup: guardedLookup(policy) },
    headersTimeout: totalMs,
    bodyTimeout: totalMs,
  })
  return {
    post: (post) => attempt({ agent, policy, clock, totalMs }, post),
    close: () => agent.destroy(),
  }
}

interface Means {
  readonly agent: Agent
  readonly policy: AddressPolicy
  readonly clock: Clock
  readonly totalMs: number
}

async function attempt(means: Means, post: Post): Promise<PostOutcome> {
  const begun = performance.now()
  const outcome = await send(means, post).catch(failed)
  return { ...outcome, durationMs: Math.round(performance.now() - begun) }
}

type Came = Omit<PostOutcome, 'durationMs'>

async function send({ agent, policy, clock, totalMs }: Means, post: Post): Promise<Came> {
  // A literal address is never looked up, and the rules may have changed since the URL was saved.
  const refusal = policy.refusesUrl(post.url)
  if (refusal !== undefined) return refused(refusal)
  const { statusCode, headers, body } = await request(post.url, {
    dispatcher: agent,
    method: 'POST',
    headers: headersOf(post, clock()),
    body: post.body,
    signal: AbortSignal.timeout(totalMs),
  })
  const answer = await beginningOf(body)
  return judged(statusCode, headers['retry-after'], answer, clock())
}

function headersOf({ authType, keys, eventId, body }: Post, at: Date): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Chancela-Webhooks/1',
    ...authHeader(authType, keys.token),
    ...signedHeaders({ id: eventId, at, body }, keys.signingSecrets),
  }
}

const authHeaders: Readonly<Record<AuthType, (token: string) => Record<string, string>>> = {
  NoAuth: () => ({}),
  Basic: (token) => ({ authorization: `Basic ${token}` }),
  Bearer: (token) => ({ authorization: `Bearer ${token}` }),
  ApiKey: (token) => ({ 'x-api-key': token }),
}

const authHeader = (type: AuthType, token: string | null): Record<string, string> => authHeaders[type](token ?? '')

async function beginningOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const pieces: Buffer[] = []
  let read = 0
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece)
    read += piece.length
    if (read >= READ_BYTES) break // leaving the loop ends the connection
  }
  return Buffer.concat(pieces).toString('utf8').replaceAll('\u0000', '\uFFFD').slice(0, KEPT_CHARACTERS)
}

const IMPATIENT: readonly number[] = [429, 502, 503, 504]

function judged(status: number, retryAfter: string | string[] | undefined, answer: string, now: Date): Came {
  const delivered = status >= 200 && status < 300
  const seconds = retryAfterSeconds([retryAfter].flat()[0], now)
  return {
    delivered,
    status,
    error: delivered ? null : `The receiver answered ${status}.`,
    answer,
    needsPatience: IMPATIENT.includes(status),
    ...(seconds !== undefined && !delivered && { retryAfter: seconds }),
    gone: status === 410,
  }
}

const noAnswer = { delivered: false, status: null, answer: null, gone: false } as const

const refused = (error: string): Came => ({ ...noAnswer, error, needsPatience: false })

const TIMEOUTS: readonly unknown[] = ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']

function failed(error: unknown): Came {
  if (error instanceof AddressRefused) return refused(error.message)
  const { name, code, message } = error as Error & { code?: string }
  const timedOut = name === 'TimeoutError' || TIMEOUTS.includes(code)
  const said = timedOut ? 'The receiver did not answer in time.' : `No answer: ${code ?? message}.`
  return { ...noAnswer, error: said, needsPatience: timedOut }
}

/** A name leads to an address webhooks are not sent to. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/**
 * Resolves a name and hands on the addresses only if the policy takes every one of them: the connection is made to
 * these, so that an answer that changes between the check and the connection changes nothing.
 */
function guardedLookup(policy: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    const all: LookupAllOptions = { ...options, all: true }
    lookup(hostname, all, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const refusal = refusalOf(policy, hostname, addresses)
      if (refusal !== undefined) return callback(new AddressRefused(refusal), '', 0)
      if (options.all) return callback(null, addresses)
      return callback(null, addresses[0]!.address, addresses[0]!.family)
    })
  }
}

const refusalOf = (policy: AddressPolicy, host: string, addresses: readonly LookupAddress[]): string | undefined =>
  addresses.map(({ address }) => policy.refusesAddress(host, address)).find((refusal) => refusal !== undefined)
