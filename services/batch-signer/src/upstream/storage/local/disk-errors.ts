import { JobFailure } from '../../../rules/job-failure.ts'
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

/** Maps a file system error for a job: it waits for room, or it fails. */
export function storageTrouble(error: unknown, what: string): Error {
  if (error instanceof JobFailure || error instanceof DiskFull) return error
  if (saysDiskFull(error)) return new DiskFull(`${what}: there is no room on the disk.`, { cause: error })
  return new JobFailure('job.storage-failed', `${what} (${errnoOf(error) ?? 'unknown error'}).`, { cause: error })
}

/** Runs `work` and maps its file system errors for the job. */
export async function orStorageTrouble<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storageTrouble(error, what)
  }
}
