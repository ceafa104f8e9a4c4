import type { ApprovalProblem, ApprovalState } from '@chancela/session-server/contract'
import type { Approval } from './session-server.ts'

/** How an approval ended without a signature, in the words of the pages. */
const problems = {
  NO_SOURCE: 'no-source',
  NO_DRIVER: 'no-driver',
  NO_TOKEN: 'no-token',
  NO_CERTIFICATE: 'no-certificate',
  NO_SCREEN: 'no-screen',
  AGENT_GONE: 'agent-gone',
  TOKEN_GONE: 'token-gone',
  NOT_SIGNED: 'not-signed',
} as const satisfies Readonly<Record<ApprovalProblem, string>>

/** States in which an approval has not ended; SIGNED is the end of another call. */
const ends = {
  WAITING: undefined,
  READY: undefined,
  SIGNING: undefined,
  SIGNED: 'failed',
  DECLINED: 'declined',
  EXPIRED: 'expired',
  CANCELED: 'canceled',
  FAILED: 'failed',
} as const satisfies Readonly<Record<ApprovalState, string | undefined>>

export type ApprovalEnd = (typeof problems)[ApprovalProblem] | NonNullable<(typeof ends)[ApprovalState]>

/** How an approval ended; undefined while it has not. */
export const endOf = ({ state, problem }: Pick<Approval, 'state' | 'problem'>): ApprovalEnd | undefined =>
  state === 'FAILED' && problem ? problems[problem] : ends[state]
