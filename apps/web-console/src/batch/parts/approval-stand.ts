import type { JobApproval } from '../api/types.ts'

/** A rejection outweighs a quorum; a job that ended without either waits for nobody any more. */
export function standOf(
  { vetoed, quorumReached }: Pick<JobApproval, 'vetoed' | 'quorumReached'>,
  status: string,
): 'rejected' | 'met' | 'needed' | 'ended' {
  if (vetoed) return 'rejected'
  if (quorumReached) return 'met'
  return status === 'AwaitingApproval' ? 'needed' : 'ended'
}
