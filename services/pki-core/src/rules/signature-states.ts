import type { MoveTable } from '@chancela/service-kernel/states'

/**
 * States of a prepared signature. It is completed with its document, in one transaction: until then it may be tried
 * again, and of two completions one makes the document.
 */
export type PreparedSignatureState = 'Prepared' | 'Completed'

export const preparedSignatureMoves = {
  complete: { from: ['Prepared'], to: 'Completed' },
} as const satisfies MoveTable<PreparedSignatureState>
