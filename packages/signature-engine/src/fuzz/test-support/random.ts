/** Reproducible random choices: the same seed makes the same case on every machine. */
export class Random {
  #state: number

  constructor(seed: number, index = 0) {
    // Neighbouring seeds and indices must not start alike: two odd multipliers spread them over all bits.
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
    for (let i = 0; i < 4; i++) this.#next()
  }

  /** A whole number from 0 up to, but without, the limit. */
  below(limit: number): number {
    return Math.floor((this.#next() / 2 ** 32) * limit)
  }

  /** A whole number, both ends included. */
  between(from: number, to: number): number {
    return from + this.below(to - from + 1)
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!
  }

  chance(share: number): boolean {
    return this.#next() / 2 ** 32 < share
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.below(256)))
  }

  // mulberry32: 32 bits of state are plenty for choosing where to break a file.
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}
