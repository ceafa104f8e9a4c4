import { type Db, hotStatement } from '@chancela/service-kernel/store'
import { HistoryWriter } from './job-history-writer.ts'
import type { MovedRow } from './job-statements.ts'
import type { Tables } from './tables.ts'
import { type BuriedJob, outlive } from './tombstones.ts'

const GONE = `id, profile_name, source, format, created_at, status,
  original_path, input_folder, input_identity, content_sha256, error_code, finished_at`
// A worker still writes to the row of a job in flight.
const NOT_IN_FLIGHT = `status not in ('Processing', 'Verifying')`

type Gone = MovedRow & BuriedJob

const deleteRows = hotStatement<readonly string[], Gone>('batch_delete_jobs', {
  sqlite: {
    text: `delete from job where id in (select value from json_each(?)) and ${NOT_IN_FLIGHT} returning ${GONE}`,
    parameters: (ids) => [JSON.stringify(ids)],
  },
  postgres: {
    text: `delete from job where id = any($1::text[]) and ${NOT_IN_FLIGHT} returning ${GONE}`,
    parameters: (ids) => [ids],
  },
})

const deleteBelongings = (table: 'job_history' | 'job_payments') =>
  hotStatement<readonly string[], never>(`batch_delete_${table}`, {
    sqlite: {
      text: `delete from ${table} where job_id in (select value from json_each(?))`,
      parameters: (ids) => [JSON.stringify(ids)],
    },
    postgres: { text: `delete from ${table} where job_id = any($1::text[])`, parameters: (ids) => [ids] },
  })

const deleteHistory = deleteBelongings('job_history')

/** Deletes the payments of jobs. */
const deletePayments = deleteBelongings('job_payments')

/**
 * Deletes jobs with their histories and payments, and updates the counts; what they refused stays refused. Jobs in
 * flight stay. Returns the deleted ids; call it with a few hundred at a time, so that other queries do not wait.
 */
export async function deleteJobRows(tx: Db<Tables>, ids: readonly string[]): Promise<readonly string[]> {
  const gone = await deleteRows(tx, ids)
  if (gone.length === 0) return []
  await outlive(tx, gone)
  const goneIds = gone.map(({ id }) => id)
  await deleteHistory(tx, goneIds)
  await deletePayments(tx, goneIds)
  const history = new HistoryWriter()
  for (const row of gone) history.remove(row, row.status)
  await history.write(tx)
  await sweepCalendar(tx, gone)
  return goneIds
}

// Otherwise minutes without jobs would accumulate for ever.
async function sweepCalendar(tx: Db<Tables>, gone: readonly Gone[]): Promise<void> {
  const spans = gone.flatMap(({ created_at }) => [created_at.slice(0, 10), created_at.slice(0, 16)])
  await tx
    .deleteFrom('job_calendar')
    .where('level', 'in', ['day', 'minute'])
    .where('span', 'in', [...new Set(spans)])
    .where('n', '<=', 0)
    .execute()
}
