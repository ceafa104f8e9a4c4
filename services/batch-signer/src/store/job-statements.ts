// The statements of the pipeline's hot path: one per step of a job's life, each for many jobs at once. Written by hand
// per database because Kysely's compilation would cost as much as the rows themselves.
import { startsOf } from '@chancela/service-kernel/states'
import { type JsonColumns as Columns, hotStatement, jsonRows } from '@chancela/service-kernel/store'
import { type JobMove, jobMoves } from '../rules/job.ts'
import type { JobCalendarRow, JobRow, JobTallyRow } from './tables.ts'

/** The columns the counts need of a moved job. */
export interface MovedRow extends Pick<JobRow, 'id' | 'profile_name' | 'source' | 'format' | 'created_at'> {}

interface GuardedUpdate {
  /** The moves of the table, combined in one write; a statement without any changes no state. */
  readonly moves?: readonly [first: JobMove, ...later: JobMove[]]
  readonly set: string
  /** Further conditions of the row; `status` is the statement's expression for its state. */
  where(status: string): string
  readonly columns: Columns
  /** Default: what the counts need of a moved job. */
  readonly returning?: readonly (keyof MovedRow)[]
}

const MOVED = ['id', 'profile_name', 'source', 'format', 'created_at'] as const

/** A guarded update of many jobs: each change applies only in the expected state and for the expected owner. */
function guardedUpdate<Row extends Pick<MovedRow, 'id'> = MovedRow>(
  name: string,
  { moves, set, where, columns, returning = MOVED }: GuardedUpdate,
) {
  const moving = (status: string) => (moves ? ` and ${status} in (${startsOf(jobMoves, moves[0])})` : '')
  const moved = moves ? `status = '${jobMoves[moves.at(-1)!].to}', ` : ''
  const text = (changes: string, status: string) =>
    `update job set ${moved}${set} from ${changes} as change
     where job.id = change.id${moving(status)} and ${where(status)}
     returning ${returning.map((column) => `job.${column}`).join(', ')}`
  const parameters = (rows: readonly (readonly unknown[])[]) => [JSON.stringify(rows)]
  return hotStatement<readonly (readonly unknown[])[], Row>(name, {
    // The plus keeps SQLite from scanning the status index for each change instead of looking up the id.
    sqlite: { text: text(jsonRows.sqlite(columns), '+job.status'), parameters },
    postgres: { text: text(jsonRows.postgres(columns), 'job.status'), parameters },
  })
}

const JOB_COLUMNS: Columns = [
  ['id', 'text'],
  ['file_name', 'text'],
  ['name_key', 'text'],
  ['original_path', 'text'],
  ['active_path', 'text'],
  ['input_folder', 'text'],
  ['format', 'text'],
  ['source', 'text'],
  ['status', 'text'],
  ['profile_name', 'text'],
  ['parent_job_id', 'text'],
  ['external_reference', 'text'],
  ['encryption_requested', 'integer'],
  ['created_at', 'text'],
  ['updated_at', 'text'],
  ['queued_at', 'text'],
  ['finished_at', 'text'],
  ['error_code', 'text'],
  ['error_message', 'text'],
  ['input_identity', 'text'],
  ['error_reason', 'text'],
  ['error_cause', 'text'],
]

/** The columns `insertJobs` takes, in their order. */
export const insertedColumns = JOB_COLUMNS.map(([name]) => name) as readonly (keyof JobRow)[]

function insertText(source: string): string {
  const names = insertedColumns.join(', ')
  // `where true`: without it SQLite reads the conflict clause as a join condition.
  return `insert into job (${names}) select ${names} from ${source} as fresh where true
    on conflict do nothing returning id, profile_name, source, format, created_at`
}

/** Inserts jobs; skips one whose path an active job has. */
export const insertJobs = hotStatement<readonly (readonly unknown[])[], MovedRow>('batch_insert_jobs', {
  sqlite: { text: insertText(jsonRows.sqlite(JOB_COLUMNS)), parameters: (rows) => [JSON.stringify(rows)] },
  postgres: { text: insertText(jsonRows.postgres(JOB_COLUMNS)), parameters: (rows) => [JSON.stringify(rows)] },
})

export interface ClaimInput extends HeldNames {
  readonly owner: string
  readonly at: string
  readonly most: number
}

/** Names of the profiles and of the input folders whose jobs stay queued. */
export interface HeldNames {
  readonly profiles: readonly string[]
  readonly folders: readonly string[]
}

/** The columns of a job for the worker that picked it up. */
export type ClaimedRow = Pick<
  JobRow,
  | 'id'
  | 'file_name'
  | 'original_path'
  | 'input_folder'
  | 'format'
  | 'source'
  | 'profile_name'
  | 'encryption_requested'
  | 'queued_at'
  | 'created_at'
  | 'released_at'
>

/** The columns of a claimed job. */
export const CLAIMED =
  'id, file_name, original_path, input_folder, format, source, profile_name, encryption_requested, queued_at, created_at, released_at'
// A scalar and no `exists`: SQLite would turn that into a join and sort the whole queue for every claim.
const NOT_PAUSED = '(select paused from pipeline_state where id = 1) = 0'

/** A job that waited for its profile or its folder carried the reason. */
const NO_ERROR = 'error_code = null, error_message = null, error_reason = null'

/** Picks up the oldest queued jobs; none while the pipeline is paused, because the flag is read in the same statement. */
export const claimJobs = hotStatement<ClaimInput, ClaimedRow>('batch_claim_jobs', {
  sqlite: {
    text: `update job set status = '${jobMoves.pickUp.to}', owner = ?, started_at = ?, updated_at = ?, ${NO_ERROR}
      where id in (select id from job where status in (${startsOf(jobMoves, 'pickUp')}) and ${NOT_PAUSED}
        and profile_name not in (select value from json_each(?))
        and coalesce(input_folder, '') not in (select value from json_each(?)) order by created_at, id limit ?)
      returning ${CLAIMED}`,
    parameters: ({ owner, at, most, profiles, folders }) => [
      owner,
      at,
      at,
      JSON.stringify(profiles),
      JSON.stringify(folders),
      most,
    ],
  },
  postgres: {
    // `any(array(…))` is evaluated once; the planner may run the subquery of `in (…)` again for each row, and every run
    // would lock, and claim, other jobs.
    text: `update job set status = '${jobMoves.pickUp.to}', owner = $1, started_at = $2, updated_at = $2, ${NO_ERROR}
      where id = any(array(select id from job where status in (${startsOf(jobMoves, 'pickUp')}) and ${NOT_PAUSED}
        and profile_name <> all($4::text[]) and coalesce(input_folder, '') <> all($5::text[]) order by created_at, id limit $3 for update skip locked))
      returning ${CLAIMED}`,
    parameters: ({ owner, at, most, profiles, folders }) => [owner, at, most, profiles, folders],
  },
})

/** The marker "reached the key", with what is about to be signed and the name of the output. */
export const markKeyReached = guardedUpdate<Pick<MovedRow, 'id'>>('batch_reach_key', {
  returning: ['id'],
  set: `reached_key_at = change.at, updated_at = change.at, content_sha256 = change.sha256,
    content_length = change.length, output_name = change.output_name, output_folder = change.output_folder,
    cnab240 = change.cnab240`,
  // A rejection that comes after this is too late; one that came before is seen here, because both write this row.
  where: (status) => `${status} = 'Processing' and job.owner = change.owner and job.vetoed_at is null`,
  columns: [
    ['id', 'text'],
    ['owner', 'text'],
    ['at', 'text'],
    ['sha256', 'text'],
    ['length', 'double precision'],
    ['output_name', 'text'],
    ['output_folder', 'text'],
    ['cnab240', 'text'],
  ],
})

/** Processing → Verifying. */
export const markSigned = guardedUpdate('batch_signed', {
  moves: ['signed'],
  set: 'updated_at = change.at',
  where: () => 'job.owner = change.owner',
  columns: [
    ['id', 'text'],
    ['owner', 'text'],
    ['at', 'text'],
  ],
})

const completion = {
  // The path stays taken until the input is disposed of: found meanwhile, it would be signed again.
  set: `updated_at = change.at, finished_at = change.at, output_encrypted = change.encrypted,
    output_length = change.output_length, queue_ms = change.queue_ms, signing_ms = change.signing_ms,
    verification_ms = change.verification_ms, output_ms = change.output_ms, input_disposal = 'pending'`,
  where: () => 'job.owner = change.owner',
  columns: [
    ['id', 'text'],
    ['owner', 'text'],
    ['at', 'text'],
    ['encrypted', 'integer'],
    ['output_length', 'double precision'],
    ['queue_ms', 'integer'],
    ['signing_ms', 'integer'],
    ['verification_ms', 'integer'],
    ['output_ms', 'integer'],
  ],
} satisfies Omit<GuardedUpdate, 'moves'>

/** Verifying → Completed; the input file waits for its comparison and deletion. */
export const markCompleted = guardedUpdate('batch_completed', { moves: ['complete'], ...completion })

/** Processing → Verifying → Completed at once, for files that are verified and written quickly. */
export const markSignedAndCompleted = guardedUpdate('batch_signed_completed', {
  moves: ['signed', 'complete'],
  ...completion,
})

/** Gives a job in flight to another owner; the one before can record nothing any more. */
export const takeOverJob = guardedUpdate('batch_take_over', {
  set: 'owner = change.owner',
  where: (status) =>
    `${status} in (${startsOf(jobMoves, 'fail')}) and (job.owner = change.before or (job.owner is null and change.before is null))`,
  columns: [
    ['id', 'text'],
    ['owner', 'text'],
    ['before', 'text'],
  ],
})

/** Processing or Verifying → Failed. The expected state is given, so that the tally decrements the right count. */
export const markFailed = guardedUpdate('batch_failed', {
  moves: ['fail'],
  set: `updated_at = change.at, finished_at = change.at, active_path = null, error_code = change.code,
    error_message = change.message, error_reason = change.reason, error_cause = change.cause`,
  where: (status) => `${status} = change.expected and job.owner = change.owner`,
  columns: [
    ['id', 'text'],
    ['owner', 'text'],
    ['at', 'text'],
    ['expected', 'text'],
    ['code', 'text'],
    ['message', 'text'],
    ['reason', 'text'],
    ['cause', 'text'],
  ],
})

/** Processing or Verifying → Queued, with nothing left of the attempt but the reason. */
export const markPutBack = guardedUpdate('batch_put_back', {
  moves: ['putBack'],
  set: `updated_at = change.at, owner = null, started_at = null, reached_key_at = null, content_sha256 = null,
    content_length = null, output_name = null, output_folder = null, cnab240 = null, error_code = change.code,
    error_message = change.message, error_reason = change.reason`,
  where: (status) => `${status} = change.expected and job.owner = change.owner`,
  columns: [
    ['id', 'text'],
    ['owner', 'text'],
    ['at', 'text'],
    ['expected', 'text'],
    ['code', 'text'],
    ['message', 'text'],
    ['reason', 'text'],
  ],
})

/** Processing → AwaitingApproval, with what is to be approved. */
export const markParked = guardedUpdate('batch_parked', {
  moves: ['park'],
  set: `updated_at = change.at, owner = null, started_at = null, content_sha256 = change.sha256,
    content_length = change.length, cnab240 = change.cnab240`,
  where: () => 'job.owner = change.owner',
  columns: [
    ['id', 'text'],
    ['owner', 'text'],
    ['at', 'text'],
    ['sha256', 'text'],
    ['length', 'double precision'],
    ['cnab240', 'text'],
  ],
})

/** AwaitingApproval → Queued. */
export const markReleased = guardedUpdate('batch_released', {
  moves: ['release'],
  set: 'updated_at = change.at, queued_at = change.at, released_at = change.at',
  where: () => 'true',
  columns: [
    ['id', 'text'],
    ['at', 'text'],
  ],
})

/** AwaitingApproval or Queued → Canceled, with the file to be handed back: until then its path stays taken. */
export const markRejected = guardedUpdate('batch_rejected', {
  moves: ['reject'],
  set: `updated_at = change.at, finished_at = change.at, vetoed_at = change.at, owner = change.owner,
    output_name = change.output_name, output_folder = change.output_folder, output_encrypted = change.encrypted,
    input_disposal = 'pending'`,
  where: (status) => `${status} = change.expected`,
  columns: [
    ['id', 'text'],
    ['at', 'text'],
    ['owner', 'text'],
    ['expected', 'text'],
    ['output_name', 'text'],
    ['output_folder', 'text'],
    ['encrypted', 'integer'],
  ],
})

/** A worker has the job and has not reached the key: it will find the rejection there. */
export const markVetoed = guardedUpdate<Pick<MovedRow, 'id'>>('batch_vetoed', {
  returning: ['id'],
  set: 'vetoed_at = change.at',
  where: (status) => `${status} = 'Processing' and job.reached_key_at is null`,
  columns: [
    ['id', 'text'],
    ['at', 'text'],
  ],
})

/** AwaitingApproval → Canceled, because the time is over. */
export const markExpired = guardedUpdate('batch_expired', {
  moves: ['expire'],
  set: 'updated_at = change.at, finished_at = change.at, active_path = null',
  where: () => 'true',
  columns: [
    ['id', 'text'],
    ['at', 'text'],
  ],
})

/** Queued or parked → Canceled. */
export const markCanceled = guardedUpdate('batch_canceled', {
  moves: ['cancel'],
  set: `updated_at = change.at, finished_at = change.at, active_path = null`,
  where: (status) => `${status} = change.expected`,
  columns: [
    ['id', 'text'],
    ['at', 'text'],
    ['expected', 'text'],
  ],
})

/** The disposal of a completed job's input. */
export const markInput = guardedUpdate<Pick<MovedRow, 'id'>>('batch_input', {
  returning: ['id'],
  set: 'input_disposal = change.disposal, active_path = null',
  where: () => `job.input_disposal = 'pending'`,
  columns: [
    ['id', 'text'],
    ['disposal', 'text'],
  ],
})

const HISTORY: Columns = [
  ['job_id', 'text'],
  ['at', 'text'],
  ['status', 'text'],
  ['code', 'text'],
  ['message', 'text'],
  ['told', 'text'],
]

const insertInto = (table: string, columns: Columns, rest: string) => {
  const names = columns.map(([name]) => name).join(', ')
  return (source: string) =>
    `insert into ${table} (${names}) select ${names} from ${source} as fresh where true ${rest}`
}

function multiInsert(name: string, table: string, columns: Columns, rest = '') {
  const text = insertInto(table, columns, rest)
  const parameters = (rows: readonly (readonly unknown[])[]) => [JSON.stringify(rows)]
  return hotStatement<readonly (readonly unknown[])[], never>(name, {
    sqlite: { text: text(jsonRows.sqlite(columns)), parameters },
    postgres: { text: text(jsonRows.postgres(columns)), parameters },
  })
}

/** Appends to the histories of jobs. */
export const insertHistory = multiInsert('batch_history', 'job_history', HISTORY)

/** Stores the payments of remittances. */
export const insertPayments = multiInsert(
  'batch_payments',
  'job_payments',
  [
    ['job_id', 'text'],
    ['payments', 'text'],
  ],
  'on conflict (job_id) do update set payments = excluded.payments',
)

/** Adds to the counts of jobs by kind. */
export const addToTally = multiInsert(
  'batch_tally',
  'job_tally',
  [
    ['profile_name', 'text'],
    ['status', 'text'],
    ['source', 'text'],
    ['format', 'text'],
    ['n', 'integer'],
  ] satisfies readonly (readonly [keyof JobTallyRow, string])[],
  'on conflict (profile_name, status, source, format) do update set n = job_tally.n + excluded.n',
)

/** Adds to the counts of jobs by day and minute of their creation. */
export const addToCalendar = multiInsert(
  'batch_calendar',
  'job_calendar',
  [
    ['level', 'text'],
    ['span', 'text'],
    ['profile_name', 'text'],
    ['source', 'text'],
    ['format', 'text'],
    ['ended', 'text'],
    ['n', 'integer'],
  ] satisfies readonly (readonly [keyof JobCalendarRow, string])[],
  `on conflict (level, span, profile_name, source, format, ended) do update set n = job_calendar.n + excluded.n`,
)

/** Adds to the counts of folders. */
export const addToFolders = multiInsert(
  'batch_folders',
  'input_folder',
  [
    ['name', 'text'],
    ['enqueued', 'integer'],
    ['last_enqueued_at', 'text'],
  ],
  `on conflict (name) do update
    set enqueued = input_folder.enqueued + excluded.enqueued, last_enqueued_at = excluded.last_enqueued_at`,
)

const THROUGHPUT: Columns = [
  ['minute', 'text'],
  ['completed', 'integer'],
  ['failed', 'integer'],
  ['canceled', 'integer'],
  ['encrypted', 'integer'],
  ['queue_ms', 'double precision'],
  ['signing_ms', 'double precision'],
  ['verification_ms', 'double precision'],
  ['output_ms', 'double precision'],
  ['longest_ms', 'integer'],
  ['shortest_ms', 'integer'],
]

const sums = ['completed', 'failed', 'canceled', 'encrypted', 'queue_ms', 'signing_ms', 'verification_ms', 'output_ms']
const summed = sums.map((name) => `${name} = throughput.${name} + excluded.${name}`).join(', ')
// SQLite calls the greater of two values max, PostgreSQL greatest; `case` is the same in both.
const extremes = `longest_ms = case when excluded.longest_ms > throughput.longest_ms then excluded.longest_ms else throughput.longest_ms end,
  shortest_ms = case when throughput.completed = 0 or (excluded.completed > 0 and excluded.shortest_ms < throughput.shortest_ms)
    then excluded.shortest_ms else throughput.shortest_ms end`

/** Adds to the counts of what ended in a minute. */
export const addToThroughput = multiInsert(
  'batch_throughput',
  'throughput',
  THROUGHPUT,
  `on conflict (minute) do update set ${summed}, ${extremes}`,
)
