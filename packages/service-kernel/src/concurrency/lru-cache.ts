/** What was needed lately: the oldest goes when there is no more room. */
export class LruCache<Value> {
  readonly #room: number
  readonly #values = new Map<string, Value>()

  constructor(room: number) {
    this.#room = room
  }

  get(name: string): Value | undefined {
    const value = this.#values.get(name)
    if (value !== undefined) this.set(name, value)
    return value
  }

  set(name: string, value: Value): void {
    this.#values.delete(name)
    this.#values.set(name, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > this.#room && oldest !== undefined) this.#values.delete(oldest)
  }
}
