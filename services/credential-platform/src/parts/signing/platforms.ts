// The document platforms of organizations: one client for all, an address and a key for each.
import { HOUR, SECOND } from '@chancela/service-kernel/clock'
import type { CheckResult } from '@chancela/service-kernel/health'
import { type AddressPolicy, createHttpClient, type HttpClient } from '@chancela/service-kernel/http-client'
import type { Context } from '../../context.ts'
import { platformKeyContext } from '../../store/platform-connections.ts'
import type { PlatformConnectionRow } from '../../store/platform-tables.ts'
import { DocumentPlatform, type PlatformProblem } from '../../upstream/document-platform.ts'

const CONNECT_MS = 10 * SECOND
/** One that is worked with is asked more often; another may be connected no more. */
const TOLD_FOR = 2 * HOUR
const MOST_TROUBLES = 100

export class Platforms {
  readonly #context: Context
  readonly #client: HttpClient
  /** By organization, until a call succeeds. */
  readonly #troubles = new Map<string, { readonly host: string; readonly message: string; readonly at: number }>()

  constructor(context: Context, policy: AddressPolicy) {
    const { settings, closing, readiness } = context
    this.#context = context
    this.#client = createHttpClient({
      policy,
      connectTimeoutMs: CONNECT_MS,
      deadlineMs: settings.DocumentPlatform.TimeoutSeconds * SECOND,
      maxAnswerBytes: settings.Checks.MaxDocumentBytes,
    })
    closing.add('calls to document platforms', () => this.#client.close())
    readiness.add('document-platforms', async () => this.check(), { gates: false })
  }

  of({ subscription_id, url, sealed_key }: PlatformConnectionRow): DocumentPlatform {
    const apiKey = this.#context.secrets.openText(sealed_key, platformKeyContext(subscription_id))
    return new DocumentPlatform(this.#client, { url, apiKey }, (problem) => this.#told(subscription_id, url, problem))
  }

  /** As the last calls found them: those of organizations are not asked for this alone. */
  check(): CheckResult {
    const now = this.#context.clock().getTime()
    const red = [...this.#troubles.values()].filter(({ at }) => now - at < TOLD_FOR)
    if (red.length === 0) return { ok: true, detail: 'The last calls were answered.' }
    return { ok: false, detail: red.map(({ host, message }) => `${host}: ${message}`).join(' ') }
  }

  #told(subscriptionId: string, url: string, problem: PlatformProblem | undefined): void {
    if (!problem) this.#troubles.delete(subscriptionId)
    else if (this.#troubles.has(subscriptionId) || this.#troubles.size < MOST_TROUBLES) {
      const at = this.#context.clock().getTime()
      this.#troubles.set(subscriptionId, { host: new URL(url).host, message: problem.message, at })
    }
  }
}
