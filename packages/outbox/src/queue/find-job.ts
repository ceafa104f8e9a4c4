import type { Db } from '@chancela/service-kernel/store'
import { type JobRow, jobTables } from './job.ts'

/** The row of a job in any state. */
export const findJob = <Tables>(db: Db<Tables>, id: string): Promise<JobRow | undefined> =>
  jobTables(db).selectFrom('durable_job').selectAll().where('id', '=', id).executeTakeFirst()
