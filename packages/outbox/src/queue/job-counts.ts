import type { Db } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import { dead, jobTables, unfinished } from './job.ts'

/** How a queue stands, for metrics. Finished work is not counted here: it grows without end, so counting it would too. */
export interface JobCounts {
  readonly waiting: number
  readonly claimed: number
  readonly dead: number
  /** When the longest due of the waiting jobs was to run; nothing when none waits. */
  readonly oldestDueAt: Date | undefined
}

export async function jobCounts<Tables>(db: Db<Tables>, queue: string): Promise<JobCounts> {
  const counts = jobTables(db)
    .selectFrom('durable_job')
    .select(['state', sql<number>`count(*)`.as('jobs'), sql<string>`min(due_at)`.as('oldest')])
    .where('queue', '=', queue)
    .groupBy('state')
  // Two statements in one, because each half has an index of its own and the whole would have none.
  const rows = await counts.where(unfinished).unionAll(counts.where(dead)).execute()
  const of = (state: string) => rows.find((row) => row.state === state)
  const oldest = of('waiting')?.oldest
  return {
    waiting: of('waiting')?.jobs ?? 0,
    claimed: of('claimed')?.jobs ?? 0,
    dead: of('dead')?.jobs ?? 0,
    oldestDueAt: oldest === undefined ? undefined : new Date(oldest),
  }
}
