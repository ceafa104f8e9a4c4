// Jobs in the API's format, and their ids in paths.
import type { Db } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { approvalState } from '../../rules/approval-views.ts'
import type { ReportLocale } from '../../rules/cnab240/entry-codes.ts'
import type { RemittanceSummary } from '../../rules/cnab240/remittance.ts'
import { jobIdOf } from '../../rules/job-id.ts'
import { errorMessageIn } from '../../rules/job-reason.ts'
import { refuse } from '../../rules/refuse.ts'
import { decisionsOfJobs, findApprovals } from '../../store/approvals.ts'
import { findJob, type ListedJob } from '../../store/job-reads.ts'
import type { JobRow, Tables } from '../../store/tables.ts'
import type { InputFiles, WorkArea } from '../../upstream/storage/storage.ts'

/** What the routes of jobs need. */
export interface JobParts {
  readonly profiles: ProfileDirectory
  readonly work: WorkArea
  readonly inputs: InputFiles
}

/** The id in a path; anything but a GUID is not found. */
export function requiredId(text: string): string {
  const id = jobIdOf(text)
  if (id === undefined) throw refuse('job.not-found', { jobId: text })
  return id
}

/** The job a path names. */
export async function requiredJob({ store }: Pick<Context, 'store'>, text: string): Promise<JobRow> {
  const job = await findJob(store.db, requiredId(text))
  if (!job) throw refuse('job.not-found', { jobId: text })
  return job
}

/** A job as lists show it on the wire, with its error in the reader's language. */
export const listItem = (row: ListedJob, locale: ReportLocale, approval?: ApprovalStateView) => ({
  id: row.id,
  fileName: row.file_name,
  originalPath: row.original_path,
  format: row.format,
  source: row.source,
  status: row.status,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  parentJobId: row.parent_job_id,
  errorMessage: errorMessageIn(locale, row),
  profileName: row.profile_name,
  errorCode: row.error_code,
  errorCause: row.error_cause,
  approval: approval ?? null,
})

export type ApprovalStateView = ReturnType<typeof approvalState>

/** How far each of these jobs has come with its approvers, of those that ever waited for them. */
export async function approvalsOf(
  db: Db<Tables>,
  jobs: readonly Pick<ListedJob, 'id'>[],
): Promise<ReadonlyMap<string, ApprovalStateView>> {
  const frozen = await findApprovals(
    db,
    jobs.map(({ id }) => id),
  )
  const decisions = await decisionsOfJobs(db, [...frozen.keys()])
  return new Map([...frozen].map(([id, approval]) => [id, approvalState(approval, decisions.get(id) ?? [])]))
}

/** The summary of a job's remittance. */
export const remittanceOf = ({ cnab240 }: Pick<JobRow, 'cnab240'>): RemittanceSummary | null =>
  cnab240 === null ? null : (JSON.parse(cnab240) as RemittanceSummary)
