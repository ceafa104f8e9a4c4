import type { MoveTable } from '@chancela/service-kernel/states'

/** States of a signature session (pki-core facts 4.1). */
export type SessionStatus = 'Pending' | 'Processing' | 'Completed' | 'UserCancelled' | 'Expired' | 'ProcessingError'

/** Every way a session may change. Without background processing it goes from Pending to Completed at once. */
export const sessionMoves = {
  process: { from: ['Pending'], to: 'Processing' },
  complete: { from: ['Pending'], to: 'Completed' },
  cancel: { from: ['Pending'], to: 'UserCancelled' },
  expire: { from: ['Pending'], to: 'Expired' },
  conclude: { from: ['Processing'], to: 'Completed' },
  fail: { from: ['Processing'], to: 'ProcessingError' },
} as const satisfies MoveTable<SessionStatus>

export type SessionDocumentStatus = 'PendingSignature' | 'Processing' | 'Completed' | 'ProcessingError'

export const sessionDocumentMoves = {
  process: { from: ['PendingSignature'], to: 'Processing' },
  complete: { from: ['PendingSignature', 'Processing'], to: 'Completed' },
  fail: { from: ['Processing'], to: 'ProcessingError' },
} as const satisfies MoveTable<SessionDocumentStatus>

/** Nobody signs in a session whose time is over, whether or not the sweep has been there. */
export const statusAt = (
  { status, expires_at }: { readonly status: SessionStatus; readonly expires_at: string },
  now: Date,
): SessionStatus => (status === 'Pending' && expires_at <= now.toISOString() ? 'Expired' : status)

/** How far a session is, from 0 to 100. */
export function progressOf(documents: readonly { readonly status: SessionDocumentStatus }[]): number {
  const ended = documents.filter(({ status }) => status === 'Completed' || status === 'ProcessingError').length
  return documents.length === 0 ? 0 : Math.floor((ended * 100) / documents.length)
}
