/** Bounds the bytes that jobs hold in memory; whoever would exceed the bound waits its turn, first come first served. */
export class ByteBudget {
  readonly #limit: number
  #used = 0
  readonly #waiting: { readonly bytes: number; start(): void }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Whether the next small job may still be picked up. */
  get hasRoom(): boolean {
    return this.#used < this.#limit && this.#waiting.length === 0
  }

  /** Takes a share; what is larger than the whole budget runs alone. Returns the way to give it back, once. */
  async take(bytes: number): Promise<() => void> {
    const share = Math.min(bytes, this.#limit)
    if (this.#waiting.length > 0 || this.#used + share > this.#limit)
      await new Promise<void>((start) => this.#waiting.push({ bytes: share, start }))
    else this.#used += share
    let given = false
    return () => {
      if (given) return
      given = true
      this.#used -= share
      this.#startNext()
    }
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next && this.#used + next.bytes <= this.#limit; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#used += next.bytes
      next.start()
    }
  }
}
