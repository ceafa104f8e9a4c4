// Wrong guesses at one account, whatever addresses they come from.

import { type Clock, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { LruCache } from '@chancela/service-kernel/concurrency'
import { FrameworkProblem } from '@chancela/service-kernel/errors'

// Accounts remembered; beyond it that of the oldest guess is forgotten. Guesses at addresses nobody has fill it, too.
const MOST_ACCOUNTS = 10_000

interface GuessLimits {
  readonly most: number
  /** How long a wrong guess counts, in milliseconds. */
  readonly window: number
}

/**
 * Counts are kept in memory: whoever guesses cannot restart the server, and a table would be theirs to fill. An account
 * nobody has is counted like any other, so that the limit tells nothing of who there is.
 */
export class Guesses {
  readonly #limits: GuessLimits
  readonly #clock: Clock
  readonly #made = new LruCache<string, readonly number[]>(MOST_ACCOUNTS)

  constructor({ MaxFailures, FailureMinutes }: { MaxFailures: number; FailureMinutes: number }, clock: Clock) {
    this.#limits = { most: MaxFailures, window: FailureMinutes * MINUTE }
    this.#clock = clock
  }

  /**
   * Counts a guess, or refuses it unjudged. It is counted before it is judged, so that a hundred made at once are not
   * more than a hundred made in turn. True when it is the last one allowed for now.
   */
  begin(account: string): boolean {
    const now = this.#clock().getTime()
    const made = this.#counting(account, now)
    if (made.length >= this.#limits.most) throw tooMany(made[0]! + this.#limits.window - now)
    this.#made.set(account, [...made, now])
    return made.length + 1 === this.#limits.most
  }

  /** The last guess was none: a right password without the code that goes with it. */
  takeBack(account: string): void {
    this.#made.set(account, (this.#made.peek(account) ?? []).slice(0, -1))
  }

  /** The right one was given: what was guessed before does not count any more. */
  forget(account: string): void {
    this.#made.delete(account)
  }

  #counting(account: string, now: number): readonly number[] {
    return (this.#made.peek(account) ?? []).filter((at) => at > now - this.#limits.window)
  }
}

const tooMany = (milliseconds: number): FrameworkProblem =>
  new FrameworkProblem('rate-limited', { headers: { 'retry-after': String(Math.ceil(milliseconds / SECOND)) } })
