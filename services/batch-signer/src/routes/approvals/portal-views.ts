// Jobs as the portal shows them.
import type { Db } from '@chancela/service-kernel/store'
import { approversSign } from '../../rules/approval-rule.ts'
import type { RemittanceSummary } from '../../rules/cnab240/remittance.ts'
import { type Decision, tallyOf } from '../../rules/frozen-approval.ts'
import { decisionsOfJobs, type FrozenApproval, findApprovals } from '../../store/approvals.ts'
import type { ListedApproval } from '../../store/portal-lists.ts'
import type { Tables } from '../../store/tables.ts'
import { remittanceOf } from '../full/job-views.ts'

/** The rows of a list with their rules and how far they are. */
export async function rowViews(db: Db<Tables>, asked: readonly ListedApproval[]) {
  const ids = asked.map(({ job_id }) => job_id)
  const approvals = await findApprovals(db, ids)
  const decisions = await decisionsOfJobs(db, ids)
  return asked.flatMap((one) => {
    // Somebody may have deleted the job between two of these reads.
    const approval = approvals.get(one.job_id)
    return approval ? [rowView(one, approval, decisions.get(one.job_id) ?? [])] : []
  })
}

export type RowView = ReturnType<typeof rowView>

/** One row; a file without a remittance has no figures, which is not the same as figures of zero. */
export function rowView(
  { job_id: jobId, status, cnab240, ...own }: ListedApproval,
  { file_name: fileName, profile_name: profile, rule, parked_at: parkedSince, expires_at: expiresAt }: FrozenApproval,
  decisions: readonly { readonly decision: Decision }[],
) {
  return {
    jobId,
    fileName,
    profile,
    status,
    ...figuresOf(remittanceOf({ cnab240 })),
    tally: tallyOf(rule, decisions),
    parkedSince,
    expiresAt,
    signatureRequired: approversSign(rule.signers),
    ownDecision: ownDecision(own),
  }
}

const figuresOf = (summary: RemittanceSummary | null) => ({
  totalCentavos: summary?.totalCentavos ?? null,
  totalFormatted: summary?.totalFormatted ?? null,
  paymentCount: summary?.paymentCount ?? null,
  cancellationCount: summary?.cancellationCount ?? null,
  largestCentavos: summary?.largestCentavos ?? null,
  payerName: summary?.payerName ?? null,
  payerId: summary?.payerId ?? null,
})

const ownDecision = ({ decision, reason, decided_at }: Pick<ListedApproval, 'decision' | 'reason' | 'decided_at'>) =>
  decision === null || decided_at === null ? null : { decision, reason, decidedAt: decided_at }
