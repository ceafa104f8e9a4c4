import type { ChainTables, EventTables } from '@chancela/service-kernel/events'
import type { EndedSessionTables, ListedSessionTables } from '@chancela/service-kernel/http'
import type { Generated } from 'kysely'
import type { SigningOutcome, SigningWay } from '../contract/portal-signing.ts'
import type { FileNoticeKind } from '../rules/approver-notice.ts'
import type { Decision, IdentificationMethod } from '../rules/frozen-approval.ts'
import type { InstanceState } from '../rules/instances.ts'
import type { JobEnd, JobSource, JobStatus, SignatureFormat } from '../rules/job.ts'
import type { FileIdentity } from '../rules/tombstone.ts'

/**
 * Disposal of a job's input file. `pending`: the job is Completed and the file must still be compared and deleted;
 * start-up recovery finishes what a crash left pending.
 */
export type InputDisposal = 'none' | 'pending' | 'deleted' | 'diverged' | 'missing'

/** One row of `job`. */
export interface JobRow {
  /** GUID version 4. */
  id: string
  file_name: string
  /** The name as it is compared host-wide; see `nameKey`. */
  name_key: string
  /** Absolute path of the input; null for a document of an external service. */
  original_path: string | null
  /** The same while the job is active or its input is to be disposed of: a unique index allows one such job per path. */
  active_path: string | null
  /** Name of the watched folder; null for an upload. */
  input_folder: string | null
  format: SignatureFormat
  source: JobSource
  status: JobStatus
  profile_name: string
  parent_job_id: string | null
  /** The caller's reference in the compact variant. */
  external_reference: string | null
  /** Whether the caller requested encryption; null leaves it to the profile. */
  encryption_requested: number | null
  created_at: string
  updated_at: string
  queued_at: string
  started_at: string | null
  finished_at: string | null
  /** The process that has the job, as identity and incarnation. */
  owner: string | null
  /** Written before the key signs: from here on a redo could sign twice. */
  reached_key_at: string | null
  content_sha256: string | null
  content_length: number | null
  error_code: string | null
  error_message: string | null
  /** JSON of the reason (`JobReason`): `error_message` is its English sentence. Null where only the sentence is known. */
  error_reason: string | null
  /** The code, and what is behind it where that is known: `job.signing-failed/pdf.encrypted`. */
  error_cause: string | null
  /** Name in its folder, recorded before the file exists. */
  output_name: string | null
  /** Absolute folder of the output; null is output/ under the root. */
  output_folder: string | null
  output_encrypted: number
  output_length: number | null
  input_disposal: InputDisposal
  /** Which file lay at the path when the job was made; see `FileIdentity`. Null for uploads and older jobs. */
  input_identity: FileIdentity | null
  /** JSON of the remittance's summary. */
  cnab240: string | null
  queue_ms: number | null
  signing_ms: number | null
  verification_ms: number | null
  output_ms: number | null
  /** When enough approvers had approved it; null while it waits, and for jobs nobody has to approve. */
  released_at: string | null
  /** When an approver rejected it: from then on no key signs it. */
  vetoed_at: string | null
}

/** One row of `job_history`: never changed, deleted only with its job. */
interface JobHistoryRow {
  id: Generated<number>
  job_id: string
  at: string
  status: JobStatus
  code: string | null
  message: string
  /** JSON of the sentences (`Sentence[]`): `message` is them in English. Null where only that is known. */
  told: string | null
}

/** The payments of a remittance, as JSON lines; in their own table so that lists never read them. */
interface JobPaymentsRow {
  job_id: string
  payments: string
}

/** Number of jobs of each kind; updated with the jobs, so that counting a million costs nothing. */
export interface JobTallyRow {
  profile_name: string
  status: JobStatus
  source: JobSource
  format: SignatureFormat
  n: number
}

/**
 * Number of jobs created in one day and in one minute (UTC) and how they ended: deep pages are found by these counts
 * instead of a scan over the jobs before them. Open jobs are not distinguished, so that a job costs only two entries.
 */
export interface JobCalendarRow {
  level: 'day' | 'minute'
  /** `2026-11-15`, or `2026-11-15T08:57`. */
  span: string
  profile_name: string
  source: JobSource
  format: SignatureFormat
  /** Empty while the job has not ended. */
  ended: JobEnd | ''
  n: number
}

/** What ended in one minute (UTC, `2026-11-15T08:57`), for charts and statistics. */
export interface ThroughputRow {
  minute: string
  completed: number
  failed: number
  canceled: number
  encrypted: number
  queue_ms: number
  signing_ms: number
  verification_ms: number
  output_ms: number
  /** Longest of the minute's completed jobs, from pick-up to output. */
  longest_ms: number
  shortest_ms: number
}

/** The one row of flags the instances share; `version` counts pauses and resumes, `profile_version` profile edits. */
export interface PipelineStateRow {
  id: number
  paused: number
  paused_at: string | null
  resumed_at: string | null
  paused_by: string | null
  reason: string | null
  version: number
  profile_version: number
  statistics_since: string
}

/** Lifetime counts of a watched folder. */
interface InputFolderRow {
  name: string
  enqueued: number
  last_enqueued_at: string | null
}

/** A file of a watched folder that is not taken by itself, though the job that says why may be gone. */
export interface InputTombstoneRow {
  path: string
  /** Name of the watched folder. */
  folder: string
  identity: FileIdentity | null
  sha256: string | null
  /** Held: it lay there before the database knew the folder. */
  verdict: Extract<JobStatus, 'Failed' | 'Canceled'> | 'Held'
  code: string | null
  job_id: string | null
  at: string
}

/**
 * A folder added on the dashboard, as an entry of Storage:Inputs in JSON; without an entry it is the pause of a folder
 * of the settings file.
 */
export interface WatchedFolderRow {
  name: string
  entry: string | null
  paused: number
  paused_at: string | null
  paused_by: string | null
  reason: string | null
  version: number
  created_at: string
  updated_at: string
}

/** A watched folder as its hidden file names it; see `Place`. */
interface FolderPlaceRow {
  id: string
  folder: string
  sequence: number
  at: string
}

/** A signing profile; behaviour and certificate are JSON, secrets are sealed. */
export interface SigningProfileRow {
  name: string
  name_key: string
  enabled: number
  input_folder: string | null
  format: SignatureFormat | null
  method: string
  behaviour: string
  certificate: string | null
  sealed_secret: string | null
  sealed_pkcs12: string | null
  version: number
  created_at: string
  updated_at: string
}

/** One run of the backup. */
export interface BackupRunRow {
  id: string
  cause: 'Manual' | 'Scheduled'
  actor: string
  started_at: string
  finished_at: string | null
  result: 'Succeeded' | 'Failed' | 'Canceled' | null
  file_name: string | null
  size_bytes: number | null
  error: string | null
}

/** A process that works on the store; `id` is the owner of its jobs. */
export interface InstanceRow {
  id: string
  name: string
  state: InstanceState
  version: string
  started_at: string
  last_heartbeat: string
  /** With which another process of the same machine can tell whether it is gone. */
  space: string | null
  pid: number
  process_started: string | null
}

/** A completed job that retention deleted with its output. */
interface CleanedOutputRow {
  id: string
  cleaned_at: string
}

/** What a job waited for; stays when retention deletes the job. */
export interface JobApprovalRow {
  job_id: string
  file_name: string
  profile_name: string
  /** JSON of the `ApprovalRule` as it was when the job parked. */
  rule: string
  /** Of the bytes that are approved; null only in rows that somebody else wrote. */
  content_sha256: string | null
  content_length: number | null
  /** Name of the copy in the job's folder under processing/. */
  staged_name: string
  parked_at: string
  expires_at: string | null
  /** Of the signatures collected so far, which lie beside the copy; null before the first. */
  envelope_sha256: string | null
}

/** Whose decision a job waits for, as `approverKey`. */
interface ApprovalMemberRow {
  approver_key: string
  job_id: string
}

/** One person's word about a job; never changed. */
export interface ApprovalDecisionRow {
  job_id: string
  approver_key: string
  /** Name and CPF as in the frozen pool. */
  name: string
  cpf: string
  decision: Decision
  reason: string | null
  method: IdentificationMethod
  /** Of the bytes that were approved or rejected. */
  content_sha256: string
  decided_at: string
  ip_address: string | null
  user_agent: string | null
  second_factor_at: string | null
  /** JSON of the certificate, where the decision is a signature (`ApproverCertificate`). */
  certificate: string | null
}

/** Something about a file that somebody is told by mail; see `ApproverMails`. */
export interface ApproverNoticeRow {
  approver_key: string
  kind: FileNoticeKind
  job_id: string
  /** From when on it is to be told; once it is, when that was. */
  due_at: string
  /** The mail it is told in; null until then. */
  told_in: string | null
}

/** When somebody was last told something by mail. The digest of all is under an empty key. */
interface ApproverMailRow {
  approver_key: string
  kind: string
  at: string
}

/** The authenticator app of an approver; see `SecondFactors`. */
export interface ApproverFactorRow {
  approver_key: string
  /** Sealed with a key of ApproverSecondFactor:SeedSecret, for this approver. */
  sealed_seed: string
  /** Time step of the last code that was accepted. */
  last_step: number
  /** Wrong codes in a row. */
  failures: number
  locked_until: string | null
  enrolled_at: string
}

/** A browser session in which a code was given lately. */
export interface ApproverWindowRow {
  session_id: string
  approver_key: string
  verified_at: string
  /** As long as the setting was when it was opened. */
  until: string
  /** Whether it is good for one call only. */
  once: number
}

/** What an approver asked a key elsewhere for; see `actions/sign-elsewhere`. */
export interface ApproverSigningRow {
  id: string
  way: SigningWay
  /** At the hub: hash of the `state` the person comes back with. With a token: id of the approval. */
  reference: string
  approver_key: string
  method: Exclude<IdentificationMethod, 'SelfDeclaredEmail'>
  /** The browser it was begun in. */
  session_id: string
  ip_address: string | null
  user_agent: string | null
  /** The approver's word, for every file. */
  reason: string | null
  created_at: string
  expires_at: string
  /** When somebody began to have it signed: once. */
  taken_at: string | null
  /** When its signatures were stored: from then on nothing is lost. */
  kept_at: string | null
  /** Until then somebody works on it. */
  busy_until: string | null
  /** SHA-256 of the certificate that signed. */
  thumbprint: string | null
  outcome: SigningOutcome | null
}

/** One file of such a request. */
export interface ApproverSigningFileRow {
  signing_id: string
  job_id: string
  position: number
  /** Null for a job that is not there. */
  file_name: string | null
  /** Sealed: what the signature is made again from (`BegunSignature`). */
  token: string | null
  /** Base64. */
  signature: string | null
  /** JSON of the `FileResult`; null until there is one. */
  result: string | null
}

/** Wrong keys of one network at the sign-in. */
export interface KeyGuessRow {
  /** An address, or the /64 of one. */
  client: string
  guesses: number
  /** ISO 8601. */
  expires_at: string
}

export interface Tables extends EventTables, ChainTables, EndedSessionTables, ListedSessionTables {
  key_guess: KeyGuessRow
  job: JobRow
  job_approval: JobApprovalRow
  approval_member: ApprovalMemberRow
  approval_decision: ApprovalDecisionRow
  approver_factor: ApproverFactorRow
  approver_window: ApproverWindowRow
  approver_notice: ApproverNoticeRow
  approver_mail: ApproverMailRow
  approver_signing: ApproverSigningRow
  approver_signing_file: ApproverSigningFileRow
  job_history: JobHistoryRow
  job_payments: JobPaymentsRow
  job_tally: JobTallyRow
  job_calendar: JobCalendarRow
  throughput: ThroughputRow
  pipeline_state: PipelineStateRow
  input_folder: InputFolderRow
  input_tombstone: InputTombstoneRow
  watched_folder: WatchedFolderRow
  folder_place: FolderPlaceRow
  signing_profile: SigningProfileRow
  backup_run: BackupRunRow
  instance: InstanceRow
  cleaned_output: CleanedOutputRow
  certificate_notice: CertificateNoticeRow
}

/** A notice before the end of a certificate that was given. */
interface CertificateNoticeRow {
  profile_name: string
  thumbprint: string
  /** How many days before the end it is due. */
  days: number
  noticed_at: string
}

/** A line of a job's history. */
export type HistoryLine = Omit<JobHistoryRow, 'id'> & { readonly id: number }
