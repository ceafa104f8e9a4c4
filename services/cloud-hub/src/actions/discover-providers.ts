// Finds the providers to offer for an identifier. All are asked at once, each with its own deadline, so that the answer
// takes as long as the slowest may; answers are cached for a moment, and that somebody was found for longer: a provider
// that fails must not look like one that holds no certificate.

import { createHmac, randomBytes } from 'node:crypto'
import { SECOND } from '@chancela/service-kernel/clock'
import { LruCache } from '@chancela/service-kernel/concurrency'
import type { Context } from '../context.ts'
import { type Identifier, nobody } from '../rules/requested-identifier.ts'
import type { Provider, Providers } from '../upstream/provider.ts'
import { soonEnough } from '../upstream/soon-enough.ts'

/** Most answers cached. */
const MOST_ANSWERS = 10_000

/** What came of asking the providers. */
export interface Found {
  /** Those that hold a certificate, or may, in their order. */
  readonly providers: readonly Provider[]
  /** Those that did not answer, in their order. */
  readonly unanswered: readonly Provider[]
}

/** What a provider told: `unasked` where it has no discovery. */
type Told = 'held' | 'not-held' | 'unanswered' | 'unasked'

export class Discovery {
  readonly #context: Pick<Context, 'settings' | 'clock'>
  readonly #providers: Pick<Providers, 'list'>
  readonly #answers: LruCache<string, boolean>
  /** Who was found where, for longer than an answer is reused. */
  readonly #found: LruCache<string, true>
  // A key of this process: identifiers have few values, so that a plain hash could be reversed.
  readonly #secret = randomBytes(32)

  constructor(context: Pick<Context, 'settings' | 'clock'>, providers: Pick<Providers, 'list'>) {
    this.#context = context
    this.#providers = providers
    const { settings, clock } = context
    const kept = (seconds: number) => ({ ttl: { milliseconds: seconds * SECOND, clock } })
    this.#answers = new LruCache(MOST_ANSWERS, kept(settings.Discovery.CacheSeconds))
    this.#found = new LruCache(MOST_ANSWERS, kept(settings.Discovery.FoundSeconds))
  }

  /** The providers that hold a certificate, and those that cannot be asked; one that fails is left out (spec 1 B). */
  holders(identifier: Identifier): Promise<Found> {
    return this.#find(identifier, () => false)
  }

  /** The same, with those that fail where they held a certificate before, or the operator wants them offered. */
  offers(identifier: Identifier): Promise<Found> {
    return this.#find(
      identifier,
      (provider) => provider.keptOnFailure || this.#found.peek(this.#keyOf(provider, identifier)) === true,
    )
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
    if (found !== undefined) this.#keep(key, found)
    return found
  }

  /** Whether a provider answers to discovery, whomever it is asked for; where it has none, whether it is there. */
  async answers(provider: Provider): Promise<boolean> {
    if (!provider.adapter.discovers) return provider.isThere()
    return (await this.holds(provider, nobody)) !== undefined
  }

  async #find(identifier: Identifier, keptOnFailure: (provider: Provider) => boolean): Promise<Found> {
    const providers = this.#providers.list()
    const told = await Promise.all(providers.map((provider) => this.#told(provider, identifier)))
    const offered: Readonly<Record<Told, (provider: Provider) => boolean>> = {
      held: () => true,
      'not-held': () => false,
      unanswered: keptOnFailure,
      unasked: ({ offeredUnasked }) => offeredUnasked,
    }
    return {
      providers: providers.filter((provider, at) => offered[told[at]!](provider)),
      unanswered: providers.filter((_provider, at) => told[at] === 'unanswered'),
    }
  }

  async #told(provider: Provider, identifier: Identifier): Promise<Told> {
    if (!provider.adapter.discovers) return 'unasked'
    const found = await this.holds(provider, identifier)
    if (found === undefined) return 'unanswered'
    return found ? 'held' : 'not-held'
  }

  #keep(key: string, found: boolean): void {
    this.#answers.set(key, found)
    if (found) this.#found.set(key, true)
    else this.#found.delete(key)
  }

  #keyOf({ id }: Provider, { type, value }: Identifier): string {
    return createHmac('sha256', this.#secret).update(`${id} ${type} ${value}`).digest('base64url')
  }
}
