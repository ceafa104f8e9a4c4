// Wrong guesses at one account, from any address.

import { type Clock, MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { LruCache } from '@chancela/service-kernel/concurrency'
import { FrameworkProblem } from '@chancela/service-kernel/errors'

// Most accounts in memory; beyond it the one with the oldest guess is dropped. Guesses at unknown addresses count, too.
const MOST_ACCOUNTS = 10_000

interface GuessLimits {
  readonly most: number
  /** How long a wrong guess counts, in milliseconds. */
  readonly window: number
}

/**
 * Counts are in memory: an attacker cannot restart the server, but could fill a table. An unknown account is counted
 * like any other, so that the limit does not reveal which accounts exist.
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
   * Counts a guess, or refuses it unchecked. It is counted before it is checked, so that a hundred concurrent guesses
   * are no more than a hundred in turn. True when it is the last one allowed for now.
   */
  begin(account: string): boolean {
    const now = this.#clock().getTime()
    const made = this.#counting(account, now)
    if (made.length >= this.#limits.most) throw tooMany(made[0]! + this.#limits.window - now)
    this.#made.set(account, [...made, now])
    return made.length + 1 === this.#limits.most
  }

  /** Uncounts the last guess: a right password without the code that goes with it is no guess. */
  takeBack(account: string): void {
    this.#made.set(account, (this.#made.peek(account) ?? []).slice(0, -1))
  }

  /** The right password was given: earlier guesses no longer count. */
  forget(account: string): void {
    this.#made.delete(account)
  }

  #counting(account: string, now: number): readonly number[] {
    return (this.#made.peek(account) ?? []).filter((at) => at > now - this.#limits.window)
  }
}

const tooMany = (milliseconds: number): FrameworkProblem =>
  new FrameworkProblem('rate-limited', { headers: { 'retry-after': String(Math.ceil(milliseconds / SECOND)) } })
