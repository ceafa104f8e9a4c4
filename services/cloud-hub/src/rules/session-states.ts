import type { MoveTable } from '@chancela/service-kernel/states'

/**
 * - `pending`: the holder was sent to the provider.
 * - `authorized`: usable until it expires.
 * - `reserved`: its one provider call is under way; whoever comes meanwhile is too late. A crash leaves it here: nobody
 *   knows whether the provider signed.
 * - `used`: its one provider call was spent.
 * - `refused`: the holder or the provider said no.
 * - `late`: the holder came back after its time; it is born expired.
 * - `ended`: the client ended it, or the provider does not accept it any more.
 */
export type SessionState = 'pending' | 'authorized' | 'reserved' | 'used' | 'refused' | 'late' | 'ended'

/** Every way a session may change; no other code assigns the state. */
export const sessionMoves = {
  authorize: { from: ['pending'], to: 'authorized' },
  refuse: { from: ['pending'], to: 'refused' },
  comeLate: { from: ['pending'], to: 'late' },
  reserve: { from: ['authorized'], to: 'reserved' },
  /** Only on a refusal that proves that nothing was signed. */
  release: { from: ['reserved'], to: 'authorized' },
  use: { from: ['reserved'], to: 'used' },
  end: { from: ['pending', 'authorized', 'reserved'], to: 'ended' },
} as const satisfies MoveTable<SessionState>
