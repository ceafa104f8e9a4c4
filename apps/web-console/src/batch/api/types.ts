/** The states of a job. */
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

export type JobStatus = (typeof jobStatuses)[number]

export const signatureFormats = ['Pades', 'Cades', 'Xades'] as const

export type SignatureFormat = (typeof signatureFormats)[number]

export const jobSources = ['Watcher', 'Upload', 'Retry', 'Rescan'] as const

/** A job as lists show it. */
export interface JobItem {
  readonly id: string
  readonly fileName: string
  readonly originalPath: string | null
  readonly format: SignatureFormat
  readonly source: string
  readonly status: JobStatus
  readonly createdAt: string
  readonly updatedAt: string
  readonly parentJobId: string | null
  readonly errorMessage: string | null
  readonly profileName: string
  readonly errorCode: string | null
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly page: number
  readonly pageSize: number
  readonly totalCount: number
}

export interface HistoryEntry {
  readonly id: number | string
  readonly timestamp: string
  readonly status: JobStatus
  readonly message: string
  readonly code?: string | null
}

/** What a remittance pays in total. */
export interface RemittanceSummary {
  readonly totalCentavos: number
  readonly totalFormatted: string
  readonly paymentCount: number
  readonly cancellationCount: number
  readonly earliestPaymentDate: string | null
  readonly latestPaymentDate: string | null
  readonly contentSha256: string
  readonly bankCode?: string
  readonly bankName?: string | null
  readonly payerName?: string
  readonly payerId?: string | null
  readonly batches?: number
  readonly largestCentavos?: number
}

export interface Payment {
  readonly record: number
  readonly batch: number
  readonly segment: string
  readonly movement: 'inclusion' | 'exclusion'
  readonly amountCentavos: number
  readonly paymentDate: string | null
  readonly dueDate: string | null
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
  /** Absent once the job has ended: line detail is not kept. */
  readonly payments: readonly Payment[] | null
}

export interface Timings {
  readonly queueMs: number | null
  readonly signingMs: number | null
  readonly verificationMs: number | null
  readonly outputMs: number | null
}

/** A job with all that is known of it. */
export interface JobDetail extends JobItem {
  readonly history: readonly HistoryEntry[]
  readonly cnab240: RemittanceSummary | null
  readonly outputEncrypted: boolean
  readonly outputFileName: string | null
  readonly inputFolder: string | null
  readonly contentSha256: string | null
  readonly contentLength: number | null
  readonly externalReference: string | null
  readonly inputDisposal: string
  readonly timings: Timings
}

export interface ThroughputBucket {
  readonly at: string
  readonly completed: number
  readonly failed: number
  readonly canceled: number
}

export interface FormatCounts {
  readonly pades: number
  readonly cades: number
  readonly xades: number
  readonly total: number
}

export interface Overview {
  readonly counts: Readonly<Record<JobStatus, number>>
  readonly last24h: {
    readonly completed: number
    readonly failed: number
    readonly canceled: number
    readonly encrypted: number
  }
  readonly slots: { readonly used: number; readonly of: number }
  readonly inFlightByFormat: FormatCounts
  readonly longestRunning: { readonly jobId: string; readonly fileName: string; readonly startedAt: string } | null
  readonly paused: boolean
  readonly reason: string | null
  readonly throughput: readonly ThroughputBucket[]
  readonly performance: Performance
  readonly recent: readonly JobItem[]
}

/** Averages in milliseconds over the jobs since `since`; nothing before the first job. */
export interface Performance {
  readonly averageJobMs: number | null
  readonly averageSigningMs: number | null
  readonly averageVerificationMs: number | null
  readonly averageQueueMs: number | null
  readonly averageOutputMs: number | null
  readonly minMs: number | null
  readonly maxMs: number | null
  readonly lastMinute: number
  readonly perMinuteLifetime: number | null
  readonly slowest: { readonly jobId: string; readonly fileName: string; readonly totalMs: number } | null
  readonly since: string
}

export interface StatisticsBucket extends ThroughputBucket {
  readonly encrypted: number
  readonly averageQueueMs: number | null
  readonly averageSigningMs: number | null
  readonly averageVerificationMs: number | null
  readonly averageOutputMs: number | null
  readonly longestMs: number | null
}

export interface Statistics {
  readonly byStatus: Readonly<Record<string, number>>
  readonly bySource: Readonly<Record<string, number>>
  readonly byFormat: Readonly<Record<string, number>>
  readonly byProfile: Readonly<Record<string, number>>
  readonly buckets: readonly StatisticsBucket[]
}

/** What one job of a bulk action came to. */
export interface BulkResult {
  readonly id: string
  readonly ok: boolean
  readonly code?: string
}

export interface Folder {
  readonly name: string
  readonly path: string
  readonly exists: boolean
  readonly status: 'Initializing' | 'Running' | 'Stopped' | 'Unassigned'
  readonly lastEnqueuedAt: string | null
  readonly lastError: string | null
  readonly processedCount: number
  /** Files waiting, counted up to 50. */
  readonly fileCount: number
  readonly profileName: string | null
  readonly profileFormat: string
}

export interface RescanCounts {
  readonly scanned: number
  readonly enqueued: number
  readonly alreadyActive: number
  readonly ignored: number
  readonly errors: number
  readonly alreadyProcessed: number
}

export interface RescannedFolder extends RescanCounts {
  readonly name: string
  readonly path: string
  readonly enqueuedFiles: readonly string[]
  readonly unassigned: boolean
}

export interface Rescan {
  readonly folders: readonly RescannedFolder[]
}

export interface OperationalEvent {
  readonly id: number | string
  readonly timestamp: string
  readonly eventType: string
  readonly message: string
}

export interface PipelineState {
  readonly paused: boolean
  readonly pausedAtUtc: string | null
  readonly resumedAtUtc: string | null
  readonly pausedBy: string | null
  readonly reason: string | null
  readonly maxConcurrency: number
  readonly jobsInFlight: number
  readonly jobsInFlightByFormat: FormatCounts
}

export interface ReadinessCheck {
  readonly name: string
  readonly ok: boolean
  readonly detail?: string
}

export interface Readiness {
  readonly ready: boolean
  readonly checks: readonly ReadinessCheck[]
}
