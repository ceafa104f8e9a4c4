import type { Context } from '../context.ts'
import { inFlightStatuses, type JobStatus } from '../rules/job.ts'
import { reasonOf } from '../rules/pause.ts'
import { refuse } from '../rules/refuse.ts'
import { deleteJobRows } from '../store/delete-jobs.ts'
import { findJob } from '../store/job-reads.ts'
import type { JobRow } from '../store/tables.ts'
import { isCancelable } from './cancel-job.ts'
import { type FilesGone, type JobFileParts, removeJobFiles } from './job-files.ts'

interface DeleteRequest {
  readonly jobId: string
  readonly actor: string
  readonly reason: string | null | undefined
  readonly now: Date
}

/**
 * Deletes one job with its history and its files; an unfinished one is canceled first, one in flight is refused. Its
 * name and its path can be used again afterwards.
 */
export async function deleteJob(
  context: Pick<Context, 'store' | 'ledger' | 'events'>,
  parts: JobFileParts,
  { jobId, actor, reason: givenReason, now }: DeleteRequest,
): Promise<Pick<FilesGone, 'removed' | 'kept'>> {
  const reason = reasonOf(givenReason)
  const job = await endedJob(context, jobId, now)
  const { removed, kept } = await removeJobFiles(context.store.db, parts, job, { alone: true })
  await context.store.transaction(async (tx) => {
    const gone = await deleteJobRows(tx, [jobId])
    if (gone.length === 0) throw refuse('job.not-found', { jobId })
    await context.events.record(tx, {
      type: 'JobDeleted',
      actor,
      subject: { kind: 'job', id: jobId },
      text: deletedText(job, { actor, reason, removed, kept }),
      data: { fileName: job.file_name, status: job.status, removed, kept, ...(reason !== undefined && { reason }) },
    })
  })
  return { removed, kept }
}

/** The job in its final state. */
async function endedJob(
  { store, ledger }: Pick<Context, 'store' | 'ledger'>,
  jobId: string,
  now: Date,
): Promise<JobRow> {
  const job = await findJob(store.db, jobId)
  if (!job) throw refuse('job.not-found', { jobId })
  if (isInFlight(job.status)) throw refuse('job.in-flight', { jobId, status: job.status })
  if (!isCancelable(job.status)) return job
  const canceled = await ledger.canceled(jobId, job.status, 'Operator canceled: the job is deleted.', now)
  if (!canceled) throw refuse('job.race-lost', { jobId })
  return { ...job, status: 'Canceled' }
}

/** Whether a worker is processing the job. */
export const isInFlight = (status: JobStatus): boolean => (inFlightStatuses as readonly JobStatus[]).includes(status)

interface Told {
  readonly actor: string
  readonly reason: string | undefined
  readonly removed: readonly string[]
  readonly kept: readonly string[]
}

function deletedText({ file_name, status }: JobRow, { actor, reason, removed, kept }: Told): string {
  const sentences = [
    `Job of ${file_name} (${status}) deleted by ${actor}.`,
    removed.length > 0 && `Removed: ${removed.join(', ')}.`,
    kept.length > 0 && `Kept: ${kept.join(', ')}.`,
    reason !== undefined && `Reason: ${reason}`,
  ]
  return sentences.filter((sentence) => sentence !== false).join(' ')
}
