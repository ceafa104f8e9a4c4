// The cloud certificate hub, through the operations of its contract: our own, or any server with that API and a chooser.
import {
  createChooser,
  endSession,
  readCertificateModel,
  readCustomState,
  signHash,
} from '@chancela/cloud-hub/contract'
import { SECOND } from '@chancela/service-kernel/clock'
import type { Static } from 'typebox'
import { HubProblem } from './hub-problem.ts'

interface CloudHubOptions {
  readonly endpoint: string
  readonly apiKey: string
  /** For a signature; anything else is given less. */
  readonly timeoutMs: number
}

/** A certificate of the holder who authorized a session. */
interface CloudCertificate {
  /** DER, base64. */
  readonly content: string
  readonly alias: string
}

const QUICK_MS = 30 * SECOND

/** Every method throws HubProblem. No problem names a session, a holder or a body. */
export class CloudHub {
  readonly #base: string
  readonly #apiKey: string
  readonly #timeoutMs: number

  constructor({ endpoint, apiKey, timeoutMs }: CloudHubOptions) {
    this.#base = endpoint.replace(/\/+$/, '')
    this.#apiKey = apiKey
    this.#timeoutMs = timeoutMs
  }

  /** Where the holder chooses a provider. */
  async createChooser(body: Static<typeof createChooser.body>): Promise<string> {
    return text(field(await this.#ask(createChooser, { body }), 'chooserUrl'))
  }

  /** What a session was created with; nothing when nobody gave anything. */
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

  async #ask(
    { method, path }: { readonly method: string; readonly path: string },
    { session, body, timeoutMs = Math.min(QUICK_MS, this.#timeoutMs) }: Asked,
  ): Promise<unknown> {
    const query = session === undefined ? '' : `?${new URLSearchParams({ session })}`
    try {
      const answer = await fetch(`${this.#base}${path}${query}`, {
        method,
        headers: { 'X-Api-Key': this.#apiKey, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        // It would take the key elsewhere.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const content = jsonIn(await answer.text())
      if (answer.ok) return content
      throw refusalOf(answer.status, content)
    } catch (error) {
      throw problemOf(error)
    }
  }
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

/** Refusals have a code in an object; failures are a code (spec 1 B, Errors). */
function refusalOf(status: number, content: unknown): HubProblem {
  const code = typeof content === 'string' ? content : field(content, 'code')
  return new HubProblem(typeof code === 'string' ? code : `status-${status}`, `It answered ${status}.`)
}

function problemOf(error: unknown): HubProblem {
  if (error instanceof HubProblem) return error
  const isLate = (error as Error).name === 'TimeoutError'
  return new HubProblem(isLate ? 'timed-out' : 'unreachable', 'No answer came.', error)
}
