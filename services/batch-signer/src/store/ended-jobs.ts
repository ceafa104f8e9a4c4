import type { Db, Store } from '@chancela/service-kernel/store'
import { type SqlBool, sql } from 'kysely'
import { deleteJobRows } from './delete-jobs.ts'
import type { JobRow, Tables } from './tables.ts'

/** What retention needs of an ended job. */
export type EndedJobRow = Pick<JobRow, 'id' | 'status' | 'name_key' | 'output_name' | 'finished_at'>

/**
 * Ended jobs from the oldest on, `most` at a time, after the last one of the page before. Only ended jobs have a
 * `finished_at`; naming their states here would lead the databases to an index by state, and each page to all of them.
 */
export function endedJobs(
  db: Db<Tables>,
  { before, after, most }: { before: Date; after: EndedJobRow | undefined; most: number },
): Promise<EndedJobRow[]> {
  let query = db
    .selectFrom('job')
    .select(['id', 'status', 'name_key', 'output_name', 'finished_at'])
    .where('finished_at', '<', before.toISOString())
    // The input of such a job is still to be compared and deleted.
    .where('input_disposal', '!=', 'pending')
  if (after) query = query.where(sql<SqlBool>`(finished_at, id) > (${after.finished_at}, ${after.id})`)
  return query.orderBy('finished_at').orderBy('id').limit(most).execute()
}

// Written out: the databases use an index of some jobs only where the query itself says which.
const holdingNoName = [sql.lit('Failed' as const), sql.lit('Canceled' as const)]

/** Output names that jobs outside the page have written again under the same file name: those files are theirs. */
export async function outputsOfOthers(db: Db<Tables>, jobs: readonly EndedJobRow[]): Promise<ReadonlySet<string>> {
  const names = jobs.filter(({ output_name }) => output_name !== null).map(({ name_key }) => name_key)
  if (names.length === 0) return new Set()
  const ids = jobs.map(({ id }) => id)
  const rows = await db
    .selectFrom('job')
    .select('output_name')
    .where('name_key', 'in', names)
    .where('status', 'not in', holdingNoName)
    .where('output_name', 'is not', null)
    .where('id', 'not in', ids)
    .execute()
  return new Set(rows.map(({ output_name }) => output_name!))
}

/** Deletes ended jobs with history and payments, and takes them out of the counts; returns how many there still were. */
export async function deleteEndedJobs(store: Store<Tables>, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const gone = await store.transaction((tx) => deleteJobRows(tx, ids))
  return gone.length
}
