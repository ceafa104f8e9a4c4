/** Limits the bytes held in memory at the same time by all users of the budget. */
export class ByteBudget {
  readonly #limit: number
  #held = 0
  readonly #waiting: { readonly bytes: number; start(): void }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  get held(): number {
    return this.#held
  }

  /** Whether something small could still be taken at once. */
  get hasRoom(): boolean {
    return this.#held < this.#limit && this.#waiting.length === 0
  }

  /**
   * Takes a share, waiting in order of arrival; one larger than the whole budget is held alone. Returns a function that
   * gives it back, once.
   */
  async take(bytes: number): Promise<() => void> {
    const share = Math.min(bytes, this.#limit)
    if (!this.tryTake(share)) await new Promise<void>((start) => this.#waiting.push({ bytes: share, start }))
    let isHeld = true
    return () => {
      if (isHeld) this.give(share)
      isHeld = false
    }
  }

  /** Takes a share at once, or none; what was taken is given back with `give`. */
  tryTake(bytes: number): boolean {
    if (this.#waiting.length > 0 || this.#held + bytes > this.#limit) return false
    this.#held += bytes
    return true
  }

  give(bytes: number): void {
    this.#held -= bytes
    this.#startNext()
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next && this.#held + next.bytes <= this.#limit; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#held += next.bytes
      next.start()
    }
  }
}
