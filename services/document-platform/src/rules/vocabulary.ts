import type { MoveTable } from '@chancela/service-kernel/states'
import type { verificationStamps } from '../contract/organizations.ts'

export type DocumentStatus = 'Pending' | 'FlowConcluded' | 'Concluded' | 'Refused' | 'Canceled' | 'Expired'

export type ActionStatus = 'Created' | 'Pending' | 'Completed' | 'Refused'

export type ActionType = 'Signer' | 'Approver' | 'SignRule' | 'ApproverRule'

export type AgentType = 'User' | 'Application'

export type SignatureFormat = 'Pades' | 'Cades' | 'Xades'

export type VerificationStamp = (typeof verificationStamps)[number]

/** Every way a document changes its status (document-platform facts 1.6). */
export const documentMoves = {
  concludeFlow: { from: ['Pending'], to: 'FlowConcluded' },
  conclude: { from: ['FlowConcluded'], to: 'Concluded' },
  refuse: { from: ['Pending'], to: 'Refused' },
  cancel: { from: ['Pending'], to: 'Canceled' },
  expire: { from: ['Pending'], to: 'Expired' },
  beginAgain: { from: ['Pending', 'FlowConcluded', 'Concluded', 'Refused', 'Canceled', 'Expired'], to: 'Pending' },
} as const satisfies MoveTable<DocumentStatus>

/** Every way an action changes its status. */
export const actionMoves = {
  release: { from: ['Created'], to: 'Pending' },
  complete: { from: ['Pending'], to: 'Completed' },
  refuse: { from: ['Pending'], to: 'Refused' },
  /** A new version of the file. */
  beginAgain: { from: ['Created', 'Pending', 'Completed', 'Refused'], to: 'Created' },
} as const satisfies MoveTable<ActionStatus>

/** Whether an action is a signature, and whether it is shared by several people. */
export const actionKinds: Readonly<Record<ActionType, { readonly signs: boolean; readonly isRule: boolean }>> = {
  Signer: { signs: true, isRule: false },
  Approver: { signs: false, isRule: false },
  SignRule: { signs: true, isRule: true },
  ApproverRule: { signs: false, isRule: true },
}

/** Who did something: a person of the instance or an application. */
export interface Agent {
  readonly id: string
  readonly name: string
  readonly type: AgentType
}
