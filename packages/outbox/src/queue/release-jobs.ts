import { type Db, notify } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import { type Claim, moveJobs, queueChannel } from './job.ts'

/** Releases jobs that were not started, or were aborted: they wait again, and the attempt does not count. */
export async function releaseJobs<Tables>(
  db: Db<Tables>,
  queue: string,
  claims: readonly Claim[],
  now: Date,
): Promise<void> {
  if (claims.length === 0) return
  const at = now.toISOString()
  await moveJobs(db, 'release', { due_at: at, claimed_by: null, claim_token: null, updated_at: at })
    .set({ attempts: sql`attempts - 1` })
    .where((row) => row.or(claims.map(({ id, token }) => row.and({ id, claim_token: token }))))
    .execute()
  await notify(db, queueChannel(queue))
}
