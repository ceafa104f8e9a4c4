import { createHash, randomBytes } from 'node:crypto'

/** Proves that whoever presents a code requested it (RFC 7636). */
export interface Pkce {
  /** Stored until the code arrives; 86 characters. */
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
