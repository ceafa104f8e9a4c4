import type { DigestAlgorithm } from '../sessions/live-session.ts'
import type { ServerToken, TokenLogin } from './server-token.ts'

/** What a session on a token of the server rests on: a login there. */
export class TokenKey {
  readonly #token: ServerToken
  readonly #login: TokenLogin
  readonly #fingerprint: string
  #wiped = false

  constructor(token: ServerToken, login: TokenLogin, fingerprint: string) {
    this.#token = token
    this.#login = login
    this.#fingerprint = fingerprint
    login.holds++
  }

  /** The name of the token in the settings. */
  get token(): string {
    return this.#token.name
  }

  /** Whether the login is there as far as the service knows. */
  get isThere(): boolean {
    return !this.#wiped && this.#token.isLoggedIn(this.#login)
  }

  /** Asks the token. */
  async check(): Promise<boolean> {
    return this.isThere && (await this.#token.check(this.#login))
  }

  /** The raw signature; undefined when the login is gone. Throws TokenProblem where the token is there and fails. */
  async sign(digest: Uint8Array, algorithm: DigestAlgorithm, signal: AbortSignal): Promise<Uint8Array | undefined> {
    if (this.#wiped) return undefined
    return this.#token.sign(this.#login, { fingerprint: this.#fingerprint, digest, algorithm }, signal)
  }

  /** The session has ended. With the last one on a holder's token its login ends, too. */
  wipe(): void {
    if (this.#wiped) return
    this.#wiped = true
    this.#token.release(this.#login)
  }
}
