/** Calls on one session that must not overlap; those of other sessions do not wait. */
export class Turns {
  readonly #running = new Map<string, Promise<unknown>>()

  /** Waits for the call under way; false when there is none. */
  async wait(id: string): Promise<boolean> {
    const running = this.#running.get(id)
    await running?.catch(() => {})
    return running !== undefined
  }

  /** Nothing when another call was under way: this one has waited for it, and is to be judged again. */
  async run<T>(id: string, call: () => Promise<T>): Promise<T | undefined> {
    // Between asking and taking the turn nothing is awaited: of two that find it free, one has taken it.
    if (this.#running.has(id)) {
      await this.wait(id)
      return undefined
    }
    const running = call().finally(() => this.#running.delete(id))
    this.#running.set(id, running)
    return running
  }
}
