// Files that people bring are shown to whoever the subscription names, before they are taken (pki-core facts 4.1).
import { SECOND } from '@chancela/service-kernel/clock'
import {
  type AddressPolicy,
  createHttpClient,
  type HttpClient,
  HttpProblem,
} from '@chancela/service-kernel/http-client'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'
import type { FileRuleRow } from '../../store/file-rule-tables.ts'
import { fileTokenContext, findFileRule } from '../../store/file-rules.ts'
import type { KeptFile } from './files.ts'
import { matchesPattern } from './name-pattern.ts'

const CONNECT_MS = 5 * SECOND
const MOST_ANSWER_BYTES = 64 * 1024
/** Characters of a reason that are shown to the person. */
const MOST_REASON = 500

const headersOf: Readonly<Record<FileRuleRow['auth_type'], (token: string) => Record<string, string>>> = {
  NoAuth: () => ({}),
  Basic: (token) => ({ authorization: `Basic ${token}` }),
  Bearer: (token) => ({ authorization: `Bearer ${token}` }),
  ApiKey: (token) => ({ 'x-api-key': token }),
}

export class FileValidation {
  readonly #context: Context
  readonly #client: HttpClient

  constructor(context: Context, policy: AddressPolicy) {
    this.#context = context
    this.#client = createHttpClient({
      policy,
      connectTimeoutMs: CONNECT_MS,
      deadlineMs: context.settings.Webhooks.TimeoutSeconds * SECOND,
      maxAnswerBytes: MOST_ANSWER_BYTES,
    })
    context.closing.add('the validation of files', () => this.#client.close())
  }

  /** The rule of the subscription; refuses a name that it does not want, before any byte is taken. */
  async ruleFor(subscriptionId: string, name: string): Promise<FileRuleRow | undefined> {
    const rule = await findFileRule(this.#context.store.db, subscriptionId)
    if (rule && rule.name_pattern !== null && !matchesPattern(rule.name_pattern, name))
      throw refuse('FileRejected', { reason: 'Files of this name are not accepted.' })
    return rule
  }

  /** Refuses a file that whoever is asked does not want; nobody who could be asked is as good as a no. */
  async require(rule: FileRuleRow | undefined, file: KeptFile): Promise<void> {
    if (!rule || rule.url === null) return
    const { accept, rejectReason } = await this.#asked(rule, rule.url, file)
    if (accept !== true) throw refuse('FileRejected', { rejectReason: reasonOf(rejectReason) })
  }

  async #asked(rule: FileRuleRow, url: string, { name, contentType, size }: KeptFile): Promise<Verdict> {
    const { secrets } = this.#context
    const token = rule.sealed_token && secrets.openText(rule.sealed_token, fileTokenContext(rule.subscription_id))
    try {
      const { status, body } = await this.#client.exchange({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...headersOf[rule.auth_type](token ?? '') },
        body: JSON.stringify({ name, contentType, length: size }),
      })
      if (status !== 200) throw refuse('FileValidationUnavailable', { status })
      return verdictIn(body)
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error
      throw refuse('FileValidationUnavailable', { problem: error.kind }, error)
    }
  }
}

interface Verdict {
  readonly accept?: unknown
  readonly rejectReason?: unknown
}

function verdictIn(body: Buffer): Verdict {
  try {
    const read: unknown = JSON.parse(body.toString('utf8'))
    if (typeof read === 'object' && read !== null) return read
  } catch (error) {
    throw refuse('FileValidationUnavailable', { reason: 'The answer is not JSON.' }, error)
  }
  throw refuse('FileValidationUnavailable', { reason: 'The answer is no object.' })
}

/** It comes from somebody whom the subscription trusts; the page shows it as text. */
const reasonOf = (reason: unknown): string | null => (typeof reason === 'string' ? reason.slice(0, MOST_REASON) : null)
