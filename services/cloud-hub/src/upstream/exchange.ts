// All calls to providers. Redirects are not followed (they would send secrets elsewhere), addresses are checked when
// connecting, every call has a deadline and every answer a size limit.
import { answered, type CheckResult } from '@chancela/service-kernel/health'
import {
  type AddressPolicy,
  addressPolicy,
  createHttpClient,
  type Destination,
  type HttpAnswer,
  HttpProblem,
  type HttpProblemKind,
  type HttpRequest,
} from '@chancela/service-kernel/http-client'
import { type Finding, type FindingCode, finding } from '../contract/provider-findings.ts'
import { problemOfAnswer, type Shown } from './answer-problems.ts'
import { ProviderProblem, type ProviderProblemKind } from './provider-problem.ts'

/** One call to a provider. */
export interface ProviderCall {
  readonly method: 'GET' | 'POST'
  /** One that is called again and again as a destination: it is parsed and checked once. */
  readonly url: string | Destination
  readonly headers?: Readonly<Record<string, string>>
  /** The access token, sent as `Authorization: Bearer`. */
  readonly bearer?: string
  /** The body, as a form or as JSON. */
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** What the call presents to the provider: it decides what a refusal is about. */
  readonly shown: Shown
  /** Milliseconds for the whole call, including a retry. */
  readonly deadline: number
  readonly signal?: AbortSignal | undefined
  /** Whether repeating the call changes nothing at the provider. */
  readonly safe?: boolean
  /** Expected body of a successful answer: JSON by default, `text` for JSON or text, `anything` to ignore it. */
  readonly reads?: 'json' | 'text' | 'anything'
  /** Meaning of an answer that is not 2xx; by default that of most providers. */
  readonly problemOf?: typeof problemOfAnswer
}

/** A successful answer: its status is 2xx. */
interface ProviderAnswer {
  readonly status: number
  /** The parsed JSON; the text where it is not JSON and `text` was requested; else undefined. */
  readonly body: unknown
}

export interface Exchange {
  /** Throws only `ProviderProblem` for failures of the provider. */
  send(call: ProviderCall): Promise<ProviderAnswer>
  /** An address that many calls go to. */
  destination(url: string): Destination
  /** Whether anybody answers at this address, without credentials besides the certificate of the connection. */
  reach(url: string, signal: AbortSignal): Promise<CheckResult>
  /** Waits for running calls. */
  retire(): Promise<void>
  /** Aborts running calls. */
  close(): Promise<void>
}

export interface ExchangeOptions {
  /** Hosts that may be called although they are not public, and without TLS. */
  readonly allowedHosts: readonly string[]
  readonly maxResponseBytes: number
  /** Connect timeout in milliseconds. */
  readonly connectTimeout: number
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string }
  /** What every call goes through. */
  readonly proxy?: ExchangeProxy
}

interface ExchangeProxy {
  /** With its credentials. */
  readonly url: string
  /** Judges its addresses. */
  readonly policy: AddressPolicy
  /** Whether it resolves names. */
  readonly resolves: boolean
}

/** The client requires a default; every call sets its own. */
const DEADLINE_MS = 30_000
const REACH_MS = 3_000

/** Opens an exchange with one provider, with keep-alive connections of its own. */
export function openExchange(options: ExchangeOptions): Exchange {
  const { allowedHosts, maxResponseBytes, connectTimeout, tls, proxy } = options
  const client = createHttpClient({
    policy: addressPolicy({ allowed: allowedHosts }),
    connectTimeoutMs: connectTimeout,
    deadlineMs: DEADLINE_MS,
    maxAnswerBytes: maxResponseBytes,
    tls,
    proxyUrl: proxy?.url,
    proxyPolicy: proxy?.policy,
    proxyResolves: proxy?.resolves,
  })
  const told = (error: unknown): never => {
    throw error instanceof HttpProblem ? providerProblemOf(error, proxy !== undefined) : error
  }
  return {
    async send(call) {
      const until = performance.now() + call.deadline
      const attempt = () =>
        client.exchange(requestOf(call, until - performance.now())).then((answer) => wellAnswer(call, answer), told)
      try {
        return await attempt()
      } catch (error) {
        if (!mayRepeat(call, error)) throw error
        return attempt()
      }
    },
    destination: (url) => client.destination(url),
    reach: async (url, signal) =>
      answered(await client.exchange({ method: 'HEAD', url, signal, deadlineMs: REACH_MS })),
    retire: () => client.retire(),
    close: () => client.close(),
  }
}

function requestOf(call: ProviderCall, deadlineMs: number): HttpRequest {
  const { method, url, form, json, signal } = call
  return {
    method,
    url,
    headers: headersOf(call),
    body: form ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json),
    signal,
    deadlineMs,
  }
}

function headersOf({ headers, bearer, form, json }: ProviderCall): Record<string, string> {
  const all: Record<string, string> = { accept: 'application/json', 'user-agent': 'Chancela-Cloud-Hub/1' }
  if (form) all['content-type'] = 'application/x-www-form-urlencoded'
  if (json !== undefined) all['content-type'] = 'application/json'
  if (bearer !== undefined) all.authorization = `Bearer ${bearer}`
  return headers ? Object.assign(all, headers) : all
}

/** Problem kinds after the request was sent; before that the provider cannot have done anything. */
const problemsOfSent: Readonly<Record<HttpProblemKind, ProviderProblemKind>> = {
  'address-refused': 'unavailable',
  unreachable: 'unavailable',
  proxy: 'proxy',
  untrusted: 'unavailable',
  deadline: 'timeout',
  aborted: 'timeout',
  lost: 'lost',
  'broken-answer': 'garbage',
  'too-large': 'garbage',
  'too-many-redirects': 'garbage',
}

function providerProblemOf(error: HttpProblem, isProxied: boolean): ProviderProblem {
  const { kind, wasSent, code, status } = error
  if (isFaultOfProxy(error, isProxied)) return proxyProblemOf(error)
  const diagnosis = diagnosisOf(error)
  const found = foundIn(error)
  return new ProviderProblem(wasSent ? problemsOfSent[kind] : 'unavailable', {
    ...(code !== undefined && { code }),
    ...(kind === 'too-large' && status !== undefined && { status }),
    ...(found !== undefined && { found }),
    ...(diagnosis !== undefined && { diagnosis }),
  })
}

/** With these a proxy says that it works, and the other side does not. */
const unreachedBehind: readonly (number | undefined)[] = [502, 503, 504]

/** A tunnel that takes longer than the whole call may is not told apart from one that fails. */
const isFaultOfProxy = ({ kind, wasSent, status }: HttpProblem, isProxied: boolean): boolean =>
  kind === 'proxy' ? !unreachedBehind.includes(status) : isProxied && kind === 'deadline' && !wasSent

const foundByProxyStatus: Readonly<Record<number, FindingCode>> = {
  403: 'proxy-forbids',
  407: 'proxy-wants-credentials',
}

/** A proxy that gave no answer has a code of the network, or was too slow. */
function proxyProblemOf({ kind, status, code, message }: HttpProblem): ProviderProblem {
  if (kind === 'deadline') return new ProviderProblem('proxy', { found: 'no-tunnel' })
  if (status !== undefined)
    return new ProviderProblem('proxy', { found: finding(foundByProxyStatus[status] ?? 'proxy-answered', { status }) })
  const found = code === undefined ? 'no-tunnel' : finding('network-code', { code })
  return new ProviderProblem('proxy', { found, diagnosis: code === undefined ? message : `${code}: ${message}` })
}

function diagnosisOf({ kind, wasSent, code, message }: HttpProblem): string | undefined {
  if (code !== undefined) return `${code}: ${message}`
  if (kind !== 'deadline' && kind !== 'aborted') return message
  return wasSent ? undefined : 'No connection came about in time.'
}

/** Codes of the network and of TLS with a sentence of their own. */
const foundByCode: readonly (readonly [codes: RegExp, found: FindingCode])[] = [
  [/^ECONNREFUSED$/, 'connection-refused'],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'name-unknown'],
  [/^(EHOSTUNREACH|ENETUNREACH)$/, 'no-way'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'connection-cut'],
  [/^CERT_HAS_EXPIRED$/, 'tls-expired'],
  [/^(ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH)$/, 'tls-other-name'],
  [/^(UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|INVALID_CA)/, 'tls-untrusted'],
]

const foundByKind: Readonly<Partial<Record<HttpProblemKind, FindingCode>>> = {
  'address-refused': 'address-refused',
  unreachable: 'no-connection',
  untrusted: 'no-tls',
  'broken-answer': 'answer-broken',
  'too-large': 'answer-too-long',
  'too-many-redirects': 'answer-leads-on',
}

function foundIn({ kind, wasSent, code, status }: HttpProblem): FindingCode | Finding | undefined {
  if (kind === 'proxy') return finding('proxy-reaches-nobody', status === undefined ? {} : { status })
  if (kind === 'deadline' || kind === 'aborted') return wasSent ? undefined : 'never-connected'
  if (code === undefined || kind === 'address-refused') return foundByKind[kind]
  return finding(foundByCode.find(([codes]) => codes.test(code))?.[1] ?? 'network-code', { code })
}

/** Reads an answer, regardless of its content type. */
function wellAnswer(
  { shown, reads = 'json', problemOf = problemOfAnswer }: ProviderCall,
  { status, body: bytes }: HttpAnswer,
): ProviderAnswer {
  const body = jsonOf(bytes)
  if (status < 200 || status > 299) throw problemOf(status, body ?? bytes.toString('utf8'), shown)
  if (body === undefined && reads === 'json') throw new ProviderProblem('garbage', { status, found: 'not-json' })
  return { status, body: body ?? (reads === 'text' ? bytes.toString('utf8') : undefined) }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch {
    return undefined // reported as an answer that is not JSON
  }
}

/** No connection was established: any call may be repeated. */
const unconnected: readonly (string | undefined)[] = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Retries if nothing was sent or repeating is safe; a signature that may have been made is never requested again. */
function mayRepeat({ safe = false, signal }: ProviderCall, error: unknown): boolean {
  if (!(error instanceof ProviderProblem) || signal?.aborted) return false
  if (error.kind === 'unavailable') return unconnected.includes(error.code)
  return safe && (error.kind === 'lost' || (error.kind === 'garbage' && (error.status ?? 0) >= 500))
}
