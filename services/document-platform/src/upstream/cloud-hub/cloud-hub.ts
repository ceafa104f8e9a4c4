// The cloud certificate hub, through the operations of its contract: our own, or any server with that API and a chooser.
import {
  createChooser,
  endSession,
  readCertificateModel,
  readCustomState,
  signHash,
} from '@chancela/cloud-hub/contract'
import { SECOND } from '@chancela/service-kernel/clock'
import {
  createHttpClient,
  type HttpClient,
  HttpProblem,
  type HttpProblemKind,
  isRedirect,
} from '@chancela/service-kernel/http-client'
import type { Static } from 'typebox'
import { HubProblem } from './hub-problem.ts'

interface CloudHubOptions {
  readonly endpoint: string
  readonly apiKey: string
  /** Timeout of a signature; other calls get less. */
  readonly timeoutMs: number
}

/** A certificate of the holder who authorized a session. */
interface CloudCertificate {
  /** DER, base64. */
  readonly content: string
  readonly alias: string
}

const QUICK_MS = 30 * SECOND
const CONNECT_MS = 10 * SECOND
/** Enough for a certificate or a signature; error bodies are shorter. */
const ANSWER_BYTES = 1_048_576

/** Every method throws HubProblem, whose message never contains a session, a holder or a body. */
export class CloudHub {
  readonly #base: string
  readonly #apiKey: string
  readonly #timeoutMs: number
  /** Without address restrictions: only the operator configures the hub, and it is usually on the internal network. */
  readonly #client: HttpClient

  constructor({ endpoint, apiKey, timeoutMs }: CloudHubOptions) {
    this.#base = endpoint.replace(/\/+$/, '')
    this.#apiKey = apiKey
    this.#timeoutMs = timeoutMs
    const deadlineMs = Math.min(QUICK_MS, timeoutMs)
    this.#client = createHttpClient({ connectTimeoutMs: CONNECT_MS, deadlineMs, maxAnswerBytes: ANSWER_BYTES })
  }

  /** URL where the holder chooses a provider. */
  async createChooser(body: Static<typeof createChooser.body>): Promise<string> {
    return text(field(await this.#ask(createChooser, { body }), 'chooserUrl'))
  }

  /** The custom state a session was created with; null when none was given. */
  async customState(session: string): Promise<string | null> {
    const state = await this.#ask(readCustomState, { session })
    return state === null ? null : text(state)
  }

  async certificate(session: string): Promise<CloudCertificate> {
    const answer = await this.#ask(readCertificateModel, { session })
    return { content: text(field(answer, 'content')), alias: text(field(answer, 'alias')) }
  }

  async signHash(body: Static<typeof signHash.body>): Promise<Buffer> {
    return Buffer.from(text(await this.#ask(signHash, { body, timeoutMs: this.#timeoutMs })), 'base64')
  }

  async end(session: string): Promise<void> {
    await this.#ask(endSession, { body: { session } })
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  async #ask({ method, path }: Operation, { session, body, timeoutMs: deadlineMs }: Asked): Promise<unknown> {
    const query = session === undefined ? '' : `?${new URLSearchParams({ session })}`
    const answer = await this.#client
      .exchange({
        method,
        url: `${this.#base}${path}${query}`,
        headers: { 'X-Api-Key': this.#apiKey, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        ...(deadlineMs !== undefined && { deadlineMs }),
      })
      .catch(unanswered)
    // Following a redirect would send the API key to another host.
    if (isRedirect(answer)) throw noAnswer('unreachable')
    const content = jsonIn(answer.body.toString('utf8'))
    if (answer.status >= 200 && answer.status < 300) return content
    throw refusalOf(answer.status, content)
  }
}

interface Operation {
  readonly method: 'GET' | 'POST'
  readonly path: string
}

interface Asked {
  readonly session?: string
  readonly body?: object
  readonly timeoutMs?: number
}

const notUnderstood = (sentence: string) => new HubProblem('not-understood', sentence)

function jsonIn(content: string): unknown {
  try {
    return content === '' ? undefined : JSON.parse(content)
  } catch {
    throw notUnderstood('The answer is not JSON.')
  }
}

const field = (answer: unknown, name: string): unknown =>
  (answer as Readonly<Record<string, unknown>> | null | undefined)?.[name]

function text(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value
  throw notUnderstood('The answer is not what the contract says.')
}

/** Refusals are an object with a code; failures are the code itself (spec 1 B, Errors). */
function refusalOf(status: number, content: unknown): HubProblem {
  const code = typeof content === 'string' ? content : field(content, 'code')
  return new HubProblem(typeof code === 'string' ? code : `status-${status}`, `It answered ${status}.`)
}

const codes: Readonly<Record<HttpProblemKind, string>> = {
  'address-refused': 'unreachable',
  unreachable: 'unreachable',
  untrusted: 'unreachable',
  deadline: 'timed-out',
  aborted: 'unreachable',
  lost: 'unreachable',
  'broken-answer': 'unreachable',
  'too-large': 'not-understood',
  'too-many-redirects': 'unreachable',
}

const noAnswer = (code: string, cause?: unknown) => new HubProblem(code, 'No answer came.', cause)

function unanswered(error: unknown): never {
  throw error instanceof HttpProblem ? noAnswer(codes[error.kind], error) : error
}
