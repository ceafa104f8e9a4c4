import { plus } from '@chancela/service-kernel/clock'
import { durationOf } from '@chancela/service-kernel/config'
import { serve } from '@chancela/service-kernel/http'
import type { Context } from '../../context.ts'
import { listPortal, readPortalJob } from '../../contract/portal.ts'
import type { ProfileDirectory } from '../../parts/signing/signing.ts'
import { approverKey } from '../../rules/approval-rule.ts'
import { todayIn } from '../../rules/cnab240/payment-date-gate.ts'
import type { Payment } from '../../rules/cnab240/remittance.ts'
import { dateWarning, MOST_ROWS, maskedPayment, maskedSummary, type PortalList } from '../../rules/portal.ts'
import { refuse } from '../../rules/refuse.ts'
import { decisionsOf, type FrozenApproval, findApproval } from '../../store/approvals.ts'
import { findJob, paymentsOf } from '../../store/job-reads.ts'
import { findAsked, type ListedApproval, listAsked } from '../../store/portal-lists.ts'
import type { ApprovalDecisionRow } from '../../store/tables.ts'
import type { ApproverSession } from '../approver-access.ts'
import type { PortalApp } from '../full/full-app.ts'
import { remittanceOf, requiredId } from '../full/job-views.ts'
import { rowView, rowViews } from './portal-views.ts'

type PortalContext = Pick<Context, 'settings' | 'store'>

/** The rows of one of the caller's lists, and whether there are more. */
export async function portalRows(
  { settings, store }: PortalContext,
  { email }: ApproverSession,
  list: PortalList,
  now: Date,
) {
  const most = MOST_ROWS[list]
  const decidedSince = plus(now, -durationOf(settings.ApproverPortal.DecidedLookback))
  const asked = await listAsked(store.db, { key: approverKey(email), list, decidedSince, most: most + 1 })
  return { items: await rowViews(store.db, asked.slice(0, most)), cut: asked.length > most }
}

/** Registers the lists of the portal, and one job of them. */
export function servePortal(
  app: PortalApp,
  context: PortalContext,
  { profiles }: { readonly profiles: Pick<ProfileDirectory, 'get'> },
): void {
  const { Cnab240, Site } = context.settings
  serve(app, listPortal, ({ caller, params, now }) => portalRows(context, caller, params.list, now))
  serve(app, readPortalJob, async ({ caller, params, now }) => {
    const view = await jobView(context, caller, requiredId(params.id))
    const today = todayIn(Cnab240.TimeZone ?? Site.TimeZone, now)
    const isOpen = view.status === 'AwaitingApproval'
    return { ...view, dateWarning: isOpen ? dateWarning(view, profiles.get(view.profile), today) : null }
  })
}

/** A job that never parked, and one that is not there, look the same. */
async function jobView({ store: { db } }: PortalContext, { email }: ApproverSession, jobId: string) {
  const approval = await findApproval(db, jobId)
  if (!approval) throw refuse('job.not-found', { jobId })
  const key = approverKey(email)
  const asked = await findAsked(db, key, jobId)
  const shown = asked ?? (await asStranger(db, jobId))
  const decisions = await decisionsOf(db, jobId)
  const summary = remittanceOf(shown)
  return {
    ...rowView(shown, approval, decisions),
    isMember: asked !== undefined,
    mayDecide: asked !== undefined && asked.decision === null && asked.status === 'AwaitingApproval',
    contentSha256: approval.content_sha256,
    contentLength: approval.content_length,
    earliestPaymentDate: summary?.earliestPaymentDate ?? null,
    latestPaymentDate: summary?.latestPaymentDate ?? null,
    pool: asked ? poolView(approval, decisions, key) : [],
    payments: await paymentsView(db, jobId, asked !== undefined),
  }
}

type Reads = Context['store']['db']

/** The job for somebody whom its pool does not name. */
async function asStranger(db: Reads, jobId: string): Promise<ListedApproval> {
  const job = await findJob(db, jobId)
  const summary = job && remittanceOf(job)
  return {
    job_id: jobId,
    status: job?.status ?? null,
    cnab240: summary ? JSON.stringify(maskedSummary(summary)) : null,
    decision: null,
    reason: null,
    decided_at: null,
  }
}

/** Who decides, by name: addresses and CPFs of others are nobody's business here. */
function poolView({ rule }: FrozenApproval, decisions: readonly ApprovalDecisionRow[], own: string) {
  const byKey = new Map(decisions.map((decision) => [decision.approver_key, decision]))
  return rule.approvers.map(({ name, email }) => {
    const key = approverKey(email)
    const decided = byKey.get(key)
    return {
      name,
      isYou: key === own,
      decision: decided?.decision ?? null,
      reason: decided?.reason ?? null,
      decidedAt: decided?.decided_at ?? null,
    }
  })
}

async function paymentsView(db: Reads, jobId: string, isMember: boolean) {
  const stored = await paymentsOf(db, jobId)
  if (stored === undefined) return null
  const payments = JSON.parse(stored) as Payment[]
  return (isMember ? payments : payments.map(maskedPayment)).map((payment) => ({ ...payment }))
}
