import { type Db, notify } from '@chancela/service-kernel/store'
import { claimed, moveJobs, queueChannel } from './job.ts'

/**
 * Releases what a previous run of this instance held when it died, without waiting for the leases to expire. Returns
 * how many. The attempt counts: a job that kills its worker must end at some time.
 */
export async function releaseAbandoned<Tables>(
  db: Db<Tables>,
  { queue, instance }: { readonly queue: string; readonly instance: string },
  now: Date,
): Promise<number> {
  const at = now.toISOString()
  const last_error = `${instance} ended while it held the job`
  const free = { due_at: at, claimed_by: null, claim_token: null, updated_at: at }
  const { numUpdatedRows } = await moveJobs(db, 'release', { ...free, last_error })
    .where('queue', '=', queue)
    .where(claimed)
    .where('claimed_by', '=', instance)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await notify(db, queueChannel(queue))
  return Number(numUpdatedRows)
}
