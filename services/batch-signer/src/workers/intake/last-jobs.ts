import { type Db, hotStatement } from '@chancela/service-kernel/store'
import type { JobStatus } from '../../rules/job.ts'
import type { Tables } from '../../store/tables.ts'

/** The newest job of a path. */
export interface LastJob {
  readonly path: string
  readonly status: JobStatus
  /** Whether the file is an upload: it is only stored in a watched folder and is not one of its files. */
  readonly uploaded: boolean
}

const COLUMNS = 'status, case when input_folder is null then 1 else 0 end as uploaded'

const lastJobRows = hotStatement<readonly string[], Omit<LastJob, 'uploaded'> & { readonly uploaded: number }>(
  'batch_last_jobs',
  {
    sqlite: {
      text: `select path.value as path, ${COLUMNS} from json_each(?) as path join job on job.id = (
        select id from job where original_path = path.value order by created_at desc, id desc limit 1)`,
      parameters: (paths) => [JSON.stringify(paths)],
    },
    postgres: {
      text: `select path.value as path, last.status, last.uploaded from unnest($1::text[]) as path(value) cross join lateral (
        select ${COLUMNS} from job where original_path = path.value order by created_at desc, id desc limit 1) as last`,
      parameters: (paths) => [paths],
    },
  },
)

/** The newest job of each path that has one. */
export async function lastJobs(db: Db<Tables>, paths: readonly string[]): Promise<ReadonlyMap<string, LastJob>> {
  if (paths.length === 0) return new Map()
  const rows = await lastJobRows(db, paths)
  return new Map(rows.map((row) => [row.path, { ...row, uploaded: row.uploaded === 1 }]))
}

/** Number of queued jobs, from the tally: the queue may be long. */
export async function queuedJobs(db: Db<Tables>): Promise<number> {
  const row = await db
    .selectFrom('job_tally')
    .select((eb) => eb.fn.sum<number | string | null>('n').as('queued'))
    .where('status', '=', 'Queued')
    .executeTakeFirst()
  return Number(row?.queued ?? 0)
}
