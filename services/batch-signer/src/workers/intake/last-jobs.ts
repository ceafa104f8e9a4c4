import { type Db, hotStatement } from '@chancela/service-kernel/store'
import type { JobStatus } from '../../rules/job.ts'
import type { FileIdentity, Judged } from '../../rules/tombstone.ts'
import type { Tables } from '../../store/tables.ts'

/** The newest job of a path, and the tombstone of a file there. */
export interface LastJob {
  readonly path: string
  /** Null when no job has the path any more. */
  readonly status: JobStatus | null
  readonly code: string | null
  readonly identity: FileIdentity | null
  readonly sha256: string | null
  /** Whether the file is an upload: it is only stored in a watched folder and is not one of its files. */
  readonly uploaded: boolean
  readonly buried: Judged | undefined
}

interface FoundRow {
  readonly path: string
  readonly status: JobStatus | null
  readonly code: string | null
  readonly identity: FileIdentity | null
  readonly sha256: string | null
  readonly uploaded: number
  readonly buried: number
  readonly buried_identity: FileIdentity | null
  readonly buried_sha256: string | null
  readonly verdict: string | null
}

const COLUMNS = `path.value as path, job.status, job.error_code as code, job.input_identity as identity,
  job.content_sha256 as sha256,
  case when job.id is not null and job.input_folder is null then 1 else 0 end as uploaded,
  case when grave.path is null then 0 else 1 end as buried,
  grave.identity as buried_identity, grave.sha256 as buried_sha256, grave.verdict`

const JOINS = `left join job on job.id = (
    select id from job where original_path = path.value order by created_at desc, id desc limit 1)
  left join input_tombstone as grave on grave.path = path.value
  where job.id is not null or grave.path is not null`

const lastJobRows = hotStatement<readonly string[], FoundRow>('batch_last_jobs', {
  sqlite: {
    text: `select ${COLUMNS} from json_each(?) as path ${JOINS}`,
    parameters: (paths) => [JSON.stringify(paths)],
  },
  postgres: {
    text: `select ${COLUMNS} from unnest($1::text[]) as path(value) ${JOINS}`,
    parameters: (paths) => [paths],
  },
})

/** What is known of each path that a job or a tombstone names. */
export async function lastJobs(db: Db<Tables>, paths: readonly string[]): Promise<ReadonlyMap<string, LastJob>> {
  if (paths.length === 0) return new Map()
  const rows = await lastJobRows(db, paths)
  return new Map(rows.map((row) => [row.path, lastJobOf(row)]))
}

const lastJobOf = ({ uploaded, buried, buried_identity, buried_sha256, verdict, ...row }: FoundRow): LastJob => ({
  ...row,
  uploaded: uploaded === 1,
  buried: buried === 1 ? { identity: buried_identity, sha256: buried_sha256, isHeld: verdict === 'Held' } : undefined,
})

/** Number of a profile's queued jobs, from the tally: the queue may be long. */
export async function queuedJobs(db: Db<Tables>, profile: string): Promise<number> {
  const row = await db
    .selectFrom('job_tally')
    .select((eb) => eb.fn.sum<number | string | null>('n').as('queued'))
    .where('status', '=', 'Queued')
    .where('profile_name', '=', profile)
    .executeTakeFirst()
  return Number(row?.queued ?? 0)
}
