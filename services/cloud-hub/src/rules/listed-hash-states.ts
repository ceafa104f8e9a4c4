import type { MoveTable } from '@chancela/service-kernel/states'
import type { ListedHashState } from '../contract/models.ts'

/**
 * Every way a hash of a session's list may change; no other code assigns the state.
 *
 * - `open`: may be signed.
 * - `sent`: was sent to the provider, and nobody knows of an end: the call is running, or it may have signed, or its
 *   server was killed. It is not sent again.
 * - `signed`: was signed.
 */
export const listedHashMoves = {
  send: { from: ['open'], to: 'sent' },
  sign: { from: ['sent'], to: 'signed' },
  /** Only on a refusal that proves that nothing was signed. */
  giveBack: { from: ['sent'], to: 'open' },
} as const satisfies MoveTable<ListedHashState>
