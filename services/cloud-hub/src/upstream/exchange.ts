// The only door to providers. Redirects are not followed (they would carry secrets elsewhere), addresses are judged at
// the moment of the connection, every call has a deadline and every answer a size.
import { addressPolicy, guardedConnect } from '@chancela/service-kernel/http-client'
import { Agent, type Dispatcher } from 'undici'
import { problemOfAnswer, type Shown } from './answer-problems.ts'
import { type RawAnswer, sendOnce } from './one-answer.ts'
import { ProviderProblem } from './provider-problem.ts'

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

/** Opens a door to one provider, with connections of its own that stay open. */
export function openExchange({ allowedHosts, maxResponseBytes, connectTimeout, tls }: ExchangeOptions): Exchange {
  const policy = addressPolicy({ allowed: allowedHosts })
  const refusalOf = judgedOnce((url) => policy.refusesUrl(url))
  const agent = new Agent({
    // As many connections as there are calls: how many these are, the hub's own limits say.
    connections: null,
    pipelining: 1,
    connect: guardedConnect({ policy, timeout: connectTimeout, ...(tls && { tls }) }),
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  return {
    async send(call) {
      const url = parsed(call.url)
      const refusal = refusalOf(url)
      if (refusal !== undefined) throw new ProviderProblem('unavailable', { diagnosis: refusal })
      const limits = { until: performance.now() + call.deadline, signal: call.signal, maxResponseBytes }
      const attempt = async () => wellAnswer(call, await sendOnce(agent, requestOf(call, url), limits))
      try {
        return await attempt()
      } catch (error) {
        if (!mayRepeat(call, error)) throw error
        return attempt()
      }
    },
    retire: () => agent.close(),
    close: () => agent.destroy(),
  }
}

function parsed(url: string): URL {
  if (!URL.canParse(url)) throw new ProviderProblem('unavailable', { diagnosis: 'Its address is not a URL.' })
  return new URL(url)
}

/** Origins of one provider that are remembered; there are one or two, and whoever names more pays for it. */
const JUDGED_ORIGINS = 16

/**
 * A literal address is never looked up, and CSC providers name further addresses themselves: each is judged before it is
 * called. The rules look at nothing but the origin, and a provider is called at the same one all day.
 */
function judgedOnce(judge: (url: string) => string | undefined): (url: URL) => string | undefined {
  const judged = new Map<string, string | undefined>()
  return ({ origin, username, password, href }) => {
    if (username !== '' || password !== '') return judge(href)
    if (judged.has(origin)) return judged.get(origin)
    const refusal = judge(href)
    if (judged.size < JUDGED_ORIGINS) judged.set(origin, refusal)
    return refusal
  }
}

function requestOf({ method, headers, bearer, form, json }: ProviderCall, url: URL): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: {
      accept: 'application/json',
      'user-agent': 'Chancela-Cloud-Hub/1',
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
    body: form ? new URLSearchParams(form).toString() : json === undefined ? null : JSON.stringify(json),
  }
}

/** Reads an answer, whatever content type it claims. */
function wellAnswer(
  { shown, reads = 'json', problemOf = problemOfAnswer }: ProviderCall,
  { status, bytes }: RawAnswer,
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
