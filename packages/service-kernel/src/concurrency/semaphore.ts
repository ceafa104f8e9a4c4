interface Waiting {
  go(): void
  refuse(reason: unknown): void
}

/** Admits a number of users at the same time; the others wait in order of arrival. */
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

  /** Whether the next user is admitted at once. */
  get isFree(): boolean {
    return this.#free > 0
  }

  /** Resolves with a function that frees the slot; throws the signal's reason when it is aborted before. */
  async take(signal?: AbortSignal): Promise<() => void> {
    await this.acquire(signal)
    let isHeld = true
    return () => {
      if (isHeld) this.release()
      isHeld = false
    }
  }

  /** Like `take`, for users who call `release` exactly once: they need no function of their own. */
  acquire(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#free === 0) return new Promise((go, refuse) => this.#wait({ go, refuse }, signal))
    this.#free -= 1
    return Promise.resolve()
  }

  /** Passed on while it still counts as taken, so that no other user gets it in between. */
  release(): void {
    const next = this.#waiting.shift()
    if (next) next.go()
    else this.#free += 1
  }

  /** Rejects all waiting users. */
  refuseWaiting(reason: unknown): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse(reason)
  }

  #wait(waiting: Waiting, signal: AbortSignal | undefined): void {
    this.#waiting.push(signal ? this.#leavingOn(signal, waiting) : waiting)
  }

  /** Removes its listener when the wait ends: the signal may live as long as the service. */
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
