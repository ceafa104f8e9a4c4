import type { Context } from '../context.ts'
import { type JobStatus, jobMoves } from '../rules/job.ts'
import { reasonOf } from '../rules/pause.ts'
import { refuse } from '../rules/refuse.ts'
import { findJob } from '../store/job-reads.ts'

/** Whether an operator can still cancel a job in this state (spec 2, States 2). */
export const isCancelable = (status: JobStatus): boolean =>
  (jobMoves.cancel.from as readonly JobStatus[]).includes(status)

/** Cancels a job nobody has picked up; its file stays where it is. */
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
  const canceled = await ledger.canceled(jobId, job.status, cancelText(reason), now)
  if (!canceled) throw refuse('job.race-lost', { jobId })
  return { jobId, status: 'Canceled' }
}

const cancelText = (reason: string | undefined): string =>
  reason === undefined ? 'Operator canceled.' : `Operator canceled: ${reason}.`
