import type { PortalFile } from '../api/portal-types.ts'

type Standing = Pick<PortalFile, 'status' | 'tally' | 'isMember' | 'mayDecide' | 'ownDecision' | 'expiresAt'>

export type FileStand =
  | 'open'
  | 'waiting'
  | 'stranger'
  | 'approved'
  | 'rejected'
  | 'vetoed'
  | 'released'
  | 'expired'
  | 'canceled'
  | 'ended'

/** Where a file stands for whoever looks at it: their own decision first, then why none is taken any more. */
export function fileStand(file: Standing, now: number): FileStand {
  const { status, tally, isMember, mayDecide, ownDecision, expiresAt } = file
  if (mayDecide) return 'open'
  if (ownDecision) return ownDecision.decision === 'approved' ? 'approved' : 'rejected'
  if (tally.vetoed) return 'vetoed'
  if (tally.quorumReached) return 'released'
  if (status === 'AwaitingApproval') return isMember ? 'waiting' : 'stranger'
  if (status !== 'Canceled') return 'ended'
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'canceled'
}
