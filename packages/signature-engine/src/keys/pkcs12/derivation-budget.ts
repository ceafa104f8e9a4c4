import { refusePkcs12 } from './errors.ts'

/** How many rounds of key derivation one file may cost in all: a hostile file names billions. */
export class DerivationBudget {
  readonly #limit: number
  #left: number

  constructor(limit: number) {
    this.#limit = limit
    this.#left = limit
  }

  /** Takes rounds out of the budget before they are spent. */
  spend(rounds: number): void {
    if (rounds > this.#left) throw refusePkcs12('pkcs12.too-expensive', { limit: this.#limit })
    this.#left -= rounds
  }
}
