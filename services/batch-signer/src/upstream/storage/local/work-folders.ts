import { basename, join } from 'node:path'
import { JobFailure } from '../../../rules/job-failure.ts'
import { reasonOf } from '../../../rules/job-reason.ts'

/** Paths under Storage:Root. Small jobs have no folder of their own: a folder costs as much as the file. */
export interface WorkFolders {
  readonly processing: string
  readonly output: string
  readonly error: string
  /** A job's own folder under processing/: the staged copy of a large file, and scratch files. */
  jobFolder(jobId: string): string
  /** The hidden name of an output until it is given its own. */
  hiddenOutput(jobId: string): string
  errorFolder(jobId: string): string
}

const GUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/

/** The name of an incomplete copy. */
export const PARTIAL = '.partial'

/** The name of a signed file being made. */
export const SCRATCH = '.scratch'

/** The name of the signatures that approvers gave a file so far, by the SHA-256 of the envelope. */
export const envelopeName = (sha256: string): string => `signatures-${sha256}.p7m`

const ENVELOPE = /^(?:signatures-[0-9a-f]{64}\.p7m|\.signatures-[0-9a-f-]{36})$/

/** Whether a file in a job's folder is such an envelope, complete or not. */
export const isEnvelope = (name: string): boolean => ENVELOPE.test(name)

/** The name of an envelope being written. */
export const unfinishedEnvelope = (id: string): string => `.signatures-${id}`

/** Inside an output folder on another file system than processing/: the outputs that have no name yet. */
export const HIDDEN_FOLDER = '.processing'

/** The hidden name of an output. */
export const hiddenName = (jobId: string): string => `${jobId}.out`

export function workFolders(root: string): WorkFolders {
  const [processing, output, error] = [join(root, 'processing'), join(root, 'output'), join(root, 'error')]
  return {
    processing,
    output,
    error,
    jobFolder: (jobId) => join(processing, jobId),
    hiddenOutput: (jobId) => join(processing, hiddenName(jobId)),
    errorFolder: (jobId) => join(error, jobId),
  }
}

/** The job of an entry in processing/ or error/; undefined for foreign entries. */
export function jobIdOf(entry: string): string | undefined {
  const [id] = GUID.exec(entry) ?? []
  return id
}

/** Requires a name that stays in its folder. */
export function plainName(fileName: string): string {
  const isPlain = fileName !== '' && fileName !== '.' && fileName !== '..' && basename(fileName) === fileName
  if (!isPlain || fileName.includes('\0')) throw new JobFailure('job.storage-failed', reasonOf('name-not-a-name'))
  return fileName
}
