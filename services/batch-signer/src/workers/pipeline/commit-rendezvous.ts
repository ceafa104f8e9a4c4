/** Longest time in milliseconds that the first job waits for others. */
const LONGEST_WAIT = 24
/** A larger group saves nothing more. */
const LARGEST = 64

/**
 * Makes jobs that are about to write to the ledger wait for each other, so that they share a transaction: with full
 * lanes, a commit per change would cost more than the signatures. With few jobs in flight nobody waits.
 */
export class CommitRendezvous {
  readonly #inFlight: () => number
  #waiting: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(inFlight: () => number) {
    this.#inFlight = inFlight
  }

  /** Resolves when half of the jobs in flight wait here, or when the first has waited long enough. */
  meet(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length >= Math.min(LARGEST, this.#inFlight() >> 1)) this.#go()
      else this.#timer ??= setTimeout(() => this.#go(), LONGEST_WAIT)
    })
  }

  #go(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
