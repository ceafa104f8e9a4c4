import type { MoveTable } from '@chancela/service-kernel/states'
import type { ApprovalState } from '../contract/approvals.ts'

/** Every way an approval may change state. The table is the rule; no other code assigns `state`. */
const approvalMoves = {
  approve: { from: ['WAITING'], to: 'READY' },
  decline: { from: ['WAITING'], to: 'DECLINED' },
  /** Of two calls with hashes one signs. */
  begin: { from: ['READY'], to: 'SIGNING' },
  sign: { from: ['SIGNING'], to: 'SIGNED' },
  fail: { from: ['WAITING', 'READY', 'SIGNING'], to: 'FAILED' },
  expire: { from: ['WAITING', 'READY'], to: 'EXPIRED' },
  cancel: { from: ['WAITING', 'READY'], to: 'CANCELED' },
} as const satisfies MoveTable<ApprovalState>

export type ApprovalMove = keyof typeof approvalMoves

/** The state after a move; undefined where the table does not have it. */
export function stateAfter(state: ApprovalState, move: ApprovalMove): ApprovalState | undefined {
  const { from, to } = approvalMoves[move]
  return (from as readonly ApprovalState[]).includes(state) ? to : undefined
}

/** Whether something may still happen. */
export const isOpenState = (state: ApprovalState): boolean =>
  Object.values(approvalMoves).some(({ from }) => (from as readonly ApprovalState[]).includes(state))
