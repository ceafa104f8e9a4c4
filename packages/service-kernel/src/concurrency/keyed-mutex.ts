import { Semaphore } from './semaphore.ts'

interface Line {
  readonly semaphore: Semaphore
  /** How many run or wait. */
  inside: number
}

/** Runs the work of one key one after the other, in order of arrival; other keys do not wait. */
export class KeyedMutex {
  readonly #lines = new Map<string, Line>()

  /** How many of a key run or wait. */
  inside(key: string): number {
    return this.#lines.get(key)?.inside ?? 0
  }

  isHeld(key: string): boolean {
    return this.#lines.has(key)
  }

  /** Waits for the current users of a key; false when there are none. */
  async wait(key: string): Promise<boolean> {
    if (!this.isHeld(key)) return false
    await this.run(key, async () => {})
    return true
  }

  /**
   * Runs the work when it is its turn; stops waiting when the signal is aborted. The key is held from the call on: of
   * two callers that find it free and await nothing before `run`, only one gets it.
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const line = this.#join(key)
    try {
      await line.semaphore.acquire(signal)
      try {
        return await work()
      } finally {
        line.semaphore.release()
      }
    } finally {
      this.#leave(key, line)
    }
  }

  #join(key: string): Line {
    const line = this.#lines.get(key) ?? { semaphore: new Semaphore(1), inside: 0 }
    this.#lines.set(key, line)
    line.inside += 1
    return line
  }

  #leave(key: string, line: Line): void {
    line.inside -= 1
    if (line.inside === 0) this.#lines.delete(key)
  }
}
