import type { Db } from '@chancela/service-kernel/store'
import { type Tally, tallyOf } from '../rules/frozen-approval.ts'
import { decisionsOfJobs, type FrozenApproval, findApprovals } from './approvals.ts'
import type { JobRow, Tables } from './tables.ts'

/** What webhooks tell of a job. */
export interface WebhookFacts {
  readonly job: Pick<
    JobRow,
    'id' | 'file_name' | 'profile_name' | 'external_reference' | 'output_name' | 'output_encrypted'
  >
  readonly approval: FrozenApproval | undefined
  readonly tally: Tally | undefined
}

interface Asked {
  readonly jobIds: readonly string[]
  /** Those of which the approval is told, too. */
  readonly approvedIds: readonly string[]
}

/** The facts of jobs, by id; two statements more where approvals are told of. */
export async function webhookFacts(
  db: Db<Tables>,
  { jobIds, approvedIds }: Asked,
): Promise<ReadonlyMap<string, WebhookFacts>> {
  const jobs = await db
    .selectFrom('job')
    .select(['id', 'file_name', 'profile_name', 'external_reference', 'output_name', 'output_encrypted'])
    .where('id', 'in', [...jobIds])
    .execute()
  const approvals = await findApprovals(db, approvedIds)
  const decisions = await decisionsOfJobs(db, approvedIds)
  return new Map(
    jobs.map((job) => {
      const approval = approvals.get(job.id)
      return [job.id, { job, approval, tally: approval && tallyOf(approval.rule, decisions.get(job.id) ?? []) }]
    }),
  )
}
