import { refusePkcs12 } from './errors.ts'

/** Limit of key derivation rounds per file: a hostile file names billions. */
export class DerivationBudget {
  readonly #limit: number
  #left: number

  constructor(limit: number) {
    this.#limit = limit
    this.#left = limit
  }

  /** Reserves rounds before they are used. */
  spend(rounds: number): void {
    if (rounds > this.#left) throw refusePkcs12('pkcs12.too-expensive', { limit: this.#limit })
    this.#left -= rounds
  }
}
