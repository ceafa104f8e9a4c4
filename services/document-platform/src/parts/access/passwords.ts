import { clientNetwork } from '@chancela/service-kernel/http'
import { hashPassword, isPassword, weaknessOf } from '@chancela/service-kernel/secrets'
import { refuse } from '../../rules/refuse.ts'

/** Fewer characters are guessed. */
const SHORTEST_PASSWORD = 10

/** The passwords of accounts. Whoever sends one waits for a turn; the callers of an address share its turns. */
export class Passwords {
  readonly #cost: number

  /** The cost is that of `Auth:PasswordCost`. */
  constructor(cost: number) {
    this.#cost = cost
  }

  /** Whether it is the password of a hash; without a hash never, after the same work. */
  isRight(password: string, hash: string | null | undefined, ip: string): Promise<boolean> {
    return isPassword(password, hash, this.#cost, clientNetwork(ip))
  }

  /** The hash of a new password. Refused when guessers try it first, who know names, addresses and organizations. */
  async hashNew(
    password: string,
    about: readonly string[],
    { ip, field = 'password' }: { readonly ip: string; readonly field?: string },
  ): Promise<string> {
    if (password.length < SHORTEST_PASSWORD)
      throw refuse('InvalidRequest', { [field]: `has fewer than ${SHORTEST_PASSWORD} characters` })
    const weakness = weaknessOf(password, about)
    if (weakness) throw refuse('PasswordTooCommon', { [field]: weakness })
    return hashPassword(password, this.#cost, clientNetwork(ip))
  }
}
