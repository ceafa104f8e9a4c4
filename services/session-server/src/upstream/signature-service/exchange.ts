import type { Readable } from 'node:stream'
import {
  createHttpClient,
  type HttpArrival,
  type HttpClient,
  HttpProblem,
  type HttpRequest,
  readWhole,
} from '@chancela/service-kernel/http-client'
import { SignerProblem } from './signer-problem.ts'

export interface ExchangeOptions {
  readonly endpoint: string
  readonly apiKey: string
  /** Timeout of one answer, from the start of its request. */
  readonly timeoutMs: number
  /** PEM of the authorities trusted instead of Node's. */
  readonly ca?: string | undefined
}

/** One request to the service. */
interface Ask {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Iterable<Uint8Array>
  readonly signal?: AbortSignal
  /** Whether the request may be repeated: it is, when a kept-alive connection turns out to be closed. */
  readonly isHarmless?: boolean
  /** Timeout of the answer, instead of that of every other. */
  readonly timeoutMs?: number
}

/** A file being received. */
export interface ArrivingBytes {
  readonly body: Readable
  readonly length: number | undefined
}

/** One request at a time per connection; connections stay open between requests. */
const KEEP_ALIVE_MS = 30_000
const CONNECT_MS = 10_000
/** Limit of answers read as a whole: document data, or an error. */
const ANSWER_BYTES = 4 * 1_048_576

/** Calls the service over keep-alive connections, each call with a deadline. Throws only SignerProblem. */
export class Exchange {
  readonly #client: HttpClient
  readonly #base: string
  readonly #apiKey: string
  readonly #timeoutMs: number

  constructor({ endpoint, apiKey, timeoutMs, ca }: ExchangeOptions) {
    // Without address restrictions, because only the operator configures the service; and without a connection limit,
    // because callers limit their concurrency.
    this.#client = createHttpClient({
      connectTimeoutMs: CONNECT_MS,
      deadlineMs: timeoutMs,
      maxAnswerBytes: ANSWER_BYTES,
      keepAliveMs: KEEP_ALIVE_MS,
      ...(ca !== undefined && { tls: { ca } }),
    })
    const { origin, pathname } = new URL(endpoint)
    this.#base = `${origin}${pathname.replace(/\/$/, '')}`
    this.#apiKey = apiKey
    this.#timeoutMs = timeoutMs
  }

  /** The JSON of a successful answer; undefined when it is empty. */
  async json(ask: Ask): Promise<unknown> {
    try {
      return await this.#json(ask)
    } catch (error) {
      if (!ask.isHarmless || !isDropped(error as Error)) throw error
      return this.#json(ask)
    }
  }

  async #json(ask: Ask): Promise<unknown> {
    const { status, body } = await this.#client.exchange(this.#request(ask)).catch(unanswered)
    const text = body.toString('utf8')
    if (status < 200 || status > 299) throw refusalOf(status, text)
    return text === '' ? undefined : parsed(text)
  }

  /** The bytes of a successful answer as a stream, with their length where it is given. */
  async bytes(ask: Ask): Promise<ArrivingBytes> {
    // A file is streamed and never buffered: its reader limits the length.
    const arriving = this.#client.stream({ ...this.#request(ask), maxAnswerBytes: Number.POSITIVE_INFINITY })
    const { status, headers, body } = await arriving.catch(unanswered)
    if (status === 200) return { body, length: lengthOf(headers) }
    const limits = { maxBytes: ANSWER_BYTES, deadlineMs: this.#timeoutMs }
    throw refusalOf(status, String(await readWhole(body, limits).catch(unanswered)))
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  #request({ method, path, headers, body, signal, timeoutMs }: Ask): HttpRequest {
    return {
      deadlineMs: timeoutMs ?? this.#timeoutMs,
      method,
      url: `${this.#base}${path}`,
      headers: { 'x-api-key': this.#apiKey, accept: 'application/json', ...headers },
      body,
      signal,
    }
  }
}

const lengthOf = ({ 'content-length': length }: HttpArrival['headers']): number | undefined =>
  length === undefined ? undefined : Number(length)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SignerProblem('uncertain', 'The answer is not JSON.', { isOver: true, cause })
  }
}

/** The error of an unsuccessful answer. */
function refusalOf(status: number, text: string): SignerProblem {
  if (status >= 500)
    return new SignerProblem('uncertain', `It answered ${status}.`, { isOver: !OF_A_GATEWAY.includes(status) })
  const account = status === 400 || status === 404 || status === 422 ? errorModel(text) : undefined
  const refused = {
    isRefusal: true,
    isUnknownCall: UNKNOWN_CALL.includes(status) || account?.code === 'DocumentNotFound',
  }
  return account
    ? new SignerProblem('rejected', account.message, { code: account.code, ...refused })
    : new SignerProblem('unreachable', `It answered ${status}.`, refused)
}

/** A gateway's: the service behind it may still be at work on what it was sent. */
const OF_A_GATEWAY: readonly number[] = [502, 504]

/** What services answer to a path they do not have, to one they take for another, or to a body they do not expect there. */
const UNKNOWN_CALL: readonly number[] = [400, 403, 404, 405, 413, 415]

/**
 * `{ code, message }`, or the older form `{ message, resourceName }` (document-platform facts 1.2), where the answer is
 * one.
 */
function errorModel(text: string): { readonly code: string; readonly message: string } | undefined {
  try {
    const { code, message, resourceName } = JSON.parse(text) as Readonly<Record<string, unknown>>
    const named = typeof resourceName === 'string' ? `${resourceName}NotFound` : code
    return typeof named === 'string' && named !== '' ? { code: named, message: String(message ?? '') } : undefined
  } catch {
    return undefined // some other text
  }
}

/** Before the request was sent nothing can have been done; afterwards it is unknown. */
function unanswered(error: unknown): never {
  if (!(error instanceof HttpProblem)) throw error
  const { kind, wasSent, message } = error
  const sentence = kind === 'aborted' ? 'No answer came in time.' : message
  throw new SignerProblem(wasSent ? 'uncertain' : 'unreachable', sentence, { cause: error })
}

const isDropped = ({ cause }: Error): boolean => cause instanceof HttpProblem && cause.kind === 'lost'
