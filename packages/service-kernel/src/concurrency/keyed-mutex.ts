/** Runs what belongs to one key one after the other, in the order it came; other keys do not wait. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<void>>()
  readonly #inside = new Map<string, number>()

  /** How many of a key run or wait. */
  inside(key: string): number {
    return this.#inside.get(key) ?? 0
  }

  /** Runs the work when its turn has come; gives up waiting when the signal says so. */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve()
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    // Whoever comes next waits for both: a call that gives up must not let its successor pass one that still runs.
    const last = before.then(() => ended)
    this.#last.set(key, last)
    this.#count(key, 1)
    try {
      await unlessAborted(signal, before)
      return await work()
    } finally {
      end()
      this.#count(key, -1)
      void last.then(() => this.#last.get(key) === last && this.#last.delete(key))
    }
  }

  #count(key: string, more: 1 | -1): void {
    const now = this.inside(key) + more
    if (now === 0) this.#inside.delete(key)
    else this.#inside.set(key, now)
  }
}

function unlessAborted(signal: AbortSignal, waited: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    if (signal.aborted) return giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    void waited.then(() => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    })
  })
}
