import { requireArguments } from '../errors/arguments.ts'

/** Limits the number of concurrent operations; the others wait in order of arrival. */
export class InFlight {
  #limit: number
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** A new limit applies from the next operation on. */
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

  // The slot is taken here and not when the waiter wakes: another caller could get it in between.
  #start(next: () => void): void {
    this.#running++
    next()
  }
}

// libuv's pool is first in, first out, and shared with file operations and name lookups: with a hundred signatures
// queued, an fsync would wait for all of them. Sixteen keep two to eight threads busy (performance.md §1).
const signatures = new InFlight(16)

/** Runs a signature on the thread pool; all keys of the process share the limit. */
export const whenThereIsRoom = <T>(operation: () => Promise<T>): Promise<T> => signatures.run(operation)

/** How many signatures the process queues on its thread pool at once; default 16. */
export function limitSignaturesInFlight(count: number): void {
  requireArguments('limitSignaturesInFlight', { count: [count, 'number'] })
  signatures.limit = count
}
