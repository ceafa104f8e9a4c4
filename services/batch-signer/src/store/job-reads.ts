import { type Db, hotStatement } from '@chancela/service-kernel/store'
import type { JobFilter, Page } from '../rules/job-filter.ts'
import { searchJobs } from './job-search.ts'
import type { HistoryLine, JobRow, Tables } from './tables.ts'

const listColumns = [
  'id',
  'file_name',
  'original_path',
  'format',
  'source',
  'status',
  'created_at',
  'updated_at',
  'parent_job_id',
  'error_code',
  'error_message',
  'error_reason',
  'error_cause',
  'profile_name',
] as const satisfies readonly (keyof JobRow)[]

/** A job in a list. */
export type ListedJob = Pick<JobRow, (typeof listColumns)[number]>

/** One page of the matching jobs, newest first, and their total number. */
export async function listJobs(db: Db<Tables>, filter: JobFilter, { page, pageSize }: Page) {
  const { ids, total } = await searchJobs(db, filter, { offset: (page - 1) * pageSize, limit: pageSize })
  return { items: await rowsOf(db, ids, listColumns), total }
}

async function rowsOf<Column extends keyof JobRow>(
  db: Db<Tables>,
  ids: readonly string[],
  columns: readonly Column[],
): Promise<readonly Pick<JobRow, Column>[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('job')
    .select(columns)
    .$castTo<Pick<JobRow, Column>>()
    .where('id', 'in', [...ids])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** A job by its id. */
export const findJob = (db: Db<Tables>, id: string): Promise<JobRow | undefined> =>
  db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()

/** Jobs by their ids; unknown ids are missing from the result. */
export const findJobs = (db: Db<Tables>, ids: readonly string[]): Promise<readonly JobRow[]> =>
  db
    .selectFrom('job')
    .selectAll()
    .where('id', 'in', [...ids])
    .execute()

/** The history of a job, oldest line first. */
export async function historyOf(db: Db<Tables>, id: string): Promise<readonly HistoryLine[]> {
  const lines = await db.selectFrom('job_history').selectAll().where('job_id', '=', id).orderBy('id').execute()
  // PostgreSQL returns 64-bit counters as text.
  return lines.map((line) => ({ ...line, id: Number(line.id) }))
}

/** The stored payments of a job's remittance as JSON. */
export async function paymentsOf(db: Db<Tables>, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('job_payments').select('payments').where('job_id', '=', id).executeTakeFirst()
  return row?.payments
}

const exportColumns = [
  ...listColumns,
  'input_folder',
  'cnab240',
  'output_encrypted',
] as const satisfies readonly (keyof JobRow)[]

/** A job as the spreadsheet shows it. */
export type ExportedJob = Pick<JobRow, (typeof exportColumns)[number]>

/** Rows read per query of an export. */
const EXPORTED_AT_ONCE = 500

/** The newest matching jobs, at most `most`, in chunks, and the total number. */
export async function exportJobs(db: Db<Tables>, filter: JobFilter, most: number) {
  const { ids, total } = await searchJobs(db, filter, { offset: 0, limit: most })
  return { total, rows: inChunks(db, ids) }
}

async function* inChunks(db: Db<Tables>, ids: readonly string[]): AsyncGenerator<readonly ExportedJob[]> {
  for (let at = 0; at < ids.length; at += EXPORTED_AT_ONCE)
    yield await rowsOf(db, ids.slice(at, at + EXPORTED_AT_ONCE), exportColumns)
}

/** Whether an unfinished job other than the given one has the file as its input. */
export async function isPathActive(db: Db<Tables>, path: string, exceptId: string): Promise<boolean> {
  const [holder] = await activeAt(db, { path, exceptId })
  return holder !== undefined
}

const ACTIVE_AT = (path: string, id: string) => `select id from job where original_path = ${path}
  and original_path is not null
  and status in ('Queued', 'Processing', 'Verifying', 'AwaitingSigner', 'AwaitingApproval') and id <> ${id} limit 1`

const activeAt = hotStatement<{ path: string; exceptId: string }, Pick<JobRow, 'id'>>('batch_active_at', {
  sqlite: { text: ACTIVE_AT('?', '?'), parameters: ({ path, exceptId }) => [path, exceptId] },
  postgres: { text: ACTIVE_AT('$1', '$2'), parameters: ({ path, exceptId }) => [path, exceptId] },
})

/** Whether a job other than the given one has the file as its input. */
export async function isPathNamed(db: Db<Tables>, path: string, exceptId: string): Promise<boolean> {
  const other = await db
    .selectFrom('job')
    .select('id')
    .where('original_path', '=', path)
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  return other !== undefined
}

const removableColumns = [
  'id',
  'file_name',
  'name_key',
  'original_path',
  'input_folder',
  'status',
  'error_code',
  'output_name',
  'output_folder',
  'content_sha256',
  'content_length',
  'input_disposal',
  'finished_at',
] as const satisfies readonly (keyof JobRow)[]

/** A job as its removal sees it. */
export type RemovableJob = Pick<JobRow, (typeof removableColumns)[number]>

/** Jobs created until a time, by id, in pages: those after `afterId`. */
export const jobsToClear = (db: Db<Tables>, until: string, afterId: string, most: number): Promise<RemovableJob[]> =>
  db
    .selectFrom('job')
    .select(removableColumns)
    .where('id', '>', afterId)
    .where('created_at', '<=', until)
    .orderBy('id')
    .limit(most)
    .execute()
