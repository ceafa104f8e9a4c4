import type {
  AnswerOf,
  backupView,
  bulkJobs,
  clearJobs,
  deleteJob,
  inspectApprovals,
  listApprovers,
  listEvents,
  listFailures,
  listFolderDetails,
  listJobs,
  listProfileDetails,
  listSessions,
  pipelineState,
  profileOptions,
  readApprovals,
  readConditions,
  readJob,
  readOverview,
  readRemittanceTotals,
  readStatistics,
  rescanFolders,
  retryFailures,
  runCleanup,
  signInWays,
  systemView,
  testSavedCertificate,
  whoAmI,
} from '@chancela/batch-signer/contract'

/** The states of a job, in the order a job may take them. */
export const jobStatuses = [
  'Queued',
  'Processing',
  'Verifying',
  'AwaitingApproval',
  'AwaitingSigner',
  'Completed',
  'Failed',
  'Canceled',
] as const

export const signatureFormats = ['Pades', 'Cades', 'Xades'] as const

export type SignatureFormat = (typeof signatureFormats)[number]

/** The sources of jobs in this build. */
export const jobSources = ['Watcher', 'Upload', 'Retry', 'Rescan'] as const

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly page: number
  readonly pageSize: number
  readonly totalCount: number
}

export type Who = AnswerOf<typeof whoAmI>
export type SignInWays = AnswerOf<typeof signInWays>
export type Sessions = AnswerOf<typeof listSessions>
export type Session = Sessions['items'][number]
export type Conditions = AnswerOf<typeof readConditions>
export type Overview = AnswerOf<typeof readOverview>
export type Performance = Overview['performance']
export type FormatCounts = Overview['inFlightByFormat']
export type ThroughputBucket = Overview['throughput'][number]
export type JobItem = AnswerOf<typeof listJobs>['items'][number]
export type JobDetail = AnswerOf<typeof readJob>
export type JobApproval = NonNullable<JobDetail['approval']>
export type ApprovalRecord = AnswerOf<typeof readApprovals>
export type ApprovalInspection = AnswerOf<typeof inspectApprovals>
export type ApprovalDecision = ApprovalRecord['decisions'][number]
export type HistoryEntry = JobDetail['history'][number]
export type Timings = JobDetail['timings']
export type RemittanceSummary = NonNullable<JobDetail['cnab240']>
export type Approvers = AnswerOf<typeof listApprovers>
export type Failures = AnswerOf<typeof listFailures>
export type FailureCause = Failures['causes'][number]
export type RetriedFailures = Omit<AnswerOf<typeof retryFailures>, 'until' | 'next'>
export type RetryTurn = AnswerOf<typeof retryFailures>
export type RemittanceTotals = AnswerOf<typeof readRemittanceTotals>
export type RemittanceTotal = RemittanceTotals['rows'][number]
export type BulkResult = AnswerOf<typeof bulkJobs>['results'][number]
export type DeletedJob = AnswerOf<typeof deleteJob>
export type ClearResult = AnswerOf<typeof clearJobs>
export type Statistics = AnswerOf<typeof readStatistics>
export type StatisticsBucket = Statistics['buckets'][number]
export type FolderList = AnswerOf<typeof listFolderDetails>
export type Folder = FolderList['folders'][number]
export type FolderField = FolderList['fields'][number]
export type Rescan = AnswerOf<typeof rescanFolders>
export type RescannedFolder = Rescan['folders'][number]
export type OperationalEvent = AnswerOf<typeof listEvents>['items'][number]
export type PipelineState = AnswerOf<typeof pipelineState>
export type CleanupResult = AnswerOf<typeof runCleanup>
export type BackupView = AnswerOf<typeof backupView>
export type BackupRun = BackupView['runs'][number]
export type SystemView = AnswerOf<typeof systemView>
export type Readiness = SystemView['readiness']
export type ReadinessCheck = Readiness['checks'][number]
export type Profile = AnswerOf<typeof listProfileDetails>['profiles'][number]
export type ProfileOptions = AnswerOf<typeof profileOptions>
export type CertificateSource = NonNullable<Profile['certificate']>
export type CertificateView = NonNullable<Profile['key']>
export type CertificateTrial = AnswerOf<typeof testSavedCertificate>

/** One payment order of a remittance; the contract leaves the lines open, since each bank fills in other fields. */
export interface Payment {
  readonly record: number
  readonly segment: string
  readonly movement: 'inclusion' | 'exclusion'
  readonly amountCentavos: number
  readonly paymentDate: string | null
  readonly payeeName: string | null
  readonly payeeId: string | null
  readonly payeeBank: string | null
  readonly payeeBranch: string | null
  readonly payeeAccount: string | null
  readonly ownNumber: string | null
  readonly barcode: string | null
  readonly form: { readonly code: string; readonly name: string | null }
}

export interface JobPayments {
  readonly summary: RemittanceSummary | null
  /** Null where the job has none, for example because it failed before they were read. */
  readonly payments: readonly Payment[] | null
}
