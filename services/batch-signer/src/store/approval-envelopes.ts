import type { Db } from '@chancela/service-kernel/store'
import type { ApprovalRule } from '../rules/approval-rule.ts'
import type { ApproverCertificate } from '../rules/frozen-approval.ts'
import type { Tables } from './tables.ts'

/** What approvers of a job sign, and what they signed so far. */
export interface JobEnvelope {
  readonly profileName: string
  readonly rule: ApprovalRule
  readonly stagedName: string
  readonly contentSha256: string | null
  readonly contentLength: number | null
  /** Null before the first signature. */
  readonly envelopeSha256: string | null
}

/** The envelope that counts for a job; undefined for a job that never waited. */
export async function readJobEnvelope(db: Db<Tables>, jobId: string): Promise<JobEnvelope | undefined> {
  const row = await db
    .selectFrom('job_approval')
    .select(['profile_name', 'rule', 'staged_name', 'content_sha256', 'content_length', 'envelope_sha256'])
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return (
    row && {
      profileName: row.profile_name,
      rule: JSON.parse(row.rule) as ApprovalRule,
      stagedName: row.staged_name,
      contentSha256: row.content_sha256,
      contentLength: row.content_length,
      envelopeSha256: row.envelope_sha256,
    }
  )
}

/** The certificates of a job's approvals by signature. */
export async function readApproverCertificates(db: Db<Tables>, jobId: string): Promise<readonly ApproverCertificate[]> {
  const rows = await db
    .selectFrom('approval_decision')
    .select('certificate')
    .where('job_id', '=', jobId)
    .where('decision', '=', 'approved')
    .execute()
  return rows.flatMap(({ certificate }) =>
    certificate === null ? [] : [JSON.parse(certificate) as ApproverCertificate],
  )
}
