import type { Db } from '@chancela/service-kernel/store'
import { done, jobTables } from './job.ts'

/** Deletes done jobs of a queue that ended before a time, at most `limit` at once; returns how many. */
export async function deleteDone<Tables>(
  db: Db<Tables>,
  { queue, before, limit }: { readonly queue: string; readonly before: Date; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await jobTables(db)
    .deleteFrom('durable_job')
    .where('id', 'in', (row) =>
      row
        .selectFrom('durable_job')
        .select('id')
        .where('queue', '=', queue)
        .where(done)
        .where('finished_at', '<', before.toISOString())
        .orderBy('finished_at')
        .limit(limit),
    )
    .where(done)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
