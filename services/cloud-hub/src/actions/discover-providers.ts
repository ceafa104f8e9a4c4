// Finds the providers that hold a certificate for an identifier. All are asked at once, each with its own deadline, so
// that the answer takes as long as the slowest may; answers are cached for a moment.

import { createHmac, randomBytes } from 'node:crypto'
import { SECOND } from '@chancela/service-kernel/clock'
import { LruCache } from '@chancela/service-kernel/concurrency'
import type { Context } from '../context.ts'
import { type Identifier, nobody } from '../rules/requested-identifier.ts'
import type { Provider, Providers } from '../upstream/provider.ts'
import { soonEnough } from '../upstream/soon-enough.ts'

/** Most answers cached. */
const MOST_ANSWERS = 10_000

export class Discovery {
  readonly #context: Pick<Context, 'settings' | 'clock'>
  readonly #providers: Pick<Providers, 'list'>
  readonly #answers: LruCache<string, boolean>
  // A key of this process: identifiers have few values, so that a plain hash could be reversed.
  readonly #secret = randomBytes(32)

  constructor(context: Pick<Context, 'settings' | 'clock'>, providers: Pick<Providers, 'list'>) {
    this.#context = context
    this.#providers = providers
    const { settings, clock } = context
    const ttl = { milliseconds: settings.Discovery.CacheSeconds * SECOND, clock }
    this.#answers = new LruCache(MOST_ANSWERS, { ttl })
  }

  /** The providers that hold a certificate, in their order; those that fail or do not know are skipped. */
  async holders(identifier: Identifier): Promise<readonly Provider[]> {
    const providers = this.#providers.list()
    const found = await Promise.all(providers.map((provider) => this.holds(provider, identifier)))
    return providers.filter((_provider, at) => found[at])
  }

  /** Whether a provider holds a certificate; undefined when it does not tell. */
  async holds(provider: Provider, identifier: Identifier): Promise<boolean | undefined> {
    if (!provider.adapter.discovers) return undefined
    const key = this.#keyOf(provider, identifier)
    const kept = this.#answers.get(key)
    if (kept !== undefined) return kept
    const { adapter } = provider
    const ask = (deadline: AbortSignal) => adapter.discover(identifier, deadline)
    const found = await soonEnough(provider, this.#context.settings, ask)
    if (found !== undefined) this.#answers.set(key, found)
    return found
  }

  /** Whether a provider answers to discovery, whomever it is asked for. */
  async answers(provider: Provider): Promise<boolean> {
    return (await this.holds(provider, nobody)) !== undefined
  }

  #keyOf({ id }: Provider, { type, value }: Identifier): string {
    return createHmac('sha256', this.#secret).update(`${id} ${type} ${value}`).digest('base64url')
  }
}
