// Maps the jobs of the service to the compact variant's names of states and sources, and back.
import type { CompactSource, CompactStatus } from '../contract/compact.ts'
import type { RecordedCode } from '../contract/errors.ts'
import type { HistoryLine, JobRow } from '../store/tables.ts'
import type { ReportLocale } from './cnab240/entry-codes.ts'
import { type JobSource, type JobStatus, jobSources, jobStatuses } from './job.ts'
import { errorMessageIn } from './job-reason.ts'
import { lineIn } from './sentences.ts'

/**
 * Codes of files that failed validation: the file itself was refused, nothing went wrong with signing. The compact
 * variant calls such jobs Rejected; the index `job_rejected` holds them.
 */
export const rejectionCodes = [
  'file.already-processed',
  'cnab240.invalid',
  'cnab240.payment-date-passed',
] as const satisfies readonly RecordedCode[]

const compactStatusOf: Readonly<Record<JobStatus, CompactStatus>> = {
  Queued: 'Pending',
  AwaitingSigner: 'Pending',
  AwaitingApproval: 'Pending',
  Processing: 'Processing',
  Verifying: 'Processing',
  Completed: 'Completed',
  Failed: 'Failed',
  Canceled: 'Canceled',
}

const compactSourceOf: Readonly<Record<JobSource, CompactSource>> = {
  Upload: 'RestApi',
  Watcher: 'WatchedFolder',
  Retry: 'WatchedFolder',
  Rescan: 'WatchedFolder',
  SignerFolder: 'WatchedFolder',
}

/** The state of a job in the compact variant. */
export const compactStatus = (status: JobStatus, errorCode: string | null): CompactStatus =>
  status === 'Failed' && isRejection(errorCode) ? 'Rejected' : compactStatusOf[status]

/** The source of a job in the compact variant; the retry of an upload came by the API, too: no folder was involved. */
export const compactSource = ({ source, input_folder }: Pick<JobRow, 'source' | 'input_folder'>): CompactSource =>
  source === 'Retry' && input_folder === null ? 'RestApi' : compactSourceOf[source]

/** The states behind a compact state; Failed and Rejected share one and differ by the code. */
export const statusesOf = (status: CompactStatus): readonly JobStatus[] =>
  jobStatuses.filter((one) => compactStatusOf[one] === (status === 'Rejected' ? 'Failed' : status))

/** The sources behind a compact source, retries apart: those of uploads have no folder. */
export const sourcesOf = (source: CompactSource): readonly JobSource[] =>
  jobSources.filter((one) => compactSourceOf[one] === source)

/** Decides whether a job that has not ended will be encrypted: its profile, unless the caller said otherwise. */
type EncryptsByDefault = (profileName: string) => boolean

/** The columns a list of the compact variant reads. */
export const compactColumns = [
  'id',
  'file_name',
  'status',
  'source',
  'input_folder',
  'format',
  'profile_name',
  'encryption_requested',
  'output_encrypted',
  'external_reference',
  'parent_job_id',
  'created_at',
  'updated_at',
  'started_at',
  'finished_at',
  'signing_ms',
  'verification_ms',
  'output_ms',
  'output_name',
  'error_code',
  'error_message',
  'error_reason',
] as const satisfies readonly (keyof JobRow)[]

export type CompactRow = Pick<JobRow, (typeof compactColumns)[number]>

/** A job in a list of the compact variant. */
export const compactJob = (row: CompactRow, encryptsByDefault: EncryptsByDefault, locale: ReportLocale) => ({
  id: row.id,
  fileName: row.file_name,
  status: compactStatus(row.status, row.error_code),
  source: compactSource(row),
  signatureFormat: row.format,
  encryptionEnabled: isEncrypted(row, encryptsByDefault),
  externalReference: row.external_reference,
  originalJobId: row.parent_job_id,
  createdAtUtc: row.created_at,
  updatedAtUtc: row.updated_at,
  startedAtUtc: row.started_at,
  completedAtUtc: row.finished_at,
  processingMs: processingMs(row),
  // The name is recorded before the file exists.
  outputFileName: row.status === 'Completed' ? row.output_name : null,
  errorCode: row.error_code,
  errorMessage: errorMessageIn(locale, row),
})

/** The events of a job, ordered by time; lines with the same time keep the order they were written in. */
export const compactEvents = (history: readonly HistoryLine[], locale: ReportLocale) =>
  [...history]
    .sort((a, b) => (a.at === b.at ? a.id - b.id : a.at < b.at ? -1 : 1))
    .map(({ id, at, status, code, message, told }) => ({
      id,
      createdAtUtc: at,
      status: compactStatus(status, code),
      code,
      message: lineIn(locale, message, told),
    }))

const isRejection = (code: string | null): boolean => (rejectionCodes as readonly (string | null)[]).includes(code)

function isEncrypted(row: CompactRow, encryptsByDefault: EncryptsByDefault): boolean {
  if (row.status === 'Completed') return row.output_encrypted === 1
  return row.encryption_requested === null ? encryptsByDefault(row.profile_name) : row.encryption_requested === 1
}

const processingMs = ({ status, signing_ms, verification_ms, output_ms }: CompactRow): number | null =>
  status === 'Completed' ? (signing_ms ?? 0) + (verification_ms ?? 0) + (output_ms ?? 0) : null
