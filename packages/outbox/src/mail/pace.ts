import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, MINUTE } from '@chancela/service-kernel/clock'

/** Polling interval of a waiting turn, in milliseconds. */
const LOOK_MS = 100

/** Limits the rate: so many turns within any minute. */
export class Pace {
  readonly #perMinute: number
  readonly #clock: Clock
  /** Times of the last turns, the oldest first; at most as many as a minute may have. */
  readonly #taken: number[] = []
  #closed = false

  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute
    this.#clock = clock
  }

  /** Resolves when the caller may go on; rejects when the signal is aborted first. */
  async turn(signal: AbortSignal): Promise<void> {
    while (!this.#take()) await delay(LOOK_MS, undefined, { signal })
  }

  /** Grants no more turns. */
  close(): void {
    this.#closed = true
  }

  #take(): boolean {
    const now = this.#clock().getTime()
    while (this.#taken.length > 0 && this.#taken[0]! <= now - MINUTE) this.#taken.shift()
    if (this.#closed || this.#taken.length >= this.#perMinute) return false
    if (Number.isFinite(this.#perMinute)) this.#taken.push(now)
    return true
  }
}
