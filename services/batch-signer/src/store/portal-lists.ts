// What an approver sees of jobs: those whose frozen pool names them, by what they decided themselves.
import type { Db } from '@chancela/service-kernel/store'
import type { PortalList } from '../rules/portal.ts'
import type { ApprovalDecisionRow, JobRow, Tables } from './tables.ts'

/** A job that somebody's decision was asked for; retention may have deleted the job itself. */
export interface ListedApproval {
  readonly job_id: string
  readonly status: JobRow['status'] | null
  readonly cnab240: JobRow['cnab240']
  readonly decision: ApprovalDecisionRow['decision'] | null
  readonly reason: string | null
  readonly decided_at: string | null
}

const askedOf = (db: Db<Tables>, key: string) =>
  db
    .selectFrom('approval_member as member')
    .innerJoin('job_approval as approval', 'approval.job_id', 'member.job_id')
    .leftJoin('job', 'job.id', 'member.job_id')
    .leftJoin('approval_decision as own', (join) =>
      join.onRef('own.job_id', '=', 'member.job_id').onRef('own.approver_key', '=', 'member.approver_key'),
    )
    .select(['member.job_id', 'job.status', 'job.cnab240', 'own.decision', 'own.reason', 'own.decided_at'])
    .where('member.approver_key', '=', key)

type Asked = ReturnType<typeof askedOf>

/** Each list, with its order: what waits longest comes first, what was decided last does. */
const lists: Readonly<Record<PortalList, (asked: Asked, decidedSince: string) => Asked>> = {
  'needs-you': (asked) =>
    asked
      .where('job.status', '=', 'AwaitingApproval')
      .where('own.decision', 'is', null)
      .orderBy('approval.parked_at')
      .orderBy('member.job_id'),
  'waiting-on-others': (asked) =>
    asked
      .where('job.status', '=', 'AwaitingApproval')
      .where('own.decision', 'is not', null)
      .orderBy('approval.parked_at')
      .orderBy('member.job_id'),
  decided: (asked, since) =>
    asked
      .where((row) => row.or([row('job.status', 'is', null), row('job.status', '!=', 'AwaitingApproval')]))
      .where('own.decided_at', '>=', since)
      .orderBy('own.decided_at', 'desc')
      .orderBy('member.job_id'),
}

interface Wanted {
  readonly key: string
  readonly list: PortalList
  readonly decidedSince: Date
  readonly most: number
}

/** The rows of a list, at most `most`. */
export const listAsked = (
  db: Db<Tables>,
  { key, list, decidedSince, most }: Wanted,
): Promise<readonly ListedApproval[]> => lists[list](askedOf(db, key), decidedSince.toISOString()).limit(most).execute()

/** One job as somebody is asked about it; undefined when its pool does not name them. */
export const findAsked = (db: Db<Tables>, key: string, jobId: string): Promise<ListedApproval | undefined> =>
  askedOf(db, key).where('member.job_id', '=', jobId).executeTakeFirst()
