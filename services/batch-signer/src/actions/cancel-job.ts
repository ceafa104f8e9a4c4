import type { Db } from '@chancela/service-kernel/store'
import type { Context } from '../context.ts'
import { type JobStatus, jobMoves } from '../rules/job.ts'
import { reasonOf } from '../rules/pause.ts'
import { refuse } from '../rules/refuse.ts'
import { findJob, isPathNamed } from '../store/job-reads.ts'
import type { JobRow, Tables } from '../store/tables.ts'
import { removeUpload } from './job-files.ts'

/** Whether an operator can still cancel a job in this state (spec 2, States 2). */
export const isCancelable = (status: JobStatus): boolean =>
  (jobMoves.cancel.from as readonly JobStatus[]).includes(status)

/**
 * Cancels a job nobody has picked up. A file of a watched folder stays where it is; that of an upload goes, because
 * nothing could run it again: only a failed job can be retried.
 */
export async function cancelJob(
  { store, ledger }: Pick<Context, 'store' | 'ledger'>,
  jobId: string,
  givenReason: string | null | undefined,
  now: Date,
): Promise<{ readonly jobId: string; readonly status: 'Canceled' }> {
  const reason = reasonOf(givenReason)
  const job = await findJob(store.db, jobId)
  if (!job) throw refuse('job.not-found', { jobId })
  if (!isCancelable(job.status)) throw refuse('job.not-queued', { jobId, status: job.status })
  const upload = await uploadOf(store.db, job)
  const text = upload === undefined ? cancelText(reason) : `${cancelText(reason)} ${UPLOAD_GONE}`
  const canceled = await ledger.canceled(jobId, job.status, text, now)
  if (!canceled) throw refuse('job.race-lost', { jobId })
  if (upload !== undefined) await removeUpload(upload, false)
  return { jobId, status: 'Canceled' }
}

const UPLOAD_GONE = 'The uploaded file was removed; upload it again to have it signed.'

/** The file of an upload that no other job needs. */
async function uploadOf(
  db: Db<Tables>,
  { id, input_folder, original_path: path }: JobRow,
): Promise<string | undefined> {
  return input_folder === null && path !== null && !(await isPathNamed(db, path, id)) ? path : undefined
}

const cancelText = (reason: string | undefined): string =>
  reason === undefined ? 'Operator canceled.' : `Operator canceled: ${reason}.`
