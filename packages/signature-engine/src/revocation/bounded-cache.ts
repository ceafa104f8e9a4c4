/** An LRU cache, limited by the weight of its values. */
export class BoundedCache<Value> {
  readonly #values = new Map<string, { readonly value: Value; readonly weight: number }>()
  readonly #limit: number
  #weight = 0

  /** `limit` is in the unit of the weights given to `set`. */
  constructor(limit: number) {
    this.#limit = limit
  }

  get(key: string): Value | undefined {
    const held = this.#values.get(key)
    if (!held) return undefined
    this.#values.delete(key)
    this.#values.set(key, held)
    return held.value
  }

  set(key: string, value: Value, weight: number): void {
    this.delete(key)
    if (weight > this.#limit) return
    this.#values.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= this.#limit) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0
    this.#values.delete(key)
  }
}
