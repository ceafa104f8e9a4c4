import type { Readable } from 'node:stream'
import { type Dispatcher, Pool } from 'undici'
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

type Answer = Dispatcher.ResponseData

/** A file on its way. */
export interface ArrivingBytes {
  readonly body: Readable
  readonly length: number | undefined
}

/** Connections of one answer each; they stay open between requests. */
const KEEP_ALIVE_MS = 30_000

/** Asks the service over connections that stay open, each question with its deadline. Throws SignerProblem only. */
export class Exchange {
  readonly #pool: Pool
  readonly #base: string
  readonly #apiKey: string
  readonly #timeoutMs: number

  constructor({ endpoint, apiKey, timeoutMs }: ExchangeOptions) {
    const { origin, pathname } = new URL(endpoint)
    // As many connections as there are questions: what limits these is counted where they are asked.
    this.#pool = new Pool(origin, {
      connections: null,
      pipelining: 1,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: 0,
      bodyTimeout: timeoutMs,
    })
    this.#base = pathname.replace(/\/$/, '')
    this.#apiKey = apiKey
    this.#timeoutMs = timeoutMs
  }

  /** The JSON of a successful answer; nothing when it is empty. */
  async json(ask: Ask): Promise<unknown> {
    try {
      return await this.#json(ask)
    } catch (error) {
      if (!ask.isHarmless || !isDropped(error)) throw error
      return this.#json(ask)
    }
  }

  async #json(ask: Ask): Promise<unknown> {
    const deadline = new Deadline(this.#timeoutMs, ask.signal)
    try {
      const answer = await this.#request(ask, deadline)
      const text = await answer.body.text()
      if (answer.statusCode < 200 || answer.statusCode > 299) throw refusalOf(answer.statusCode, text)
      return text === '' ? undefined : parsed(text)
    } catch (error) {
      throw problemOf(error)
    } finally {
      deadline.clear()
    }
  }

  /** The bytes of a successful answer, as they arrive, and how many they are where it says so. */
  async bytes(ask: Ask): Promise<ArrivingBytes> {
    const deadline = new Deadline(this.#timeoutMs, ask.signal)
    try {
      const answer = await this.#request(ask, deadline)
      if (answer.statusCode === 200) return { body: answer.body, length: lengthOf(answer) }
      throw refusalOf(answer.statusCode, await answer.body.text())
    } catch (error) {
      throw problemOf(error)
    } finally {
      deadline.clear()
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }

  #request({ method, path, headers, body }: Ask, { signal }: Deadline): Promise<Answer> {
    return this.#pool.request({
      method,
      path: `${this.#base}${path}`,
      headers: { 'x-api-key': this.#apiKey, accept: 'application/json', ...headers },
      ...(body !== undefined && { body: body as string }),
      signal,
    })
  }
}

const lengthOf = ({ headers }: Answer): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

/** Ends a question when its time is over or its asker gives up. A timer by hand: signals of signals cost more. */
class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #asker: AbortSignal | undefined
  readonly #abort = () => this.#controller.abort()

  constructor(milliseconds: number, asker: AbortSignal | undefined) {
    this.#timer = setTimeout(this.#abort, milliseconds)
    this.#asker = asker
    if (asker?.aborted) this.#abort()
    else asker?.addEventListener('abort', this.#abort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  clear(): void {
    clearTimeout(this.#timer)
    this.#asker?.removeEventListener('abort', this.#abort)
  }
}

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

/** Failures after which nothing can have arrived. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function problemOf(error: unknown): SignerProblem {
  if (error instanceof SignerProblem) return error
  const { code, name, message } = error as NodeJS.ErrnoException
  const kind = isTlsFailure(code) || NEVER_SENT.has(code ?? '') ? 'unreachable' : 'uncertain'
  return new SignerProblem(kind, name === 'AbortError' ? 'No answer came in time.' : message, { cause: error })
}

const isDropped = (error: unknown): boolean =>
  ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(((error as Error).cause as NodeJS.ErrnoException)?.code ?? '')

/** A certificate that is not trusted ends a connection before anything is sent. */
const isTlsFailure = (code = ''): boolean => /^(?:CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(code)
