import type { Application } from '../api/types.ts'

type Key = Pick<Application['keys'][number], 'revocationDate' | 'expirationDate'>

type KeyState = 'valid' | 'revoked' | 'expired'

/** Whether calls with a key are accepted. */
export function keyState({ revocationDate, expirationDate }: Key, now: number): KeyState {
  if (revocationDate !== null) return 'revoked'
  return expirationDate !== null && Date.parse(expirationDate) <= now ? 'expired' : 'valid'
}
