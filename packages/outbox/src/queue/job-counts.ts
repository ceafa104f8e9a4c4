import type { Db } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import { dead, jobTables, unfinished } from './job.ts'

/** Counts of a queue, for metrics. Finished jobs are left out: their number grows without bound. */
export interface JobCounts {
  readonly waiting: number
  readonly claimed: number
  readonly dead: number
  /** When the oldest waiting job was due; undefined when none waits. */
  readonly oldestDueAt: Date | undefined
}

export async function jobCounts<Tables>(db: Db<Tables>, queue: string): Promise<JobCounts> {
  const counts = jobTables(db)
    .selectFrom('durable_job')
    .select(['state', sql<number>`count(*)`.as('jobs'), sql<string>`min(due_at)`.as('oldest')])
    .where('queue', '=', queue)
    .groupBy('state')
  // A union, because each half has an index of its own and a combined condition would use none.
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
