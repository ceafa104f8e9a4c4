import { DAY, plus } from '@chancela/service-kernel/clock'
import type { JobStatus } from './job.ts'

/** What a cleanup did (spec 2, Compact: /api/cleanup/run). */
export interface CleanupResult {
  readonly jobsDeleted: number
  readonly outputFilesDeleted: number
  /** Folders under error/. */
  readonly errorFilesDeleted: number
  readonly operationalEventsDeleted: number
  /** Files that were to be deleted and had gone before. */
  readonly filesMissing: number
  /** Jobs kept because a file of theirs could not be deleted. */
  readonly errors: number
}

/** A cleanup under way counts here. */
export type CleanupCounts = { -readonly [Name in keyof CleanupResult]: CleanupResult[Name] }

export const noCounts = (): CleanupCounts => ({
  jobsDeleted: 0,
  outputFilesDeleted: 0,
  errorFilesDeleted: 0,
  operationalEventsDeleted: 0,
  filesMissing: 0,
  errors: 0,
})

/** What ended before this moment is removed. */
export const cutoffOf = (now: Date, retentionDays: number): Date => plus(now, -retentionDays * DAY)

/** An ended job as far as its files go. */
export interface EndedJob {
  readonly id: string
  readonly status: JobStatus
  readonly output_name: string | null
}

/**
 * The output of a job, if it wrote one. A job that failed may have a name on record that belongs to a stranger's file:
 * `job.output-exists` is such a failure.
 */
export const outputOf = ({ status, output_name }: EndedJob): string | undefined =>
  status === 'Completed' ? (output_name ?? undefined) : undefined

/** Whether a folder under error/ is to be expected: every failed file is put there. */
export const shouldHaveErrorFolder = ({ status }: EndedJob): boolean => status === 'Failed'
