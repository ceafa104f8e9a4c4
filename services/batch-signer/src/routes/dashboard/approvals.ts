import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { inspectApprovals } from '../../contract/dashboard-approvals.ts'
import { inspectApproval } from '../../parts/approvals/inspect-approval.ts'
import { refuse } from '../../rules/refuse.ts'
import { findJob } from '../../store/job-reads.ts'
import { displayLanguage } from '../full/culture.ts'
import type { FullApp } from '../full/full-app.ts'
import { requiredId } from '../full/job-views.ts'

/** Registers the inspector of approval records, for operators. */
export function serveDashboardApprovals(
  app: FullApp,
  context: Context,
  parts: Parameters<typeof inspectApproval>[1],
): void {
  serve(app, inspectApprovals, async (call) => {
    const jobId = requiredId(call.params.id)
    const found = await inspectApproval(context, parts, jobId)
    if (!found)
      throw refuse((await findJob(context.store.db, jobId)) ? 'approval.not-required' : 'job.not-found', { jobId })
    const language = displayLanguage(call)
    const { signatures } = found
    return {
      ...found,
      checkedAt: call.now.toISOString(),
      signatures: signatures && { ...signatures, problems: signatures.problems.map((problem) => problem[language]) },
    }
  })
}
