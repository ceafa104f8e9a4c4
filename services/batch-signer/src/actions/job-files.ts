// The files of a job on disk, and their removal when the job is deleted.
import { unlink } from 'node:fs/promises'
import type { Db } from '@chancela/service-kernel/store'
import { outputOf, tookAway } from '../rules/retention.ts'
import { type Said, said } from '../rules/sentences.ts'
import { outputKey, outputsOfOthers } from '../store/ended-jobs.ts'
import { isPathActive, isPathNamed, type RemovableJob } from '../store/job-reads.ts'
import type { Tables } from '../store/tables.ts'
import { identityAt } from '../upstream/storage/folders/sample.ts'
import type { InputFiles, WorkArea } from '../upstream/storage/storage.ts'

/** Result of removing the files of a job, as lines for people. */
export interface FilesGone {
  readonly removed: readonly Said[]
  readonly kept: readonly Said[]
  readonly filesDeleted: number
  readonly foldersDeleted: number
  /** Folders under error/ with the last copy of a file that was not signed. */
  readonly unsignedKept: number
}

export interface JobFileParts {
  readonly work: Pick<WorkArea, 'removeOutput' | 'removeError' | 'removeProcessing' | 'errorFile' | 'moveToError'>
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
  const isUploadKept = alone && (await keepUnsignedUpload(db, work, job))
  const input = await removeInput(db, inputs, job, alone)
  const processing = (await work.removeProcessing(job.id)) === 'deleted'
  // Clear Jobs removes every copy the service made, but not a file that it took away; deleting one job loses no file.
  const isLast = isUploadKept || (alone && isLastCopy(job)) || (await isTakenAway(work, job))
  const error = !isLast && (await work.removeError(job.id)) === 'deleted'
  const name = job.output_name ?? ''
  const path = job.original_path ?? ''
  const removed = [
    output === 'deleted' && said('file-output', { name }),
    input === 'deleted' && said('file-input', { path }),
    processing && said('file-processing', { job: job.id }),
    error && said('file-error', { job: job.id }),
  ]
  const kept = [
    output === 'kept' && said('kept-output', { name }),
    input !== undefined && input !== 'deleted' && said('kept-input', { path, why: input }),
    isLast && said('kept-error', { job: job.id }),
  ]
  return {
    removed: removed.filter((line) => line !== false),
    kept: kept.filter((line) => line !== false),
    filesDeleted: Number(output === 'deleted') + Number(input === 'deleted'),
    foldersDeleted: Number(processing) + Number(error),
    unsignedKept: Number(isLast),
  }
}

async function removeOutput(db: Db<Tables>, work: JobFileParts['work'], job: RemovableJob, alone: boolean) {
  const name = outputOf(job)
  if (name === undefined) return 'missing'
  if (alone && (await outputsOfOthers(db, [job])).has(outputKey(job))) return 'kept'
  return orMissing(() => work.removeOutput(job.id, { folder: job.output_folder, name }))
}

/** Deleted, or why it stays; undefined when there is none. */
type InputGone = 'deleted' | Said | undefined

/**
 * Removes the input only of a job that signed it, if it is unchanged since and no unfinished job waits for it: otherwise
 * an unsigned file would be lost. Returns why an input stays, or undefined when there is none.
 */
async function removeInput(
  db: Db<Tables>,
  inputs: JobFileParts['inputs'],
  job: RemovableJob,
  alone: boolean,
): Promise<InputGone> {
  const { original_path: path, content_sha256: sha256, content_length: length, input_disposal } = job
  if (path === null || input_disposal === 'deleted' || input_disposal === 'missing') return undefined
  // What lies there now came later.
  if (tookAway(job)) return undefined
  if (job.input_folder === null) return removeUpload(path, await (alone ? isPathNamed : isPathActive)(db, path, job.id))
  if (input_disposal === 'diverged') return said('rewritten-since')
  if (await isPathActive(db, path, job.id)) return said('named-by-unfinished')
  if (job.status !== 'Completed') return identityAt(path) === undefined ? undefined : said('not-signed')
  if (sha256 === null || length === null) return said('not-staged')
  const disposal = await inputs.dispose(path, { sha256, length })
  if ('reason' in disposal) return disposal.reason
  return disposal.kind === 'deleted' ? 'deleted' : undefined
}

/**
 * Puts the upload of a failed job into error/, under its own name, unless a copy lies there or another job names it: its
 * sender was told that it was taken, and may have no other. True when the copy there is the last one.
 */
async function keepUnsignedUpload(db: Db<Tables>, work: JobFileParts['work'], job: RemovableJob): Promise<boolean> {
  const { id, status, input_folder, original_path: path, file_name } = job
  if (status !== 'Failed' || input_folder !== null || path === null || (await isPathNamed(db, path, id))) return false
  if (await hasErrorFile(work, job)) return true
  if (identityAt(path) === undefined) return false
  await work.moveToError(id, path, file_name)
  return true
}

/** Whether error/ has the file itself, which was refused for its name and taken out of its folder. */
export const isTakenAway = async (
  work: Pick<WorkArea, 'errorFile'>,
  job: Pick<RemovableJob, 'id' | 'file_name' | 'status' | 'error_code'>,
): Promise<boolean> => tookAway(job) && (await hasErrorFile(work, job))

const hasErrorFile = async (
  work: Pick<WorkArea, 'errorFile'>,
  { id, file_name }: Pick<RemovableJob, 'id' | 'file_name'>,
): Promise<boolean> => ![undefined, 'missing'].includes(await orMissing(() => work.errorFile(id, file_name)))

/** Whether the copy under error/ is the last one of a file that was not signed. */
const isLastCopy = ({ status, original_path, input_folder }: RemovableJob): boolean =>
  status === 'Failed' && input_folder !== null && original_path !== null && identityAt(original_path) === undefined

/**
 * Removes the file of an upload: it is the service's own, and nobody could reach it without its job. A retry may still
 * need it.
 */
export async function removeUpload(path: string, isNeeded: boolean): Promise<InputGone> {
  if (isNeeded) return said('named-by-another')
  const removed = await orMissing(async () => {
    await unlink(path)
    return 'deleted' as const
  })
  return removed === 'deleted' ? removed : undefined
}

/** Codes of a file that is not there. No disk has a file of a name that it calls too long. */
const ABSENT: readonly (string | undefined)[] = ['ENOENT', 'ENAMETOOLONG']

/** Another job that shares the file, or a person, may have removed it first. */
export async function orMissing<Outcome>(remove: () => Promise<Outcome>): Promise<Outcome | 'missing'> {
  try {
    return await remove()
  } catch (error) {
    if (ABSENT.includes((error as NodeJS.ErrnoException).code)) return 'missing'
    throw error
  }
}
