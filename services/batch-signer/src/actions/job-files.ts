// The files of a job on disk, and their removal when the job is deleted.
import { unlink } from 'node:fs/promises'
import type { Db } from '@chancela/service-kernel/store'
import { outputOf } from '../rules/retention.ts'
import { outputKey, outputsOfOthers } from '../store/ended-jobs.ts'
import { isPathActive, isPathNamed, type RemovableJob } from '../store/job-reads.ts'
import type { Tables } from '../store/tables.ts'
import { identityAt } from '../upstream/storage/folders/sample.ts'
import type { InputFiles, WorkArea } from '../upstream/storage/storage.ts'

/** Result of removing the files of a job, as lines for people. */
export interface FilesGone {
  readonly removed: readonly string[]
  readonly kept: readonly string[]
  readonly filesDeleted: number
  readonly foldersDeleted: number
}

export interface JobFileParts {
  readonly work: Pick<WorkArea, 'removeOutput' | 'removeError' | 'removeProcessing'>
  readonly inputs: Pick<InputFiles, 'dispose'>
}

/**
 * Removes the files of a job that is not in flight. Throws the errors of the storage; the job is then still complete.
 * `alone` means that other jobs stay, and with them the files they share with this one.
 */
export async function removeJobFiles(
  db: Db<Tables>,
  { work, inputs }: JobFileParts,
  job: RemovableJob,
  { alone }: { readonly alone: boolean },
): Promise<FilesGone> {
  const output = await removeOutput(db, work, job, alone)
  const input = await removeInput(db, inputs, job, alone)
  const processing = (await work.removeProcessing(job.id)) === 'deleted'
  // Clear Jobs removes everything the service made; deleting one job must not lose a file.
  const isLast = alone && isLastCopy(job)
  const error = !isLast && (await work.removeError(job.id)) === 'deleted'
  const removed = [
    output === 'deleted' && `output/${job.output_name}`,
    input === 'deleted' && `input ${job.original_path}`,
    processing && `processing/${job.id}`,
    error && `error/${job.id}`,
  ]
  const kept = [
    output === 'kept' && `output/${job.output_name}: written by another job`,
    input !== undefined && input !== 'deleted' && `input ${job.original_path}: ${input}`,
    isLast && `error/${job.id}: the last copy of a file that was not signed`,
  ]
  return {
    removed: removed.filter((line) => line !== false),
    kept: kept.filter((line) => line !== false),
    filesDeleted: Number(output === 'deleted') + Number(input === 'deleted'),
    foldersDeleted: Number(processing) + Number(error),
  }
}

async function removeOutput(db: Db<Tables>, work: JobFileParts['work'], job: RemovableJob, alone: boolean) {
  const name = outputOf(job)
  if (name === undefined) return 'missing'
  if (alone && (await outputsOfOthers(db, [job])).has(outputKey(job))) return 'kept'
  return orMissing(() => work.removeOutput(job.id, { folder: job.output_folder, name }))
}

/**
 * Removes the input only of a job that signed it, if it is unchanged since and no unfinished job waits for it: otherwise
 * an unsigned file would be lost. Returns why an input stays, or undefined when there is none.
 */
async function removeInput(
  db: Db<Tables>,
  inputs: JobFileParts['inputs'],
  job: RemovableJob,
  alone: boolean,
): Promise<string | undefined> {
  const { original_path: path, content_sha256: sha256, content_length: length, input_disposal } = job
  if (path === null || input_disposal === 'deleted' || input_disposal === 'missing') return undefined
  if (job.input_folder === null) return removeUpload(path, await (alone ? isPathNamed : isPathActive)(db, path, job.id))
  if (input_disposal === 'diverged') return 'rewritten since it was signed'
  if (await isPathActive(db, path, job.id)) return 'another unfinished job names it'
  if (job.status !== 'Completed') return identityAt(path) === undefined ? undefined : 'not signed, stays refused'
  if (sha256 === null || length === null) return 'not staged by this job'
  const disposal = await inputs.dispose(path, { sha256, length })
  if ('reason' in disposal) return disposal.reason
  return disposal.kind === 'deleted' ? 'deleted' : undefined
}

/** Whether the copy under error/ is the last one of a file that was not signed. */
const isLastCopy = ({ status, original_path, input_folder }: RemovableJob): boolean =>
  status === 'Failed' && input_folder !== null && original_path !== null && identityAt(original_path) === undefined

/**
 * Removes the file of an upload: it is the service's own, and nobody could reach it without its job. A retry may still
 * need it.
 */
export async function removeUpload(path: string, isNeeded: boolean): Promise<string | undefined> {
  if (isNeeded) return 'another job names it'
  const removed = await orMissing(async () => {
    await unlink(path)
    return 'deleted' as const
  })
  return removed === 'deleted' ? removed : undefined
}

/** Another job that shares the file, or a person, may have removed it first. */
async function orMissing<Outcome>(remove: () => Promise<Outcome>): Promise<Outcome | 'missing'> {
  try {
    return await remove()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing'
    throw error
  }
}
