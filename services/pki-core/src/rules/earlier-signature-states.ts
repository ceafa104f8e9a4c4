import type { MoveTable } from '@chancela/service-kernel/states'

/**
 * States of a signature of the earlier generation: begun without a certificate, prepared for one, signed through the
 * browser, completed by whoever began it. Of several completions one makes the move, and only that one is answered.
 */
export type EarlierSignatureState = 'Started' | 'Prepared' | 'Signed' | 'Completed'

export const earlierSignatureMoves = {
  prepare: { from: ['Started', 'Prepared'], to: 'Prepared' },
  sign: { from: ['Prepared'], to: 'Signed' },
  complete: { from: ['Prepared', 'Signed'], to: 'Completed' },
} as const satisfies MoveTable<EarlierSignatureState>
