// The only door to providers. Redirects are not followed (they would carry secrets elsewhere), addresses are judged at
// the moment of the connection, every call has a deadline and every answer a size.
import {
  addressPolicy,
  createHttpClient,
  type HttpAnswer,
  HttpProblem,
  type HttpProblemKind,
  type HttpRequest,
} from '@chancela/service-kernel/http-client'
import { problemOfAnswer, type Shown } from './answer-problems.ts'
import { ProviderProblem, type ProviderProblemKind } from './provider-problem.ts'

/** One call of a provider. */
export interface ProviderCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** The access token, sent as `Authorization: Bearer`. */
  readonly bearer?: string
  /** The body, as a form or as JSON. */
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** What the provider is shown: it decides what a refusal is about. */
  readonly shown: Shown
  /** Milliseconds for everything, a second attempt included. */
  readonly deadline: number
  readonly signal?: AbortSignal | undefined
  /** Whether asking twice changes nothing at the provider. */
  readonly safe?: boolean
  /** What a well answer holds: JSON by default, `text` where it may be that instead, `anything` where nobody minds. */
  readonly reads?: 'json' | 'text' | 'anything'
  /** What an answer that is not 2xx means; default what most providers mean by it. */
  readonly problemOf?: typeof problemOfAnswer
}

/** A well answer: its status is 2xx. */
interface ProviderAnswer {
  readonly status: number
  /** What its JSON says; the text where it is none and was asked for; else nothing. */
  readonly body: unknown
}

export interface Exchange {
  /** Throws `ProviderProblem`, and nothing else, for what the provider does. */
  send(call: ProviderCall): Promise<ProviderAnswer>
  /** Lets calls under way finish. */
  retire(): Promise<void>
  /** Cuts calls under way off. */
  close(): Promise<void>
}

export interface ExchangeOptions {
  /** Hosts that may be called although they are not public, and without TLS. */
  readonly allowedHosts: readonly string[]
  readonly maxResponseBytes: number
  /** Milliseconds until a connection stands. */
  readonly connectTimeout: number
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string }
}

/** A client must have one; every call of a provider says its own. */
const DEADLINE_MS = 30_000

/** Opens a door to one provider, with connections of its own that stay open. */
export function openExchange({ allowedHosts, maxResponseBytes, connectTimeout, tls }: ExchangeOptions): Exchange {
  const client = createHttpClient({
    policy: addressPolicy({ allowed: allowedHosts }),
    connectTimeoutMs: connectTimeout,
    deadlineMs: DEADLINE_MS,
    maxAnswerBytes: maxResponseBytes,
    tls,
  })
  return {
    async send(call) {
      const until = performance.now() + call.deadline
      const attempt = () => client.exchange(requestOf(call, until - performance.now())).catch(told)
      try {
        return wellAnswer(call, await attempt())
      } catch (error) {
        if (!mayRepeat(call, error)) throw error
        return wellAnswer(call, await attempt())
      }
    },
    retire: () => client.retire(),
    close: () => client.close(),
  }
}

function requestOf(
  { method, url, headers, bearer, form, json, signal }: ProviderCall,
  deadlineMs: number,
): HttpRequest {
  return {
    method,
    url,
    headers: {
      accept: 'application/json',
      'user-agent': 'Chancela-Cloud-Hub/1',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
    body: form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json),
    signal,
    deadlineMs,
  }
}

/** What it is called once the request was on its way; until then the provider cannot have done anything. */
const problemsOfSent: Readonly<Record<HttpProblemKind, ProviderProblemKind>> = {
  'address-refused': 'unavailable',
  unreachable: 'unavailable',
  untrusted: 'unavailable',
  deadline: 'timeout',
  aborted: 'timeout',
  lost: 'lost',
  'broken-answer': 'garbage',
  'too-large': 'garbage',
  'too-many-redirects': 'garbage',
}

function told(error: unknown): never {
  if (!(error instanceof HttpProblem)) throw error
  const { kind, wasSent, code, status } = error
  const diagnosis = diagnosisOf(error)
  throw new ProviderProblem(wasSent ? problemsOfSent[kind] : 'unavailable', {
    ...(code !== undefined && { code }),
    ...(kind === 'too-large' && status !== undefined && { status }),
    ...(diagnosis !== undefined && { diagnosis }),
  })
}

function diagnosisOf({ kind, wasSent, code, message }: HttpProblem): string | undefined {
  if (code !== undefined) return `${code}: ${message}`
  if (kind !== 'deadline' && kind !== 'aborted') return message
  return wasSent ? undefined : 'No connection came about in time.'
}

/** Reads an answer, whatever content type it claims. */
function wellAnswer(
  { shown, reads = 'json', problemOf = problemOfAnswer }: ProviderCall,
  { status, body: bytes }: HttpAnswer,
): ProviderAnswer {
  const body = jsonOf(bytes)
  if (status < 200 || status > 299) throw problemOf(status, body ?? bytes.toString('utf8'), shown)
  if (body === undefined && reads === 'json')
    throw new ProviderProblem('garbage', { status, diagnosis: 'The answer is not JSON.' })
  return { status, body: body ?? (reads === 'text' ? bytes.toString('utf8') : undefined) }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return undefined // told as an answer that is not JSON
  }
}

/** No connection came about: whatever the call is, it may be made again. */
const unconnected: readonly (string | undefined)[] = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Once more, where nothing was sent or where it changes nothing; a signature that may have been made is never asked again. */
function mayRepeat({ safe = false, signal }: ProviderCall, error: unknown): boolean {
  if (!(error instanceof ProviderProblem) || signal?.aborted) return false
  if (error.kind === 'unavailable') return unconnected.includes(error.code)
  return safe && (error.kind === 'lost' || (error.kind === 'garbage' && (error.status ?? 0) >= 500))
}
