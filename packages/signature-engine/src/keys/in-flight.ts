/** Lets a bounded number of operations run at once; the others wait their turn, first come first served. */
export class InFlight {
  #limit: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** A new bound holds from the next operation on. */
  set limit(limit: number) {
    this.#limit = Math.max(1, limit)
    while (this.#running < this.#limit && this.#waiting.length > 0) this.#start(this.#waiting.shift()!)
  }

  /** Runs the operation when there is room. */
  async run<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limit) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await operation()
    } finally {
      this.#running--
      const next = this.#waiting.shift()
      if (next && this.#running < this.#limit) this.#start(next)
      else if (next) this.#waiting.unshift(next)
    }
  }

  // The place is taken here and not when the waiter wakes: a newcomer could slip in between.
  #start(next: () => void): void {
    this.#running++
    next()
  }
}

// libuv's pool is first in, first out, and files and name lookups stand in the same line: with a hundred signatures
// queued, an fsync would wait for all of them. Sixteen keep two to eight threads busy (performance.md §1).
const signatures = new InFlight(16)

/** Runs a signature on the thread pool; all keys of the process share the bound. */
export const whenThereIsRoom = <T>(operation: () => Promise<T>): Promise<T> => signatures.run(operation)

/** How many signatures the process hands to its thread pool at once; default 16. */
export function limitSignaturesInFlight(count: number): void {
  signatures.limit = count
}
