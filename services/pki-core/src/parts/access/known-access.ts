import { type Clock, SECOND } from '@chancela/service-kernel/clock'
import { LruCache } from '@chancela/service-kernel/concurrency'
import type { Context } from '../../context.ts'
import type { Standing } from '../../rules/rights.ts'
import { findContext } from '../../store/security-contexts.ts'
import { findSubscription, standingOf } from '../../store/subscriptions.ts'
import type { SecurityContextRow, SubscriptionRow } from '../../store/tables.ts'

/** Channel that tells the instances to forget what they know. */
export const ACCESS_CHANNEL = 'access'

/** How long they are known without a notification: a change of another process on SQLite is noticed within it. */
const KNOWN_FOR = 5 * SECOND

const MOST_KNOWN = 10_000

/** They hold the certificates of authorities. */
const MOST_CONTEXTS = 1000

/** Roles of applications, subscriptions and their security contexts: they change seldom, and every call needs them. */
export class KnownAccess {
  readonly #store: Context['store']
  readonly #clock: Clock
  #known: Known

  constructor({ store, clock, closing }: Pick<Context, 'store' | 'clock' | 'closing'>) {
    this.#store = store
    this.#clock = clock
    this.#known = nothingKnown(clock)
    const stop = store.listen(ACCESS_CHANNEL, () => this.forget())
    closing.add('the roles of applications', async () => stop())
  }

  /** What is being read meanwhile goes with the rest: it may be older than the change. */
  forget(): void {
    this.#known = nothingKnown(this.#clock)
  }

  standingOf(applicationId: string): Promise<Standing> {
    return remembered(this.#known.standings, applicationId, () => standingOf(this.#store.db, applicationId))
  }

  subscription(id: string): Promise<SubscriptionRow | undefined> {
    return remembered(this.#known.subscriptions, id, () => findSubscription(this.#store.db, id))
  }

  securityContext(subscriptionId: string, id: string): Promise<SecurityContextRow | undefined> {
    const key = `${subscriptionId} ${id}`
    return remembered(this.#known.contexts, key, () => findContext(this.#store.db, subscriptionId, id))
  }
}

type Cache<Value> = LruCache<string, Promise<Value>>

interface Known {
  readonly standings: Cache<Standing>
  readonly subscriptions: Cache<SubscriptionRow | undefined>
  readonly contexts: Cache<SecurityContextRow | undefined>
}

const nothingKnown = (clock: Clock): Known => {
  const ttl = { milliseconds: KNOWN_FOR, clock }
  return {
    standings: new LruCache(MOST_KNOWN, { ttl }),
    subscriptions: new LruCache(MOST_KNOWN, { ttl }),
    contexts: new LruCache(MOST_CONTEXTS, { ttl }),
  }
}

function remembered<Value>(cache: Cache<Value>, key: string, read: () => Promise<Value>): Promise<Value> {
  const known = cache.get(key)
  if (known) return known
  const value = read()
  cache.set(key, value)
  value.catch(() => cache.delete(key))
  return value
}
