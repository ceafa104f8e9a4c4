// The cloud certificate hub, through the operations of its contract: our own, or any server with that API and a chooser.
import {
  createChooser,
  endSession,
  readCertificateModel,
  readCustomState,
  readStatus,
  signHash,
  signHashes,
} from '@chancela/cloud-hub/contract'
import type { CheckResult } from '@chancela/service-kernel/health'
import type { Static } from 'typebox'
import { field, type LinkOptions, LinkProblem, ServiceLink, text } from './service-link.ts'

type CloudHubOptions = Omit<LinkOptions, 'codeIn'>

/** A certificate of the holder who authorized a session. */
interface CloudCertificate {
  /** DER, base64. */
  readonly content: string
  readonly alias: string
}

/** Refusals are an object with a code; failures are the code itself (spec 1 B, Errors). */
const codeIn = (content: unknown): unknown => (typeof content === 'string' ? content : field(content, 'code'))

/** Every method throws LinkProblem, whose message never contains a session, a holder or a body. */
export class CloudHub {
  readonly #link: ServiceLink
  readonly #timeoutMs: number

  constructor(options: CloudHubOptions) {
    this.#link = new ServiceLink({ ...options, codeIn })
    this.#timeoutMs = options.timeoutMs
  }

  /** URL where the holder chooses a provider. */
  async createChooser(body: Static<typeof createChooser.body>): Promise<string> {
    return text(field(await this.#ask(createChooser, { body }), 'chooserUrl'))
  }

  /** The custom state a session was created with; null when none was given. */
  async customState(session: string): Promise<string | null> {
    const state = await this.#ask(readCustomState, { query: { session } })
    return state === null ? null : text(state)
  }

  /** Name of the provider of a session. */
  async serviceName(session: string): Promise<string> {
    return text(field(await this.#ask(readStatus, { query: { session } }), 'serviceName'))
  }

  async certificate(session: string): Promise<CloudCertificate> {
    const answer = await this.#ask(readCertificateModel, { query: { session } })
    return { content: text(field(answer, 'content')), alias: text(field(answer, 'alias')) }
  }

  async signHash(body: Static<typeof signHash.body>): Promise<Buffer> {
    return Buffer.from(text(await this.#ask(signHash, { body, timeoutMs: this.#timeoutMs })), 'base64')
  }

  /** The signatures of all hashes, in their order, by one call of the provider. */
  async signHashes(body: Static<typeof signHashes.body>): Promise<readonly Buffer[]> {
    const signatures = field(await this.#ask(signHashes, { body, timeoutMs: this.#timeoutMs }), 'signatures')
    if (!Array.isArray(signatures)) throw new LinkProblem('not-understood', 'The answer has no signatures.')
    return signatures.map((signature) => Buffer.from(text(signature), 'base64'))
  }

  async end(session: string): Promise<void> {
    await this.#ask(endSession, { body: { session } })
  }

  /** Whether it answers; throws HttpProblem. */
  reach(signal: AbortSignal): Promise<CheckResult> {
    return this.#link.reach(signal)
  }

  close(): Promise<void> {
    return this.#link.close()
  }

  #ask({ method, path }: Operation, asked: Parameters<ServiceLink['ask']>[2]): Promise<unknown> {
    return this.#link.ask(method, path, asked)
  }
}

interface Operation {
  readonly method: 'GET' | 'POST'
  readonly path: string
}
