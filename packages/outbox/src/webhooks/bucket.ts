/** Token bucket: so many a second, and a burst of its capacity. */
export class Bucket {
  readonly perSecond: number
  readonly #most: number
  #left: number
  #at: number | undefined

  constructor(perSecond: number, most: number = perSecond) {
    this.perSecond = perSecond
    this.#most = most
    this.#left = most
  }

  /** Whether one more is allowed at this time, in milliseconds. */
  allows(now: number): boolean {
    const gained = this.#at === undefined ? 0 : ((now - this.#at) / 1000) * this.perSecond
    this.#left = Math.min(this.#most, this.#left + gained)
    this.#at = now
    return this.#left >= 1
  }

  take(): void {
    this.#left -= 1
  }

  /** Milliseconds until the next one is allowed, as of the last call. */
  get wait(): number {
    return Math.max(0, Math.ceil(((1 - this.#left) / this.perSecond) * 1000))
  }
}
