import { type ChainedKind, chainedEvents } from '@chancela/service-kernel/events'

// Links name the job and not the approver: they stay when an operator deletes the job.

/** What a job waited for. The envelope of signatures grows while approvers sign. */
const rules: ChainedKind = {
  kind: 'rule',
  table: 'job_approval',
  key: ['job_id'],
  id: 'job_id',
  at: 'parked_at',
  covered: [
    'job_id',
    'file_name',
    'profile_name',
    'rule',
    'content_sha256',
    'content_length',
    'staged_name',
    'parked_at',
    'expires_at',
  ],
  uncovered: ['envelope_sha256'],
}

/** What approvers decided; nothing of it ever changes. */
const decisions: ChainedKind = {
  kind: 'decision',
  table: 'approval_decision',
  key: ['job_id', 'approver_key'],
  id: 'job_id',
  at: 'decided_at',
  covered: [
    'job_id',
    'approver_key',
    'name',
    'cpf',
    'decision',
    'reason',
    'method',
    'content_sha256',
    'decided_at',
    'ip_address',
    'user_agent',
    'second_factor_at',
    'certificate',
  ],
  uncovered: [],
}

/** The records of the service that nobody can change unnoticed. */
export const chainedRecords: readonly ChainedKind[] = [rules, decisions, chainedEvents]

/** Why a record may be gone, as its removal says. */
export type RemovalReason = 'retention' | 'jobs-cleared' | 'job-deleted'
