import { randomBytes } from 'node:crypto'
import { type Clock, plus, SECOND } from '@chancela/service-kernel/clock'
import type { Account, Credential } from '../accounts.ts'
import { CscRefusal } from './refusals.ts'
import type { CscVersionName } from './versions.ts'

/** What a holder authorized a client to sign. */
export interface Authorized {
  readonly credential: Credential
  /** Signatures that may still be made. */
  left: number
  /** Base64 of the only hashes that may still be signed, one entry for each time; undefined where not listed. */
  hashes: string[] | undefined
}

interface Token {
  readonly version: CscVersionName
  readonly clientId: string
  readonly account: Account
  readonly expiresAt: Date
}

export interface ServiceToken extends Token {
  readonly scope: 'service'
}

/**
 * Signature activation data, or a token of scope `credential`. As SAD one call of signHash uses it up; afterwards it is
 * only valid for credentials/extendTransaction.
 */
export interface CredentialToken extends Token {
  readonly scope: 'credential'
  readonly authorized: Authorized
  spent: boolean
}

type AnyToken = ServiceToken | CredentialToken

/** The tokens this server gave out. */
export class Tokens {
  readonly #clock: Clock
  readonly #tokens = new Map<string, AnyToken>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  issue(
    token: Omit<ServiceToken, 'expiresAt'> | Omit<CredentialToken, 'expiresAt' | 'spent'>,
    seconds: number,
  ): string {
    const value = randomBytes(32).toString('base64url')
    const expiresAt = plus(this.#clock(), seconds * SECOND)
    this.#tokens.set(value, token.scope === 'service' ? { ...token, expiresAt } : { ...token, expiresAt, spent: false })
    return value
  }

  /** The token a call authenticates with. */
  bearer(value: string | undefined, version: CscVersionName): AnyToken {
    if (value === undefined) {
      throw new CscRefusal(
        'The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed.',
      )
    }
    const token = this.#tokens.get(value)
    if (!token || token.version !== version) {
      throw new CscRefusal('The token provided is not a valid OAuth access or refresh token.')
    }
    if (this.#isOver(token)) throw new CscRefusal('The access or refresh token is expired or has been revoked.')
    return token
  }

  /** Signature activation data of this credential; one user's bearer cannot sign with another user's. */
  sad(value: string, credential: Credential, bearer: AnyToken): CredentialToken {
    const token = this.#tokens.get(value)
    if (
      token?.scope !== 'credential' ||
      token.authorized.credential !== credential ||
      token.clientId !== bearer.clientId ||
      token.account !== bearer.account
    ) {
      throw new CscRefusal('Invalid parameter SAD')
    }
    if (this.#isOver(token)) throw new CscRefusal('SAD expired')
    return token
  }

  /** Deletes a token; an unknown one counts as revoked. */
  revoke(value: string, clientId: string): void {
    if (this.#tokens.get(value)?.clientId === clientId) this.#tokens.delete(value)
  }

  #isOver({ expiresAt }: AnyToken): boolean {
    return this.#clock() >= expiresAt
  }
}
