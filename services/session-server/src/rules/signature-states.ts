import type { MoveTable } from '@chancela/service-kernel/states'
import type { signatureStates } from '../contract/console-activity.ts'

export type SignatureState = (typeof signatureStates)[number]

/** Every way a signature may change state. The table is the rule; no other code assigns `state`. */
export const signatureMoves = {
  /** The signature service has the document: from here on the client is answered 202. */
  accept: { from: ['Sending', 'Unknown'], to: 'Accepted' },
  /** The document did not reach the signature service. */
  fail: { from: ['Sending', 'Unknown'], to: 'Failed' },
  sign: { from: ['Accepted', 'Unknown'], to: 'Signed' },
  /** No signature could be made: the document was canceled at the signature service, so that nobody waits for it. */
  cancel: { from: ['Accepted', 'Unknown'], to: 'Canceled' },
  /** Nobody can tell what became of it; it is looked at again. */
  lose: { from: ['Sending', 'Accepted'], to: 'Unknown' },
} as const satisfies MoveTable<SignatureState>
