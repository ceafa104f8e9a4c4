import { createHash, randomBytes } from 'node:crypto'

/** What proves that whoever brings a code is who asked for it (RFC 7636). */
export interface Pkce {
  /** Kept until the code comes; 86 characters. */
  readonly verifier: string
  /** Its S256 challenge, a parameter of the authorization. */
  readonly challenge: string
}

/** A new one for every redirect. */
export function newPkce(): Pkce {
  const verifier = randomBytes(64).toString('base64url')
  return { verifier, challenge: challengeOf(verifier) }
}

/** The S256 challenge of a verifier that was kept. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
