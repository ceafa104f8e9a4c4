import { type Clock, SECOND } from '@chancela/service-kernel/clock'
import { LruCache } from '@chancela/service-kernel/concurrency'
import type { Context } from '../../context.ts'
import type { Standing } from '../../rules/rights.ts'
import { findSubscription, standingOf } from '../../store/subscriptions.ts'

/** Channel that tells the instances to forget roles and states that they know. */
export const ACCESS_CHANNEL = 'access'

/** How long they are known without a notification: a change of another process on SQLite is noticed within it. */
const KNOWN_FOR = 5 * SECOND

const MOST_KNOWN = 10_000

type State = 'open' | 'disabled' | 'unknown'

/** Roles of applications and states of subscriptions: they change seldom, and every call needs them. */
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

  stateOf(subscriptionId: string): Promise<State> {
    return remembered(this.#known.states, subscriptionId, async () => {
      const found = await findSubscription(this.#store.db, subscriptionId)
      if (!found) return 'unknown'
      return found.disabled_at === null ? 'open' : 'disabled'
    })
  }
}

type Cache<Value> = LruCache<string, Promise<Value>>

interface Known {
  readonly standings: Cache<Standing>
  readonly states: Cache<State>
}

const nothingKnown = (clock: Clock): Known => {
  const ttl = { milliseconds: KNOWN_FOR, clock }
  return { standings: new LruCache(MOST_KNOWN, { ttl }), states: new LruCache(MOST_KNOWN, { ttl }) }
}

function remembered<Value>(cache: Cache<Value>, key: string, read: () => Promise<Value>): Promise<Value> {
  const known = cache.get(key)
  if (known) return known
  const value = read()
  cache.set(key, value)
  value.catch(() => cache.delete(key))
  return value
}
