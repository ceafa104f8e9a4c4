import type { MoveTable } from '@chancela/service-kernel/states'

/** States of a biometric session (pki-core facts 3.5): one that has ended is completed by a ticket, once. */
export type BioSessionState = 'Pending' | 'InProgress' | 'Succeeded' | 'Failed' | 'Aborted' | 'Expired'

export const bioSessionMoves = {
  consent: { from: ['Pending'], to: 'InProgress' },
  succeed: { from: ['InProgress'], to: 'Succeeded' },
  fail: { from: ['InProgress'], to: 'Failed' },
  abort: { from: ['Pending', 'InProgress'], to: 'Aborted' },
  expire: { from: ['Pending', 'InProgress'], to: 'Expired' },
} as const satisfies MoveTable<BioSessionState>

export const isRunning = (state: BioSessionState): boolean => state === 'Pending' || state === 'InProgress'
