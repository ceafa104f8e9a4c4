import { DAY, plus } from '@chancela/service-kernel/clock'
import type { JobStatus } from './job.ts'

/** Result of a cleanup (spec 2, Compact: /api/cleanup/run). */
export interface CleanupResult {
  readonly jobsDeleted: number
  readonly outputFilesDeleted: number
  /** Folders under error/. */
  readonly errorFilesDeleted: number
  readonly operationalEventsDeleted: number
  /** Files to delete that were already gone. */
  readonly filesMissing: number
  /** Jobs kept because one of their files could not be deleted. */
  readonly errors: number
}

/** The counters of a running cleanup. */
export type CleanupCounts = { -readonly [Name in keyof CleanupResult]: CleanupResult[Name] }

export const noCounts = (): CleanupCounts => ({
  jobsDeleted: 0,
  outputFilesDeleted: 0,
  errorFilesDeleted: 0,
  operationalEventsDeleted: 0,
  filesMissing: 0,
  errors: 0,
})

/** Jobs that ended before this time are removed. */
export const cutoffOf = (now: Date, retentionDays: number): Date => plus(now, -retentionDays * DAY)

/** An ended job as far as its files go. */
export interface EndedJob {
  readonly id: string
  readonly status: JobStatus
  readonly output_name: string | null
}

/**
 * The output of a job, if it wrote one. The recorded name of a failed job may belong to another file:
 * `job.output-exists` is such a failure.
 */
export const outputOf = ({ status, output_name }: EndedJob): string | undefined =>
  status === 'Completed' ? (output_name ?? undefined) : undefined

/**
 * Whether the service itself took the file out of its folder and did not sign it: then the copy under error/ is the only
 * one, whatever lies in the folder now.
 */
export const tookAway = ({ status, error_code }: Refusable): boolean =>
  status === 'Failed' && error_code === 'file.already-processed'

/** A job as far as its refusal goes. */
interface Refusable {
  readonly status: JobStatus
  readonly error_code: string | null
}

/** Whether a folder under error/ is to be expected: every failed file is put there. */
export const shouldHaveErrorFolder = ({ status }: EndedJob): boolean => status === 'Failed'
