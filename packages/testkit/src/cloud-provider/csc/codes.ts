import { createHash, randomBytes } from 'node:crypto'
import { type Clock, MINUTE, plus } from '@chancela/service-kernel/clock'
import type { Account } from '../accounts.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { CscRefusal } from './refusals.ts'

/** What a holder consented to; a code refers to it. */
export interface Consented {
  readonly request: AuthorizationRequest
  readonly account: Account
}

const CODE_MINUTES = 2

/** The codes that were not exchanged yet. */
export class Codes {
  readonly #clock: Clock
  readonly #codes = new Map<string, Consented & { readonly until: Date }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  issue(consented: Consented): string {
    const code = randomBytes(24).toString('base64url')
    this.#codes.set(code, { ...consented, until: plus(this.#clock(), CODE_MINUTES * MINUTE) })
    return code
  }

  /** Takes a code. It is used up, whatever is wrong with the request. */
  take(
    code: string,
    given: { clientId: string; redirectUri: string | undefined; verifier: string | undefined },
  ): Consented {
    const found = this.#codes.get(code)
    this.#codes.delete(code)
    if (!found || found.until <= this.#clock() || found.request.client.clientId !== given.clientId) {
      throw new CscRefusal('Authorization code is invalid or expired')
    }
    const { redirectUri, challenge } = found.request
    if (redirectUri.sent && redirectUri.value !== given.redirectUri) {
      throw new CscRefusal('redirect_uri parameter does not match redirect_uri parameter of authorization request')
    }
    if (challenge && !challenge.isMetBy(given.verifier))
      throw new CscRefusal('Authorization code is invalid or expired')
    return found
  }
}

/** A PKCE challenge (RFC 7636). */
export interface Challenge {
  isMetBy(verifier: string | undefined): boolean
}

const transformations: Readonly<Record<string, (verifier: string) => string>> = {
  plain: (verifier) => verifier,
  S256: (verifier) => createHash('sha256').update(verifier).digest('base64url'),
}

/** The challenge of a request, undefined where there is none. */
export function challengeOf(value: string | undefined, method = 'plain'): Challenge | undefined {
  if (value === undefined) return undefined
  const transform = transformations[method]
  if (!transform) throw new CscRefusal('Invalid parameter code_challenge_method')
  return { isMetBy: (verifier) => verifier !== undefined && transform(verifier) === value }
}
