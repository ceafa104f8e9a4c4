import type { MoveTable } from '@chancela/service-kernel/states'

/**
 * - `pending`: the holder was sent to the provider.
 * - `authorized`: usable until it expires.
 * - `reserved`: its one provider call is running; calls meanwhile are too late. A crash leaves it here: it is unknown
 *   whether the provider signed.
 * - `used`: its one provider call was made, or all it was bound to is signed.
 * - `refused`: the holder or the provider refused.
 * - `late`: the holder returned after the deadline; it is expired from the start.
 * - `ended`: the client ended it, or the provider no longer accepts it.
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
  /** The last hash of its list was signed. */
  finish: { from: ['authorized'], to: 'used' },
  end: { from: ['pending', 'authorized', 'reserved'], to: 'ended' },
} as const satisfies MoveTable<SessionState>
