import type { Db } from '@chancela/service-kernel/store'
import type { Context } from '../context.ts'
import { type JobStatus, jobMoves } from '../rules/job.ts'
import { reasonOf } from '../rules/pause.ts'
import { refuse } from '../rules/refuse.ts'
import { type Said, said, together } from '../rules/sentences.ts'
import { findApproval } from '../store/approvals.ts'
import { findJob, isPathNamed } from '../store/job-reads.ts'
import type { JobRow, Tables } from '../store/tables.ts'
import type { WorkArea } from '../upstream/storage/storage.ts'
import { removeUpload } from './job-files.ts'

/** Whether an operator can still cancel a job in this state (spec 2, States 2). */
export const isCancelable = (status: JobStatus): boolean =>
  (jobMoves.cancel.from as readonly JobStatus[]).includes(status)

/**
 * Cancels a job nobody has picked up. A file of a watched folder stays where it is; that of an upload goes, because
 * nothing could run it again: only a failed job can be retried.
 */
export async function cancelJob(
  { store, ledger, logger }: Pick<Context, 'store' | 'ledger' | 'logger'>,
  { work }: { readonly work: Pick<WorkArea, 'relocate'> },
  jobId: string,
  givenReason: string | null | undefined,
  now: Date,
): Promise<{ readonly jobId: string; readonly status: 'Canceled' }> {
  const reason = reasonOf(givenReason)
  const job = await findJob(store.db, jobId)
  if (!job) throw refuse('job.not-found', { jobId })
  if (!isCancelable(job.status)) throw refuse('job.not-queued', { jobId, status: job.status })
  const upload = await uploadOf(store.db, job)
  const line = together(cancelLine(reason), upload !== undefined && said('upload-removed'))
  const canceled = await ledger.canceledInTime(jobId, job.status, line, now)
  if (!canceled) throw refuse('job.race-lost', { jobId })
  if (await hasKeptCopy(store.db, job))
    await putAway(work, job, now).catch((error: unknown) =>
      logger.warn({ err: error, job: jobId }, 'the copy of a canceled job is put into error/ later'),
    )
  if (upload !== undefined) await removeUpload(upload, false)
  return { jobId, status: 'Canceled' }
}

/** People were to decide about a copy, or had decided. */
const hasKeptCopy = async (db: Db<Tables>, { id, status }: JobRow): Promise<boolean> =>
  status === 'AwaitingApproval' || (await findApproval(db, id)) !== undefined

const putAway = (
  work: Pick<WorkArea, 'relocate'>,
  { id, file_name: fileName, original_path }: JobRow,
  now: Date,
): Promise<void> => work.relocate(id, { fileName, ...(original_path !== null && { inputPath: original_path }) }, now)

/** The file of an upload that no other job needs. */
async function uploadOf(
  db: Db<Tables>,
  { id, input_folder, original_path: path }: JobRow,
): Promise<string | undefined> {
  return input_folder === null && path !== null && !(await isPathNamed(db, path, id)) ? path : undefined
}

const cancelLine = (reason: string | undefined): Said =>
  reason === undefined ? said('canceled') : said('canceled-for', { reason })
