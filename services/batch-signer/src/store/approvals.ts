import type { AuditChain } from '@chancela/service-kernel/events'
import { type Db, dialectOf } from '@chancela/service-kernel/store'
import { type Kysely, type SqlBool, sql } from 'kysely'
import { type ApprovalRule, approverKey } from '../rules/approval-rule.ts'
import { type Decision, expiryOf } from '../rules/frozen-approval.ts'
import type { RemovalReason } from './chained-records.ts'
import type { ApprovalDecisionRow, JobApprovalRow, JobRow, Tables } from './tables.ts'

/** What a job waits for: rule and pool as they were when it parked. */
export interface FrozenApproval extends Omit<JobApprovalRow, 'rule'> {
  readonly rule: ApprovalRule
}

interface Freezing {
  readonly id: string
  readonly at: string
  readonly change: {
    readonly sha256: string
    readonly length: number
    readonly rule: ApprovalRule
    readonly stagedName: string
    readonly fileName: string
    readonly profileName: string
  }
}

/** Stores the rules of jobs that park, in the transaction that parks them. */
export async function freezeApprovals(tx: Kysely<Tables>, parked: readonly Freezing[]): Promise<void> {
  await tx.insertInto('job_approval').values(parked.map(frozenRow)).execute()
  const members = parked.flatMap(({ id, change: { rule } }) =>
    rule.approvers.map(({ email }) => ({ approver_key: approverKey(email), job_id: id })),
  )
  await tx.insertInto('approval_member').values(members).execute()
}

const frozenRow = ({ id, at, change }: Freezing): JobApprovalRow => ({
  job_id: id,
  file_name: change.fileName,
  profile_name: change.profileName,
  rule: JSON.stringify(change.rule),
  content_sha256: change.sha256,
  content_length: change.length,
  staged_name: change.stagedName,
  parked_at: at,
  expires_at: expiryOf(change.rule, new Date(at))?.toISOString() ?? null,
  envelope_sha256: null,
})

/** What a job waits or waited for; undefined for one that never parked. */
export async function findApproval(db: Db<Tables>, jobId: string): Promise<FrozenApproval | undefined> {
  const row = await db.selectFrom('job_approval').selectAll().where('job_id', '=', jobId).executeTakeFirst()
  return row && frozen(row)
}

/** The same of several jobs, by id. */
export async function findApprovals(
  db: Db<Tables>,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, FrozenApproval>> {
  if (jobIds.length === 0) return new Map()
  const rows = await db.selectFrom('job_approval').selectAll().where('job_id', 'in', jobIds).execute()
  return new Map(rows.map((row) => [row.job_id, frozen(row)]))
}

const frozen = (row: JobApprovalRow): FrozenApproval => ({ ...row, rule: JSON.parse(row.rule) as ApprovalRule })

/** The decisions about a job, oldest first. */
export const decisionsOf = (db: Db<Tables>, jobId: string): Promise<readonly ApprovalDecisionRow[]> =>
  db
    .selectFrom('approval_decision')
    .selectAll()
    .where('job_id', '=', jobId)
    .orderBy('decided_at')
    .orderBy('approver_key')
    .execute()

/** What was decided about several jobs. */
export async function decisionsOfJobs(
  db: Db<Tables>,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, readonly { readonly decision: Decision }[]>> {
  if (jobIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('approval_decision')
    .select(['job_id', 'decision'])
    .where('job_id', 'in', jobIds)
    .execute()
  const found = new Map<string, { decision: Decision }[]>()
  for (const { job_id, decision } of rows) found.set(job_id, [...(found.get(job_id) ?? []), { decision }])
  return found
}

/** A job as a decision about it sees it. */
export type DecidableJob = Pick<
  JobRow,
  | 'id'
  | 'file_name'
  | 'status'
  | 'profile_name'
  | 'input_folder'
  | 'encryption_requested'
  | 'released_at'
  | 'vetoed_at'
  | 'reached_key_at'
>

/**
 * A job, held until the transaction ends: of two approvers who decide at once, in two processes, the second sees what
 * the first decided.
 */
export function lockJob(tx: Kysely<Tables>, jobId: string): Promise<DecidableJob | undefined> {
  const query = decidable(tx, jobId)
  return (dialectOf(tx) === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
}

/** The same job as it is now, held by nobody. */
export const findDecidable = (db: Db<Tables>, jobId: string): Promise<DecidableJob | undefined> =>
  decidable(db, jobId).executeTakeFirst()

const decidable = (db: Db<Tables>, jobId: string) =>
  db
    .selectFrom('job')
    .select(['id', 'file_name', 'status', 'profile_name', 'input_folder', 'encryption_requested'])
    .select(['released_at', 'vetoed_at', 'reached_key_at'])
    .where('id', '=', jobId)

/** Stores a decision; false when the person has decided before. */
export async function insertDecision(tx: Kysely<Tables>, row: ApprovalDecisionRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('approval_decision')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Names the envelope that counts from now on; false when another one was named meanwhile. */
export async function nameEnvelope(
  tx: Kysely<Tables>,
  jobId: string,
  { before, after }: { readonly before: string | null; readonly after: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('job_approval')
    .set({ envelope_sha256: after })
    .where('job_id', '=', jobId)
    .where('envelope_sha256', before === null ? 'is' : '=', before)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Jobs whose wait is over, oldest deadline first. */
export const overdueJobs = (db: Db<Tables>, now: Date, most: number) =>
  db
    .selectFrom('job')
    .innerJoin('job_approval', 'job_approval.job_id', 'job.id')
    .select(['job.id', 'job.file_name', 'job.original_path', 'job.profile_name', 'job_approval.expires_at'])
    .where('job.status', '=', 'AwaitingApproval')
    .where('job_approval.expires_at', '<=', now.toISOString())
    .orderBy('job_approval.expires_at')
    .limit(most)
    .execute()

/** Deletes what jobs waited for and what was decided, but for the links in the audit chain; retention never does. */
export async function deleteApprovals(
  tx: Db<Tables>,
  {
    chain,
    jobIds,
    reason,
  }: { readonly chain: AuditChain; readonly jobIds: readonly string[]; readonly reason: RemovalReason },
): Promise<void> {
  if (jobIds.length === 0) return
  const theirs = sql<SqlBool>`job_id in (${sql.join(jobIds)})`
  await chain.removing(tx, reason, { rule: theirs, decision: theirs })
  for (const table of ['approval_decision', 'approval_member', 'job_approval', 'approver_notice'] as const)
    await tx.deleteFrom(table).where('job_id', 'in', jobIds).execute()
}

/** The hidden output of a rejected job is durable: from here on only its name is missing. */
export async function markHidden(db: Db<Tables>, jobId: string): Promise<void> {
  await db.updateTable('job').set({ output_length: sql`content_length` }).where('id', '=', jobId).execute()
}
