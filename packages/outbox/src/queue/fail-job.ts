import type { Db } from '@chancela/service-kernel/store'
import { type Claim, moveJobs } from './job.ts'

/**
 * Ends a failed attempt: the job waits for `retryAt`, or is dead without it, and stores the error either way. False
 * when the lease was lost to another worker, which then settles the job.
 */
export async function failJob<Tables>(
  db: Db<Tables>,
  { id, token }: Claim,
  failure: { readonly error: string; readonly retryAt: Date | undefined },
  now: Date,
): Promise<boolean> {
  const at = now.toISOString()
  const ended = { last_error: failure.error, claimed_by: null, claim_token: null, updated_at: at }
  const { numUpdatedRows } = await (failure.retryAt
    ? moveJobs(db, 'retry', { ...ended, due_at: failure.retryAt.toISOString() })
    : moveJobs(db, 'bury', { ...ended, finished_at: at })
  )
    .where('id', '=', id)
    .where('claim_token', '=', token)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
