import { clientAddress, serve } from '@chancela/service-kernel/http'
import { type DecisionParts, decide } from '../../actions/decide.ts'
import type { Context } from '../../context.ts'
import { decideApproval, readApprovals, withdrawnDecision } from '../../contract/approvals.ts'
import { approvalRecord } from '../../rules/approval-views.ts'
import { refuse } from '../../rules/refuse.ts'
import { decisionsOf, findApproval } from '../../store/approvals.ts'
import { findJob } from '../../store/job-reads.ts'
import type { FullApp } from './full-app.ts'
import { requiredId } from './job-views.ts'

/** Registers decisions and their record. */
export function serveApprovals(app: FullApp, context: Context, parts: DecisionParts): void {
  const { db } = context.store

  serve(app, readApprovals, async ({ params }) => {
    const jobId = requiredId(params.id)
    const approval = await findApproval(db, jobId)
    if (approval) return approvalRecord(approval, await decisionsOf(db, jobId))
    throw refuse((await findJob(db, jobId)) ? 'approval.not-required' : 'job.not-found', { jobId })
  })

  // Whoever gives no code decides nothing: the whole route is withdrawn, whatever it was asked.
  if (context.settings.ApproverSecondFactor.Enabled) {
    serve(app, withdrawnDecision, () => {
      throw refuse('approval.second-factor-required')
    })
    return
  }
  serve(app, decideApproval, ({ params, body, request, now }) => {
    const { email, decision, reason } = body
    const approver = {
      email,
      method: 'SelfDeclaredEmail',
      ipAddress: clientAddress(request),
      userAgent: request.headers['user-agent'] ?? null,
    } as const
    return decide(context, parts, { jobId: requiredId(params.id), approver, decision, reason }, now)
  })
}
