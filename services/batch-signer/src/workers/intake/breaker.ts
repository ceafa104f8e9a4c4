import { MINUTE, SECOND } from '@chancela/service-kernel/clock'

/** Consecutive failures to enqueue that stop a folder (batch-signer facts 2.1). */
const MOST_FAILURES = 10

const FIRST_PAUSE = 2 * SECOND
const LONGEST_PAUSE = 5 * MINUTE

/**
 * Stops a folder whose files cannot be enqueued ten times in a row, and lets it try again after a pause that doubles: one
 * failure of the trial stops it again, one success ends the matter.
 */
export class Breaker {
  #failures = 0
  #pause = FIRST_PAUSE
  #state: 'closed' | 'open' | 'trial' = 'closed'
  #lastError: string | undefined
  #until = 0

  /** Whether files may be offered. */
  get offers(): boolean {
    return this.#state !== 'open'
  }

  get isTrial(): boolean {
    return this.#state === 'trial'
  }

  /** Why the folder is stopped; nothing while it works. */
  get reason(): string | undefined {
    return this.#state === 'closed' ? undefined : this.#lastError
  }

  /** Milliseconds until a stopped folder tries again; times are of a monotonic clock. */
  pauseLeft(now: number): number {
    return Math.max(0, this.#until - now)
  }

  succeeded(): void {
    this.#failures = 0
    this.#pause = FIRST_PAUSE
    this.#state = 'closed'
  }

  /** True when this failure stopped the folder. */
  failed(error: string, now: number): boolean {
    if (this.#state === 'open') return false
    this.#failures += 1
    this.#lastError = error
    if (this.#state === 'closed' && this.#failures < MOST_FAILURES) return false
    if (this.#state === 'trial') this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE)
    this.#state = 'open'
    this.#until = now + this.#pause
    return true
  }

  /** Begins a trial when the pause is over; returns whether files may be offered. */
  tryAgain(now: number): boolean {
    if (this.#state === 'open' && now >= this.#until) this.#state = 'trial'
    return this.offers
  }

  /** Ends the pause: somebody else had success. */
  endPause(): void {
    this.#until = 0
  }
}
