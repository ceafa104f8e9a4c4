import { basename, join } from 'node:path'
import { JobFailure } from '../../../rules/job-failure.ts'

/** Paths under Storage:Root. Small jobs have no folder of their own: a folder costs as much as the file. */
export interface WorkFolders {
  readonly processing: string
  readonly output: string
  readonly error: string
  /** A job's own folder under processing/: the staged copy of a large file, and scratch files. */
  jobFolder(jobId: string): string
  /** The hidden name of an output until its job has completed. */
  hiddenOutput(jobId: string): string
  /** The job's claim file where the file system has no hard links. */
  claim(jobId: string): string
  outputFile(outputName: string): string
  errorFolder(jobId: string): string
}

const GUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/

/** The name of an incomplete copy. */
export const PARTIAL = '.partial'

const HIDDEN = '.out'
const CLAIM = '.claim'

export function workFolders(root: string): WorkFolders {
  const [processing, output, error] = [join(root, 'processing'), join(root, 'output'), join(root, 'error')]
  return {
    processing,
    output,
    error,
    jobFolder: (jobId) => join(processing, jobId),
    hiddenOutput: (jobId) => join(processing, `${jobId}${HIDDEN}`),
    claim: (jobId) => join(processing, `${jobId}${CLAIM}`),
    outputFile: (outputName) => join(output, plainName(outputName)),
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
  if (!isPlain || fileName.includes('\0')) throw new JobFailure('job.storage-failed', 'The file name is not a name.')
  return fileName
}
