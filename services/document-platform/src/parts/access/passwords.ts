import { Semaphore } from '@chancela/service-kernel/concurrency'
import { hashPassword, isPassword, weaknessOf } from '@chancela/service-kernel/secrets'
import { refuse } from '../../rules/refuse.ts'

/** Fewer characters are guessed. */
const SHORTEST_PASSWORD = 10

/** Hashes made at once: each takes one of the four threads that also read files. */
const AT_ONCE = 2

/** The passwords of accounts. */
export class Passwords {
  readonly #cost: number
  readonly #running = new Semaphore(AT_ONCE)

  /** The cost is that of `Auth:PasswordCost`. */
  constructor(cost: number) {
    this.#cost = cost
  }

  /** Whether it is the password of a hash; without a hash never, after the same work. */
  isRight(password: string, hash: string | null | undefined): Promise<boolean> {
    return this.#inTurn(() => isPassword(password, hash, this.#cost))
  }

  /** The hash of a new password. Refused when guessers try it first, who know names, addresses and organizations. */
  async hashNew(password: string, about: readonly string[], field = 'password'): Promise<string> {
    if (password.length < SHORTEST_PASSWORD)
      throw refuse('InvalidRequest', { [field]: `has fewer than ${SHORTEST_PASSWORD} characters` })
    const weakness = weaknessOf(password, about)
    if (weakness) throw refuse('PasswordTooCommon', { [field]: weakness })
    return this.#inTurn(() => hashPassword(password, this.#cost))
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const giveBack = await this.#running.take()
    try {
      return await work()
    } finally {
      giveBack()
    }
  }
}
