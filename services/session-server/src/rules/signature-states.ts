import type { MoveTable } from '@chancela/service-kernel/states'
import type { signatureStates } from '../contract/console-activity.ts'

export type SignatureState = (typeof signatureStates)[number]

/** Every way a signature may change state. The table is the rule; no other code assigns `state`. */
export const signatureMoves = {
  /** The signature service has the document: the client is answered 202 from here on. */
  accept: { from: ['Sending', 'Unknown', 'Failed'], to: 'Accepted' },
  /**
   * The document did not reach the signature service. One whose server was killed is looked for once more, and accepted
   * to be canceled where its creation was still on the way.
   */
  fail: { from: ['Sending', 'Unknown', 'Failed'], to: 'Failed' },
  /** Straight from the first state where the document came to be with its signature. */
  sign: { from: ['Sending', 'Accepted', 'Unknown'], to: 'Signed' },
  /** No signature could be made: the document was canceled at the signature service, so that nobody waits for it. */
  cancel: { from: ['Accepted', 'Unknown'], to: 'Canceled' },
  /** Its outcome is unknown; it is checked again. */
  lose: { from: ['Sending', 'Accepted'], to: 'Unknown' },
} as const satisfies MoveTable<SignatureState>
