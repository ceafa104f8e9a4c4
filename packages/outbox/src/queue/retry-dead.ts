import { type Db, notify } from '@chancela/service-kernel/store'
import { type SqlBool, sql } from 'kysely'
import { dead, moveJobs, queueChannel } from './job.ts'

/**
 * Revives dead jobs of a queue (all, or those with the ids) with all their attempts, and returns the ids of those
 * revived. One whose key is held by an unfinished job, or by a later dead one, stays dead: that job replaces it.
 */
export async function retryDead<Tables>(
  db: Db<Tables>,
  { queue, ids }: { readonly queue: string; readonly ids?: readonly string[] },
  now: Date,
): Promise<readonly string[]> {
  if (ids?.length === 0) return []
  const at = now.toISOString()
  const revived = await moveJobs(db, 'revive', { attempts: 0, due_at: at, finished_at: null, updated_at: at })
    .where('queue', '=', queue)
    .where(dead)
    .$if(ids !== undefined, (query) => query.where('id', 'in', [...(ids ?? [])]))
    .where(hasNoHeir)
    .returning('id')
    .execute()
  if (revived.length > 0) await notify(db, queueChannel(queue))
  return revived.map(({ id }) => id)
}

// Each half is written as in one of the partial indexes.
const hasNoHeir = sql<SqlBool>`(dedupe_key is null or not exists (
    select 1 from durable_job as heir
    where heir.queue = durable_job.queue and heir.dedupe_key = durable_job.dedupe_key
    and heir.dedupe_key is not null and heir.state in ('waiting', 'claimed')
  ) and not exists (
    select 1 from durable_job as heir
    where heir.queue = durable_job.queue and heir.dedupe_key = durable_job.dedupe_key
    and heir.state = 'dead' and heir.id > durable_job.id
  ))`
