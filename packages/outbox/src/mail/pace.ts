import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, MINUTE } from '@chancela/service-kernel/clock'

/** How often one who waits for a turn looks at the clock, in milliseconds. */
const LOOK_MS = 100

/** Hands out turns, so many within any minute. */
export class Pace {
  readonly #perMinute: number
  readonly #clock: Clock
  /** When the last turns were taken, the oldest first; never more than a minute may have. */
  readonly #taken: number[] = []
  #closed = false

  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute
    this.#clock = clock
  }

  /** Resolves when it is one's turn; rejects when the signal is aborted first. */
  async turn(signal: AbortSignal): Promise<void> {
    while (!this.#take()) await delay(LOOK_MS, undefined, { signal })
  }

  /** Nobody gets a turn any more. */
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
