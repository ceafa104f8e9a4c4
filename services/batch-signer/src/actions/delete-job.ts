import type { Context } from '../context.ts'
import { type Actor, nameOf } from '../rules/actor.ts'
import { inFlightStatuses, type JobStatus } from '../rules/job.ts'
import { reasonOf } from '../rules/pause.ts'
import { refuse } from '../rules/refuse.ts'
import { listed, type Said, said, telling, together } from '../rules/sentences.ts'
import { deleteApprovals } from '../store/approvals.ts'
import { deleteJobRows } from '../store/delete-jobs.ts'
import { findJob } from '../store/job-reads.ts'
import type { JobRow } from '../store/tables.ts'
import { isCancelable } from './cancel-job.ts'
import { type JobFileParts, removeJobFiles } from './job-files.ts'

interface DeleteRequest {
  readonly jobId: string
  readonly actor: Actor
  readonly reason: string | null | undefined
  readonly now: Date
}

/**
 * Deletes one job with its history and its files; an unfinished one is canceled first, one in flight is refused. Its
 * name and its path can be used again afterwards.
 */
export async function deleteJob(
  context: Pick<Context, 'store' | 'ledger' | 'events' | 'chain'>,
  parts: JobFileParts,
  { jobId, actor, reason: givenReason, now }: DeleteRequest,
): Promise<Readonly<Record<'removed' | 'kept', string[]>>> {
  const reason = reasonOf(givenReason)
  const job = await endedJob(context, jobId, now)
  const files = await removeJobFiles(context.store.db, parts, job, { alone: true })
  const [removed, kept] = [textsOf(files.removed), textsOf(files.kept)]
  const { file_name: fileName, status } = job
  await context.store.transaction(async (tx) => {
    await deleteApprovals(tx, { chain: context.chain, jobIds: [jobId], reason: 'job-deleted' })
    const gone = await deleteJobRows(tx, [jobId])
    if (gone.length === 0) throw refuse('job.not-found', { jobId })
    await context.events.record(tx, {
      type: 'JobDeleted',
      actor,
      subject: { kind: 'job', id: jobId },
      ...telling(deleted(job, { actor, reason, ...files }), {
        fileName,
        status,
        removed,
        kept,
        ...(reason && { reason }),
      }),
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
  const canceled = await ledger.canceledInTime(jobId, job.status, said('canceled-to-delete'), now)
  if (!canceled) throw refuse('job.race-lost', { jobId })
  return { ...job, status: 'Canceled' }
}

/** Whether a worker is processing the job. */
export const isInFlight = (status: JobStatus): boolean => (inFlightStatuses as readonly JobStatus[]).includes(status)

interface Told {
  readonly actor: Actor
  readonly reason: string | undefined
  readonly removed: readonly Said[]
  readonly kept: readonly Said[]
}

const deleted = ({ file_name: file, status }: JobRow, { actor, reason, removed, kept }: Told): Said =>
  together(
    said('job-deleted', { file, status: said(status), actor: nameOf(actor) }),
    removed.length > 0 && said('removed', { files: listed(removed) }),
    kept.length > 0 && said('kept', { files: listed(kept) }),
    reason !== undefined && said('reason-given', { reason }),
  )

const textsOf = (lines: readonly Said[]): string[] => lines.map(({ text }) => text)
