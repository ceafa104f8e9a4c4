import type { Store } from '@chancela/service-kernel/store'
import { type JobStatus, nameKey, type SignatureFormat } from '../rules/job.ts'
import { HistoryWriter } from '../store/job-history-writer.ts'
import { insertedColumns, insertJobs } from '../store/job-statements.ts'
import type { Tables } from '../store/tables.ts'

/** The fields of a job that lists and searches use. */
export interface ListedJob {
  readonly id: string
  readonly fileName: string
  readonly at: string
  readonly status: JobStatus
  readonly profile: string
  readonly format: SignatureFormat
}

/** Rows of one statement. */
const AT_ONCE = 3_000

/** Writes jobs with their counts in one transaction: the ledger would write each state of each job separately. */
export async function insertMany(store: Store<Tables>, jobs: readonly ListedJob[]): Promise<void> {
  const byId = new Map(jobs.map((job) => [job.id, job]))
  await store.transaction(async (tx) => {
    const history = new HistoryWriter()
    for (let from = 0; from < jobs.length; from += AT_ONCE)
      for (const row of await insertJobs(tx, jobs.slice(from, from + AT_ONCE).map(columnsOf)))
        history.move({ ...row, at: row.created_at, from: null, status: byId.get(row.id)!.status, message: 'Seen.' })
    await history.write(tx)
  })
}

function columnsOf({ id, fileName, at, status, profile, format }: ListedJob): readonly unknown[] {
  const row: Readonly<Record<string, unknown>> = {
    id,
    file_name: fileName,
    name_key: nameKey(fileName),
    format,
    source: 'Watcher',
    status,
    profile_name: profile,
    created_at: at,
    updated_at: at,
    queued_at: at,
  }
  return insertedColumns.map((column) => row[column] ?? null)
}
