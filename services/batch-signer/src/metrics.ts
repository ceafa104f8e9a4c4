import { mailMetricTable } from '@chancela/outbox/mail'
import { webhookMetricTable } from '@chancela/outbox/webhooks'
import { defineMetrics, type MetricsOf, type MetricTable } from '@chancela/service-kernel/metrics'
import type { Context } from './context.ts'
import { conditions, type HoldReason } from './rules/conditions.ts'
import { type FolderCondition, folderConditions } from './rules/folder-conditions.ts'
import { inFlightStatuses, type JobStatus, signatureFormats } from './rules/job.ts'
import type { JobChange } from './store/job-ledger.ts'

// From a small file on a fast key to a large one with a remote timestamp.
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const

const byProfile = { profile: 'any' } as const

/**
 * Every metric of the service (spec 2, Events). Those of the external signature service and of the log sink are 0 until
 * those parts exist: a dashboard written for the contract finds every name.
 */
export const batchMetricTable = {
  bulk_jobs_enqueued_total: {
    type: 'counter',
    help: 'Jobs queued, by input folder.',
    labels: { folder: 'any' },
  },
  bulk_jobs_completed_total: { type: 'counter', help: 'Jobs that reached Completed.' },
  bulk_jobs_failed_total: { type: 'counter', help: 'Jobs that reached Failed.' },
  bulk_jobs_canceled_total: { type: 'counter', help: 'Jobs an operator canceled.' },
  bulk_jobs_verify_skipped_total: {
    type: 'counter',
    help: 'Jobs whose signature was not verified, because the profile does not ask for it.',
    labels: byProfile,
  },
  bulk_cert_validation_failed_total: {
    type: 'counter',
    help: 'Validations of the certificate before signing that failed.',
    labels: byProfile,
  },
  bulk_pipeline_pause_total: { type: 'counter', help: 'Pauses of the pipeline.' },
  bulk_pipeline_resume_total: { type: 'counter', help: 'Resumptions of the pipeline.' },
  bulk_pipeline_paused: {
    type: 'gauge',
    help: '1 while the pipeline is paused, by an operator or by itself, 0 while it runs.',
  },
  bulk_files_encrypted_total: { type: 'counter', help: 'Encryption envelopes written.' },
  bulk_jobs_in_flight: { type: 'gauge', help: 'Jobs in Processing or Verifying.' },
  bulk_signing_duration_seconds: {
    type: 'histogram',
    help: 'Time to sign, verify and promote a file, in seconds.',
    labels: { format: signatureFormats },
    buckets: SECONDS,
  },
  bulk_jobs_dispatched_to_signer_total: {
    type: 'counter',
    help: 'Jobs dispatched to the external signature service.',
    labels: byProfile,
  },
  bulk_jobs_awaiting_signer: { type: 'gauge', help: 'Jobs in AwaitingSigner.' },
  bulk_signer_poll_duration_seconds: {
    type: 'histogram',
    help: 'Time of one pass over the jobs in AwaitingSigner, in seconds.',
    buckets: SECONDS,
  },
  bulk_signer_api_errors_total: {
    type: 'counter',
    help: 'Errors of the external signature service.',
    labels: { op: ['poll', 'download'] },
  },
  bulk_signer_folder_jobs_enqueued_total: {
    type: 'counter',
    help: 'Jobs created for documents in folders of the external signature service.',
    labels: byProfile,
  },
  bulk_signer_folder_signatures_total: {
    type: 'counter',
    help: 'Attempts to sign documents in folders of the external signature service.',
    labels: { outcome: ['signed', 'refused', 'no-longer-pending', 'failed'] },
  },
  bulk_signer_folder_sweep_errors_total: {
    type: 'counter',
    help: 'Failures of sweeps over folders of the external signature service.',
    labels: { op: ['pass', 'folder'] },
  },
  bulk_signer_notifications_total: {
    type: 'counter',
    help: 'Notifications of the external signature service.',
    labels: { outcome: ['accepted', 'ignored', 'unreadable', 'unauthorized', 'unavailable', 'throttled'] },
  },
  bulk_jobs_parked_for_approval_total: {
    type: 'counter',
    help: 'Jobs that went from Processing to AwaitingApproval.',
    labels: byProfile,
  },
  bulk_jobs_awaiting_approval: { type: 'gauge', help: 'Jobs in AwaitingApproval.' },
  bulk_approvals_recorded_total: {
    type: 'counter',
    help: 'Decisions of approvers, one per person and job.',
    labels: byProfile,
  },
  bulk_approvals_rejected_total: { type: 'counter', help: 'Rejections by approvers.', labels: byProfile },
  bulk_jobs_released_by_approval_total: {
    type: 'counter',
    help: 'Jobs released because their quorum was met.',
    labels: byProfile,
  },
  bulk_approvals_expired_total: { type: 'counter', help: 'Waits for approval that expired.', labels: byProfile },
  bulk_jobs_content_changed_total: {
    type: 'counter',
    help: 'Jobs refused because their content was not the approved one; stays zero.',
    labels: byProfile,
  },
  bulk_inputs_diverged_total: {
    type: 'counter',
    help: 'Inputs left in place because they changed during their job.',
    labels: byProfile,
  },
  bulk_cnab240_payment_date_checks_skipped_total: {
    type: 'counter',
    help: 'Remittances released with the check of payment dates off.',
    labels: byProfile,
  },
  bulk_approver_signatures_total: {
    type: 'counter',
    help: 'Attempts of approvers to sign.',
    labels: {
      outcome: [
        'signed',
        'cpf-mismatch',
        'without-cpf',
        'certificate-invalid',
        'signature-invalid',
        'conflict',
        'abandoned',
        'browser-failed',
        'provider-failed',
      ],
      means: ['browser', 'cloud'],
    },
  },
  bulk_second_factor_verifications_total: {
    type: 'counter',
    help: 'Attempts to pass the second factor.',
    labels: { outcome: ['verified', 'invalid-code', 'locked-out'] },
  },
  bulk_second_factor_enrolments_total: { type: 'counter', help: 'Second factors that were enrolled and confirmed.' },
  bulk_backup_runs_total: {
    type: 'counter',
    help: 'Backups that ended.',
    labels: { result: ['Succeeded', 'Failed', 'Canceled'] },
  },
  bulk_backup_duration_seconds: {
    type: 'histogram',
    help: 'Time of a backup that succeeded, in seconds.',
    buckets: SECONDS,
  },
  bulk_backup_last_size_bytes: { type: 'gauge', help: 'Size of the last stored backup, in bytes.' },
  bulk_backup_last_success_timestamp_seconds: {
    type: 'gauge',
    help: 'Unix time of the last backup that succeeded; 0 before the first.',
  },
  bulk_backup_prune_failures_total: { type: 'counter', help: 'Backups stored while old ones could not be removed.' },
  bulk_profile_held: {
    type: 'gauge',
    help: '1 while a profile is held and its jobs wait, by reason.',
    labels: { profile: 'any', reason: Object.keys(conditions) as readonly HoldReason[] },
  },
  bulk_folder_held: {
    type: 'gauge',
    help: '1 while an input folder is held, because it or its output folder cannot be used, by reason.',
    labels: { folder: 'any', reason: Object.keys(folderConditions) as readonly FolderCondition[] },
  },
  bulk_profile_certificate_not_after_timestamp_seconds: {
    type: 'gauge',
    help: 'Unix time at which the certificate of a profile expires; NaN while the profile has none.',
    labels: byProfile,
  },
  bulk_mail_attempts_total: mailMetricTable.mail_attempts_total,
  bulk_mail_waiting: mailMetricTable.mail_waiting,
  bulk_webhook_attempts_total: webhookMetricTable.webhook_attempts_total,
  bulk_webhook_attempt_duration_seconds: webhookMetricTable.webhook_attempt_duration_seconds,
  bulk_webhook_delivery_delay_seconds: webhookMetricTable.webhook_delivery_delay_seconds,
  bulk_webhook_endpoints_disabled_total: webhookMetricTable.webhook_endpoints_disabled_total,
  bulk_webhook_deliveries_waiting: webhookMetricTable.webhook_deliveries_waiting,
  bulk_webhook_oldest_waiting_seconds: webhookMetricTable.webhook_oldest_waiting_seconds,
  bulk_webhook_breakers_open: webhookMetricTable.webhook_breakers_open,
  bulk_log_sink_outages_total: { type: 'counter', help: 'Outages of the remote log sink.' },
  bulk_log_sink_dropped_total: { type: 'counter', help: 'Log events dropped because the queue of the sink was full.' },
} as const satisfies MetricTable

export type BatchMetrics = MetricsOf<typeof batchMetricTable>

/**
 * Declares the metrics and updates those derived from jobs: counters from their changes, gauges from their counts.
 * `isSelfPaused`: whether the pipeline waits for its storage.
 */
export function openBatchMetrics(
  { metrics, store, ledger, closing }: Pick<Context, 'metrics' | 'store' | 'ledger' | 'closing'>,
  isSelfPaused: () => boolean = () => false,
): BatchMetrics {
  const declared = defineMetrics(metrics.registry, batchMetricTable)
  const stop = ledger.listen((changes) => {
    for (const change of changes) count(declared, change)
  })
  closing.add('metrics of jobs', stop)
  const counted = (...statuses: readonly JobStatus[]) => countOf(store, statuses)
  declared.bulk_jobs_in_flight.measure(() => counted(...inFlightStatuses))
  declared.bulk_jobs_awaiting_signer.measure(() => counted('AwaitingSigner'))
  declared.bulk_jobs_awaiting_approval.measure(() => counted('AwaitingApproval'))
  declared.bulk_pipeline_paused.measure(async () => {
    const { paused } = await store.db.selectFrom('pipeline_state').select('paused').executeTakeFirstOrThrow()
    return isSelfPaused() ? 1 : paused
  })
  return declared
}

/** Label for jobs that came by upload. */
const UPLOADED = '(upload)'

function count(metrics: BatchMetrics, change: JobChange): void {
  const { status, from, format, encrypted, durationMs } = change
  if (status === 'Queued' && from === null)
    metrics.bulk_jobs_enqueued_total.inc({ folder: change.inputFolder ?? UPLOADED })
  if (status === 'AwaitingApproval') metrics.bulk_jobs_parked_for_approval_total.inc({ profile: change.profileName })
  if (status === 'Failed') metrics.bulk_jobs_failed_total.inc()
  if (change.byOperator) metrics.bulk_jobs_canceled_total.inc()
  if (status !== 'Completed') return
  metrics.bulk_jobs_completed_total.inc()
  if (encrypted) metrics.bulk_files_encrypted_total.inc()
  if (durationMs !== undefined) metrics.bulk_signing_duration_seconds.observe({ format }, durationMs / 1000)
}

/** From the tally, which is updated with the jobs: a scrape never counts a million rows. */
async function countOf(store: Context['store'], statuses: readonly JobStatus[]): Promise<number> {
  const { n } = await store.db
    .selectFrom('job_tally')
    .select((row) => row.fn.sum<number | string | null>('n').as('n'))
    .where('status', 'in', [...statuses])
    .executeTakeFirstOrThrow()
  return Number(n ?? 0)
}
