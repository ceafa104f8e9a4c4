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
  /** For one answer, from the moment it is asked for. */
  readonly timeoutMs: number
}

/** One request to the service. */
interface Ask {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Iterable<Uint8Array>
  readonly signal?: AbortSignal
  /** Whether it may be asked twice: when a connection that had been kept turns out to be closed, it is. */
  readonly isHarmless?: boolean
}

/** A file on its way. */
export interface ArrivingBytes {
  readonly body: Readable
  readonly length: number | undefined
}

/** Connections of one answer each; they stay open between requests. */
const KEEP_ALIVE_MS = 30_000
const CONNECT_MS = 10_000
/** Of an answer that is read as a whole: what it says of a document, or why it will not. */
const ANSWER_BYTES = 4 * 1_048_576

/** Asks the service over connections that stay open, each question with its deadline. Throws SignerProblem only. */
export class Exchange {
  readonly #client: HttpClient
  readonly #base: string
  readonly #apiKey: string
  readonly #timeoutMs: number

  constructor({ endpoint, apiKey, timeoutMs }: ExchangeOptions) {
    // Without rules about addresses, the operator alone names the service; and with as many connections as there are
    // questions: what limits these is counted where they are asked.
    this.#client = createHttpClient({
      connectTimeoutMs: CONNECT_MS,
      deadlineMs: timeoutMs,
      maxAnswerBytes: ANSWER_BYTES,
      keepAliveMs: KEEP_ALIVE_MS,
    })
    const { origin, pathname } = new URL(endpoint)
    this.#base = `${origin}${pathname.replace(/\/$/, '')}`
    this.#apiKey = apiKey
    this.#timeoutMs = timeoutMs
  }

  /** The JSON of a successful answer; nothing when it is empty. */
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

  /** The bytes of a successful answer, as they arrive, and how many they are where it says so. */
  async bytes(ask: Ask): Promise<ArrivingBytes> {
    // A file is handed on as it comes and held by nobody: how long it may be is its reader's affair.
    const arriving = this.#client.stream({ ...this.#request(ask), maxAnswerBytes: Number.POSITIVE_INFINITY })
    const { status, headers, body } = await arriving.catch(unanswered)
    if (status === 200) return { body, length: lengthOf(headers) }
    const limits = { maxBytes: ANSWER_BYTES, deadlineMs: this.#timeoutMs }
    throw refusalOf(status, String(await readWhole(body, limits).catch(unanswered)))
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  #request({ method, path, headers, body, signal }: Ask): HttpRequest {
    return {
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

/** What an answer other than success says. */
function refusalOf(status: number, text: string): SignerProblem {
  if (status >= 500) return new SignerProblem('uncertain', `It answered ${status}.`, { isOver: true })
  const account = status === 400 || status === 404 || status === 422 ? errorModel(text) : undefined
  return account
    ? new SignerProblem('rejected', account.message, { code: account.code })
    : new SignerProblem('unreachable', `It answered ${status}.`)
}

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

/** Until the request was on its way nothing can have been done; afterwards nobody knows. */
function unanswered(error: unknown): never {
  if (!(error instanceof HttpProblem)) throw error
  const { kind, wasSent, message } = error
  const sentence = kind === 'aborted' ? 'No answer came in time.' : message
  throw new SignerProblem(wasSent ? 'uncertain' : 'unreachable', sentence, { cause: error })
}

const isDropped = ({ cause }: Error): boolean => cause instanceof HttpProblem && cause.kind === 'lost'
