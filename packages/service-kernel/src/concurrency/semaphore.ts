interface Waiting {
  go(): void
  refuse(reason: unknown): void
}

/** Lets a number of users in at the same time; the others wait, first come first served. */
export class Semaphore {
  #free: number
  readonly #waiting: Waiting[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Resolves with the way to give the place back; throws the signal's reason when its user gave up before. */
  async take(signal?: AbortSignal): Promise<() => void> {
    await this.acquire(signal)
    let isHeld = true
    return () => {
      if (isHeld) this.release()
      isHeld = false
    }
  }

  /** Like `take`, for users who release once and not more: they need not be handed the way. */
  acquire(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#free === 0) return new Promise((go, refuse) => this.#wait({ go, refuse }, signal))
    this.#free -= 1
    return Promise.resolve()
  }

  /** Handed on while it still counts as taken, so that nobody slips in between. */
  release(): void {
    const next = this.#waiting.shift()
    if (next) next.go()
    else this.#free += 1
  }

  /** Sends away all who wait. */
  refuseWaiting(reason: unknown): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse(reason)
  }

  #wait(waiting: Waiting, signal: AbortSignal | undefined): void {
    this.#waiting.push(signal ? this.#leavingOn(signal, waiting) : waiting)
  }

  /** Listens no longer than it waits: the signal may live as long as the service. */
  #leavingOn(signal: AbortSignal, { go, refuse }: Waiting): Waiting {
    const leave = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      refuse(signal.reason)
    }
    const stopListening = () => signal.removeEventListener('abort', leave)
    const waiting: Waiting = {
      go: () => {
        stopListening()
        go()
      },
      refuse: (reason) => {
        stopListening()
        refuse(reason)
      },
    }
    signal.addEventListener('abort', leave, { once: true })
    return waiting
  }
}
