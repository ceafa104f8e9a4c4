import { durationOf } from '@chancela/service-kernel/config'
import { approverKey } from '../../rules/approval-rule.ts'
import { type FileNoticeKind, fileKindsOf, reminderTime } from '../../rules/approver-notice.ts'
import type { BatchSignerSettings } from '../../settings.ts'
import { type FrozenApproval, findApprovals } from '../../store/approvals.ts'
import { insertNotices } from '../../store/approver-notices.ts'
import type { JobTeller } from '../../store/job-news.ts'

interface Occasion {
  readonly kind: FileNoticeKind
  readonly jobId: string
  readonly at: string
  /** Who knows it, because it is their own doing. */
  readonly except?: string
}

/**
 * Writes down what approvers are to be told by mail, with the change it is about; `ApproverMails` makes mails of it.
 * Undefined where they are told of no file.
 */
export function approverNotices({ Notifications }: Pick<BatchSignerSettings, 'Notifications'>): JobTeller | undefined {
  const { Kinds, ReminderBefore } = Notifications.Approvals
  const kinds = fileKindsOf(Kinds)
  if (kinds.length === 0) return undefined
  const before = durationOf(ReminderBefore)
  return async (tx, news) => {
    const occasions = occasionsOf(news).filter(({ kind }) => kinds.includes(kind))
    if (occasions.length === 0) return
    const approvals = await findApprovals(tx, [...new Set(occasions.map(({ jobId }) => jobId))])
    const notices = occasions.flatMap((occasion) => noticesOf(occasion, approvals.get(occasion.jobId), before))
    await insertNotices(tx, notices)
  }
}

const occasionsOf = ({ decisions, changes }: Parameters<JobTeller>[1]): Occasion[] => [
  ...decisions
    .filter(({ decision }) => decision === 'rejected')
    .map(({ jobId, at, approverKey: except }) => ({ kind: 'Rejected' as const, jobId, at, except })),
  ...changes.flatMap(({ id: jobId, status, move, at }): Occasion[] => {
    if (status === 'AwaitingApproval') return (['Waiting', 'Reminder'] as const).map((kind) => ({ kind, jobId, at }))
    return move === 'expire' ? [{ kind: 'Expired' as const, jobId, at }] : []
  }),
]

/** One for everybody of the pool. */
function noticesOf({ kind, jobId, at, except }: Occasion, approval: FrozenApproval | undefined, before: number) {
  if (!approval) return []
  const due = kind === 'Reminder' ? reminderTime(approval.rule, new Date(at), before)?.toISOString() : at
  if (due === undefined) return []
  return approval.rule.approvers
    .map(({ email }) => approverKey(email))
    .filter((key) => key !== except)
    .map((key) => ({ approver_key: key, kind, job_id: jobId, due_at: due }))
}
