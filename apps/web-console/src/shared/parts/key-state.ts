/** When a key stopped being accepted, and when it will; null for never. */
export interface KeyTimes {
  readonly revokedAt: string | null
  readonly expiresAt: string | null
}

/** Whether calls with a key are accepted. */
export function keyState({ revokedAt, expiresAt }: KeyTimes, now: number): 'valid' | 'revoked' | 'expired' {
  if (revokedAt !== null) return 'revoked'
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'valid'
}
