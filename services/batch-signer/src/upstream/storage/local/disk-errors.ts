import { JobFailure } from '../../../rules/job-failure.ts'
import { type ReasonFacts, reasonOf } from '../../../rules/job-reason.ts'
import type { DetailKey } from '../../../rules/reason-texts.ts'
import { DiskFull } from '../storage.ts'

/** The error code of the kernel: `ENOENT`. */
export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

const NO_ROOM: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT']

/** Whether an error, or a cause of it, means a full disk. */
export function saysDiskFull(error: unknown): boolean {
  if (error instanceof DiskFull || NO_ROOM.includes(errnoOf(error))) return true
  return error instanceof Error && error.cause !== undefined && saysDiskFull(error.cause)
}

const NO_FILE_LEFT: readonly (string | undefined)[] = ['EMFILE', 'ENFILE']

/** Whether an error, or a cause of it, means that the process or the machine can open no further file. */
export function saysOutOfFiles(error: unknown): boolean {
  if (NO_FILE_LEFT.includes(errnoOf(error))) return true
  return error instanceof Error && error.cause !== undefined && saysOutOfFiles(error.cause)
}

/** Maps a file system error for a job: it waits for room, or it fails. */
export function storageTrouble(error: unknown, what: DetailKey, facts: ReasonFacts = {}): Error {
  if (error instanceof JobFailure || error instanceof DiskFull) return error
  const why = reasonOf(what, { ...facts, errno: errnoOf(error) ?? '?' })
  if (saysDiskFull(error)) return new DiskFull(`There is no room on the disk. ${why.sentence}`, { cause: error })
  return new JobFailure('job.storage-failed', why, { cause: error })
}

/** Runs `work` and maps its file system errors for the job. */
export async function orStorageTrouble<T>(what: DetailKey, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storageTrouble(error, what)
  }
}
