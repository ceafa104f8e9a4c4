import type { Db } from '@chancela/service-kernel/store'
import { dead, type JobRow, jobTables } from './job.ts'

/** The dead jobs of a queue, the latest first, with their last errors. */
export const deadJobs = <Tables>(db: Db<Tables>, queue: string, limit: number): Promise<readonly JobRow[]> =>
  jobTables(db)
    .selectFrom('durable_job')
    .selectAll()
    .where('queue', '=', queue)
    .where(dead)
    .orderBy('finished_at', 'desc')
    .limit(limit)
    .execute()
