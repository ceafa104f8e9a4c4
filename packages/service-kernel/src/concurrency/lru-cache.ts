import type { Clock } from '../clock/index.ts'

export interface LruOptions<Value> {
  /** The weight of a value. Default 1: the limit is a number of values. */
  weigh?(value: Value): number
  /** How long a value is kept. Default: until it is evicted. */
  readonly ttl?: { readonly milliseconds: number; readonly clock: Clock }
}

interface Entry<Value> {
  readonly value: Value
  readonly weight: number
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Keeps recently used values: the least recently used one is evicted when the limit is reached. */
export class LruCache<Key, Value> {
  readonly #most: number
  readonly #options: LruOptions<Value>
  /** A map keeps the order of insertion: least recently used first. */
  readonly #entries = new Map<Key, Entry<Value>>()
  #weight = 0

  /** `most`: the total weight of all values. */
  constructor(most: number, options: LruOptions<Value> = {}) {
    this.#most = most
    this.#options = options
  }

  get(key: Key): Value | undefined {
    const entry = this.#living(key)
    if (!entry) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Does not count as a use: costs less than `get`, and keeps the order of insertion. */
  peek(key: Key): Value | undefined {
    return this.#living(key)?.value
  }

  /** A value heavier than the limit, or with no time to live, is not stored. */
  set(key: Key, value: Value): void {
    this.delete(key)
    const { weigh, ttl } = this.#options
    const weight = weigh?.(value) ?? 1
    if (weight > this.#most || ttl?.milliseconds === 0) return
    const until = ttl ? ttl.clock().getTime() + ttl.milliseconds : Number.POSITIVE_INFINITY
    this.#entries.set(key, { value, weight, until })
    this.#weight += weight
    this.#makeRoom()
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key)
    if (!entry) return
    this.#entries.delete(key)
    this.#weight -= entry.weight
  }

  #living(key: Key): Entry<Value> | undefined {
    const entry = this.#entries.get(key)
    const { ttl } = this.#options
    if (!entry || !ttl) return entry
    const left = entry.until - ttl.clock().getTime()
    // More is left than there was: the clock was set back, and says nothing of how old the value is.
    if (left > 0 && left <= ttl.milliseconds) return entry
    this.delete(key)
    return undefined
  }

  #makeRoom(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#most) return
      this.delete(oldest)
    }
  }
}
