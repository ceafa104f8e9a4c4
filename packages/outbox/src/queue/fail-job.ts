import type { Db } from '@chancela/service-kernel/store'
import { type Claim, jobTables } from './job.ts'

/**
 * Ends an attempt that failed: the job waits for `retryAt`, or is dead when there is none, and keeps the error either
 * way. False when the lease was lost to another worker, which then settles the job.
 */
export async function failJob<Tables>(
  db: Db<Tables>,
  { id, token }: Claim,
  failure: { readonly error: string; readonly retryAt: Date | undefined },
  now: Date,
): Promise<boolean> {
  const next = failure.retryAt
    ? ({ state: 'waiting', due_at: failure.retryAt.toISOString() } as const)
    : ({ state: 'dead', finished_at: now.toISOString() } as const)
  const { numUpdatedRows } = await jobTables(db)
    .updateTable('durable_job')
    .set({ ...next, last_error: failure.error, claimed_by: null, claim_token: null, updated_at: now.toISOString() })
    .where('id', '=', id)
    .where('claim_token', '=', token)
    .where('state', '=', 'claimed')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
