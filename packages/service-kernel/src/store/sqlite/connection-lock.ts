/** How long one user may keep its turn, in milliseconds, before those who wait for it are refused. */
const HOLD_LIMIT_MS = 30_000

interface Waiting {
  go(): void
  refuse(reason: Error): void
}

/**
 * Gives one user at a time a turn at a SQLite file, in the order asked. All stores of this process on one file share
 * the lock: SQLite waits for a lock by stopping the thread, so that a second connection would stop the very
 * transaction it waits for.
 */
export class ConnectionLock {
  #taken = false
  #waiting: Waiting[] = []
  #limit: NodeJS.Timeout | undefined

  take(): Promise<void> {
    if (this.#taken) return new Promise((go, refuse) => this.#wait({ go, refuse }))
    this.#taken = true
    return Promise.resolve()
  }

  /** Hands the turn to the next while it is still marked as taken, so that nobody slips in between. */
  release(): void {
    clearTimeout(this.#limit)
    this.#limit = undefined
    const next = this.#waiting.shift()
    if (this.#waiting.length > 0) this.#limitHold()
    if (next) next.go()
    else this.#taken = false
  }

  #wait(waiting: Waiting): void {
    this.#waiting.push(waiting)
    if (!this.#limit) this.#limitHold()
  }

  #limitHold(): void {
    this.#limit = setTimeout(() => {
      this.#limit = undefined
      for (const { refuse } of this.#waiting.splice(0)) refuse(new Error(HELD_TOO_LONG))
    }, HOLD_LIMIT_MS)
  }
}

const HELD_TOO_LONG =
  'A transaction has held the SQLite connection for 30 seconds: inside one, query with `tx` only and await no foreign work.'
