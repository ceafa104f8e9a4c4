// The document platforms of organizations: one client for all, an address and a key for each.
import { SECOND } from '@chancela/service-kernel/clock'
import { type AddressPolicy, createHttpClient, type HttpClient } from '@chancela/service-kernel/http-client'
import type { Context } from '../../context.ts'
import { platformKeyContext } from '../../store/platform-connections.ts'
import type { PlatformConnectionRow } from '../../store/platform-tables.ts'
import { DocumentPlatform } from '../../upstream/document-platform.ts'

const CONNECT_MS = 10 * SECOND

export class Platforms {
  readonly #context: Context
  readonly #client: HttpClient

  constructor(context: Context, policy: AddressPolicy) {
    const { settings, closing } = context
    this.#context = context
    this.#client = createHttpClient({
      policy,
      connectTimeoutMs: CONNECT_MS,
      deadlineMs: settings.DocumentPlatform.TimeoutSeconds * SECOND,
      maxAnswerBytes: settings.Checks.MaxDocumentBytes,
    })
    closing.add('calls to document platforms', () => this.#client.close())
  }

  of({ subscription_id, url, sealed_key }: PlatformConnectionRow): DocumentPlatform {
    const apiKey = this.#context.secrets.openText(sealed_key, platformKeyContext(subscription_id))
    return new DocumentPlatform(this.#client, { url, apiKey })
  }
}
