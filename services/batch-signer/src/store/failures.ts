import type { Db } from '@chancela/service-kernel/store'
import { sql } from 'kysely'
import type { JobRow, Tables } from './tables.ts'

/** Causes one answer lists: a person acts on the most frequent ones. */
const CAUSES = 20

/** A cause and the newest of its failures. */
export type CauseOfFailures = { readonly count: number } & Pick<
  JobRow,
  'id' | 'file_name' | 'error_code' | 'error_message' | 'error_reason' | 'finished_at'
> & { readonly error_cause: string }

/** Which failures: of one cause, ended in a range of time, both ends included. */
export interface FailureRange {
  readonly cause: string
  readonly since: string
  readonly until: string
}

/** A failure's place in the order, newest first. */
export interface FailurePlace {
  readonly at: string
  readonly id: string
}

// A failure that was retried, or whose file has a later job by a rescan, is not the last word on its file.
const IS_OPEN = sql<boolean>`not exists (select 1 from job as retry where retry.parent_job_id = job.id)
  and not exists (select 1 from job as later where later.original_path = job.original_path
    and later.original_path is not null and later.created_at > job.created_at)`

/** The causes of the failures since a time, the most frequent first. */
export async function failureCauses(db: Db<Tables>, since: string): Promise<readonly CauseOfFailures[]> {
  const { rows } = await sql<{ error_cause: string; n: number | string; newest: string }>`
    select error_cause, count(*) as n, max(finished_at) as newest from job
    where status = 'Failed' and finished_at >= ${since} and error_cause is not null and ${IS_OPEN}
    group by error_cause order by n desc, newest desc limit ${CAUSES}`.execute(db)
  return Promise.all(rows.map(async ({ n, ...cause }) => ({ ...(await newestOf(db, cause)), count: Number(n) })))
}

async function newestOf(db: Db<Tables>, { error_cause, newest }: { error_cause: string; newest: string }) {
  const { rows } = await sql<Omit<CauseOfFailures, 'count'>>`
    select id, file_name, error_code, error_message, error_reason, error_cause, finished_at from job
    where status = 'Failed' and finished_at = ${newest} and error_cause = ${error_cause}
    order by id desc limit 1`.execute(db)
  return rows[0]!
}

/** The next failures of a cause, newest first, at most `most`. */
export async function failuresOf(
  db: Db<Tables>,
  { cause, since, until }: FailureRange,
  after: FailurePlace | undefined,
  most: number,
): Promise<readonly FailurePlace[]> {
  const beyond = after
    ? sql`and (finished_at < ${after.at} or (finished_at = ${after.at} and id < ${after.id}))`
    : sql``
  const { rows } = await sql<FailurePlace>`select id, finished_at as at from job
    where status = 'Failed' and finished_at >= ${since} and finished_at <= ${until} and error_cause = ${cause}
      and ${IS_OPEN} ${beyond}
    order by finished_at desc, id desc limit ${most}`.execute(db)
  return rows
}
