import type { SignerClaims } from '@chancela/signature-engine'

/** What the signer states of the signature, on the command line. */
export interface ClaimOptions {
  readonly role?: readonly string[]
  readonly commitment?: readonly string[]
  readonly city?: string
  readonly state?: string
  readonly country?: string
}

/** The claims of a signature; the engine refuses those that it cannot make. */
export function claimsOf(options: ClaimOptions): { readonly claims?: SignerClaims } {
  const { role, commitment, city, state, country } = options
  const place = {
    ...(city !== undefined && { city }),
    ...(state !== undefined && { state }),
    ...(country !== undefined && { country }),
  }
  const claims = {
    ...(role && { roles: role }),
    ...(commitment && { commitments: commitment }),
    ...(Object.keys(place).length > 0 && { place }),
  }
  return Object.keys(claims).length > 0 ? { claims } : {}
}
