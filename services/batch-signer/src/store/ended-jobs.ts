import { DAY, plus } from '@chancela/service-kernel/clock'
import type { Db, Store } from '@chancela/service-kernel/store'
import { type SqlBool, sql } from 'kysely'
import { deleteJobRows } from './delete-jobs.ts'
import type { JobRow, Tables } from './tables.ts'

/** What retention needs of an ended job. */
export type EndedJobRow = Pick<
  JobRow,
  | 'id'
  | 'file_name'
  | 'status'
  | 'error_code'
  | 'name_key'
  | 'output_name'
  | 'output_folder'
  | 'finished_at'
  | 'original_path'
  | 'input_folder'
>

/**
 * Ended jobs, oldest first, `most` at a time, after the last one of the previous page. Only ended jobs have a
 * `finished_at`; a condition on their states would make the databases use an index by state and read all for each page.
 */
export function endedJobs(
  db: Db<Tables>,
  { before, after, most }: { before: Date; after: EndedJobRow | undefined; most: number },
): Promise<EndedJobRow[]> {
  let query = db
    .selectFrom('job')
    .select([
      'id',
      'file_name',
      'status',
      'error_code',
      'name_key',
      'output_name',
      'output_folder',
      'finished_at',
      'original_path',
      'input_folder',
    ])
    .where('finished_at', '<', before.toISOString())
    // The input of such a job must still be compared and deleted.
    .where('input_disposal', '!=', 'pending')
  if (after) query = query.where(sql<SqlBool>`(finished_at, id) > (${after.finished_at}, ${after.id})`)
  return query.orderBy('finished_at').orderBy('id').limit(most).execute()
}

// Literals: the databases use a partial index only for a query with the same condition.
const holdingNoName = [sql.lit('Failed' as const), sql.lit('Canceled' as const)]

/** An output as no other file is called. */
export const outputKey = ({ output_name, output_folder }: Pick<JobRow, 'output_name' | 'output_folder'>): string =>
  `${output_folder ?? ''}/${output_name}`

/** Outputs (see `outputKey`) that jobs outside the page have written again under the same file name: those files belong to them. */
export async function outputsOfOthers(db: Db<Tables>, jobs: readonly EndedJobRow[]): Promise<ReadonlySet<string>> {
  const names = jobs.filter(({ output_name }) => output_name !== null).map(({ name_key }) => name_key)
  if (names.length === 0) return new Set()
  const ids = jobs.map(({ id }) => id)
  const rows = await db
    .selectFrom('job')
    .select(['output_name', 'output_folder'])
    .where('name_key', 'in', names)
    .where('status', 'not in', holdingNoName)
    .where('output_name', 'is not', null)
    .where('id', 'not in', ids)
    .execute()
  return new Set(rows.map(outputKey))
}

/** Deletes ended jobs with history and payments, and updates the counts; returns how many still existed. */
export async function deleteEndedJobs(store: Store<Tables>, ids: readonly string[], now: Date): Promise<number> {
  if (ids.length === 0) return 0
  const gone = await store.transaction(async (tx) => {
    await rememberOutputs(tx, ids, now)
    return deleteJobRows(tx, ids)
  })
  return gone.length
}

/** How long a client that comes back is told that the output was cleaned away; an id takes some 60 bytes until then. */
const REMEMBERED = 365 * DAY

async function rememberOutputs(tx: Db<Tables>, ids: readonly string[], now: Date): Promise<void> {
  await tx.deleteFrom('cleaned_output').where('cleaned_at', '<', plus(now, -REMEMBERED).toISOString()).execute()
  const completed = await tx
    .selectFrom('job')
    .select('id')
    .where('id', 'in', [...ids])
    .where('status', '=', 'Completed')
    .execute()
  if (completed.length === 0) return
  const cleaned_at = now.toISOString()
  await tx
    .insertInto('cleaned_output')
    .values(completed.map(({ id }) => ({ id, cleaned_at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Whether retention deleted the completed job of this id. */
export const isCleanedAway = async (db: Db<Tables>, id: string): Promise<boolean> =>
  (await db.selectFrom('cleaned_output').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
