import { Semaphore } from '../../concurrency/index.ts'

/** How long one user may hold the connection, in milliseconds, before waiting users are refused. */
const HOLD_LIMIT_MS = 30_000

/**
 * Lets one user at a time work on a SQLite file, in order of arrival. All stores of this process on one file share the
 * lock: a second connection would find the file locked by the first, and ask for it again and again.
 */
export class ConnectionLock {
  readonly #semaphore = new Semaphore(1)
  #limit: NodeJS.Timeout | undefined

  /** Nobody holds it, and nobody waits. */
  get isFree(): boolean {
    return this.#semaphore.isFree
  }

  take(): Promise<void> {
    const taken = this.#semaphore.acquire()
    if (!this.#limit) this.#limitHold()
    return taken
  }

  /** For who has let others in between and must go on: a refusal of those that wait does not concern it. */
  async takeAgain(): Promise<void> {
    for (;;) {
      try {
        return await this.take()
      } catch {
        // Whoever held it for too long is refused as well, and gives it back.
      }
    }
  }

  release(): void {
    clearTimeout(this.#limit)
    this.#limit = undefined
    this.#semaphore.release()
    this.#limitHold()
  }

  /** The limit applies only while somebody waits. */
  #limitHold(): void {
    if (this.#semaphore.waiting === 0) return
    this.#limit = setTimeout(() => {
      this.#limit = undefined
      this.#semaphore.refuseWaiting(new Error(HELD_TOO_LONG))
    }, HOLD_LIMIT_MS)
  }
}

const HELD_TOO_LONG =
  'A transaction has held the SQLite connection for 30 seconds: inside one, query with `tx` only and await no foreign work.'
