// Calls to another service of the suite, or a server with its API: JSON over HTTP with an API key.
import { SECOND } from '@chancela/service-kernel/clock'
import { answered, type CheckResult } from '@chancela/service-kernel/health'
import {
  createHttpClient,
  type HttpClient,
  HttpProblem,
  type HttpProblemKind,
  isRedirect,
} from '@chancela/service-kernel/http-client'

/** Failure of a call. Its message never contains what was sent or answered. */
export class LinkProblem extends Error {
  override readonly name = 'LinkProblem'
  /** A code of the other's contract; `unreachable`, `timed-out` or `not-understood` when it gave none. */
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

export interface LinkOptions {
  readonly endpoint: string
  readonly apiKey: string
  /** Timeout of the longest call; others get less. */
  readonly timeoutMs: number
  /** PEM of the authorities trusted instead of Node's. */
  readonly ca?: string
  /** The code in the body of a refusal. */
  readonly codeIn: (content: unknown) => unknown
}

interface Asked {
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly timeoutMs?: number
}

const QUICK_MS = 30 * SECOND
const REACH_MS = 3 * SECOND
const CONNECT_MS = 10 * SECOND
/** Enough for certificates and signatures; error bodies are shorter. */
const ANSWER_BYTES = 1_048_576

export class ServiceLink {
  readonly #base: string
  readonly #options: LinkOptions
  /** Without address restrictions: only the operator names the service, and it is usually on the internal network. */
  readonly #client: HttpClient

  constructor(options: LinkOptions) {
    this.#base = options.endpoint.replace(/\/+$/, '')
    this.#options = options
    const deadlineMs = Math.min(QUICK_MS, options.timeoutMs)
    const limits = { connectTimeoutMs: CONNECT_MS, deadlineMs, maxAnswerBytes: ANSWER_BYTES }
    this.#client = createHttpClient({ ...limits, ...(options.ca !== undefined && { tls: { ca: options.ca } }) })
  }

  /** The answer of an operation; throws LinkProblem. */
  async ask(method: 'GET' | 'POST' | 'DELETE', path: string, { query, body, timeoutMs }: Asked = {}): Promise<unknown> {
    const answer = await this.#client
      .exchange({
        method,
        url: `${this.#base}${path}${query ? `?${new URLSearchParams(query)}` : ''}`,
        headers: { 'X-Api-Key': this.#options.apiKey, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        ...(timeoutMs !== undefined && { deadlineMs: timeoutMs }),
      })
      .catch(unanswered)
    // Following a redirect would send the API key to another host.
    if (isRedirect(answer)) throw noAnswer('unreachable')
    const content = jsonIn(answer.body.toString('utf8'))
    if (answer.status >= 200 && answer.status < 300) return content
    const code = this.#options.codeIn(content)
    throw new LinkProblem(typeof code === 'string' ? code : `status-${answer.status}`, `It answered ${answer.status}.`)
  }

  /** Whether anybody answers there; without the key, which proves nothing more. */
  async reach(signal: AbortSignal): Promise<CheckResult> {
    const asked = { method: 'HEAD', url: `${this.#base}/`, deadlineMs: REACH_MS, signal } as const
    return answered(await this.#client.exchange(asked))
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}

const notUnderstood = (sentence: string) => new LinkProblem('not-understood', sentence)

function jsonIn(content: string): unknown {
  try {
    return content === '' ? undefined : JSON.parse(content)
  } catch {
    throw notUnderstood('The answer is not JSON.')
  }
}

/** A field of an answer, whatever it is. */
export const field = (answer: unknown, name: string): unknown =>
  (answer as Readonly<Record<string, unknown>> | null | undefined)?.[name]

/** A text of the contract, which is never empty. */
export function text(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw notUnderstood('The answer is not what the contract says.')
}

const codes: Readonly<Record<HttpProblemKind, string>> = {
  'address-refused': 'unreachable',
  unreachable: 'unreachable',
  proxy: 'unreachable',
  untrusted: 'unreachable',
  deadline: 'timed-out',
  aborted: 'unreachable',
  lost: 'unreachable',
  'broken-answer': 'unreachable',
  'too-large': 'not-understood',
  'too-many-redirects': 'unreachable',
}

const noAnswer = (code: string, cause?: unknown) => new LinkProblem(code, 'No answer came.', cause)

function unanswered(error: unknown): never {
  throw error instanceof HttpProblem ? noAnswer(codes[error.kind], error) : error
}
