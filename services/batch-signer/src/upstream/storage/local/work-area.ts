import { join } from 'node:path'
import type { WorkArea } from '../storage.ts'
import { orStorageTrouble } from './disk-errors.ts'
import { ErrorFolders } from './error-folders.ts'
import { type FileOperations, localFiles } from './file-operations.ts'
import { OutputFiles } from './output-files.ts'
import { HIDDEN_FOLDER, jobIdOf, SCRATCH, type WorkFolders, workFolders } from './work-folders.ts'

export interface WorkAreaOptions {
  /** The folder of processing/, output/ and error/, which are created when missing (Storage:Root). */
  readonly root: string
  /** Default: the files of this machine. */
  readonly fs?: FileOperations
}

/** The work folders on this machine. */
export async function createWorkArea({ root, fs = localFiles }: WorkAreaOptions): Promise<WorkArea> {
  const folders = workFolders(root)
  for (const folder of [folders.processing, folders.output, folders.error]) await fs.mkdir(folder)
  const outputs = new OutputFiles(fs, folders)
  const errors = new ErrorFolders(fs, folders)
  return {
    scratch: (jobId) => scratch(fs, folders, jobId),
    write: (jobId, bytes, to = { folder: null }) => outputs.write(jobId, bytes, to),
    requireFree: (place) => outputs.requireFree(place),
    promote: (jobId, place) => outputs.promote(jobId, place),
    waitingOutput: (jobId, folder) => outputs.waiting(jobId, folder),
    discard: (jobId, folder) => outputs.discard(jobId, folder),
    settle: (jobId) => removeIfThere(fs, folders.jobFolder(jobId)),
    relocate: (jobId, what, now) =>
      orStorageTrouble('The file could not be put into error/', () => errors.relocate(jobId, what, now)),
    moveToError: (jobId, inputPath, fileName) => errors.moveToError(jobId, inputPath, fileName),
    outputPath: (name, folder = null) => outputs.path({ folder, name }),
    isProcessing: async (fileName) => (await fs.readdir(folders.processing)).includes(fileName),
    errorFile: (jobId, fileName) => errors.file(jobId, fileName),
    removeOutput: (jobId, place) => outputs.removeOutput(jobId, place),
    removeError: (jobId) => errors.remove(jobId),
    removeProcessing: (jobId) => removeProcessing(fs, folders, jobId),
    leftovers: (outputFolders = []) => leftovers(fs, folders, outputFolders),
  }
}

function scratch(fs: FileOperations, folders: WorkFolders, jobId: string): Promise<string> {
  return orStorageTrouble('A folder could not be made', async () => {
    await fs.mkdir(folders.jobFolder(jobId))
    return join(folders.jobFolder(jobId), SCRATCH)
  })
}

/** Throws when processing/ is out of reach; a hidden folder is there only where one was needed. */
async function leftovers(
  fs: FileOperations,
  work: WorkFolders,
  outputs: readonly string[],
): Promise<readonly string[]> {
  const hidden = [work.output, ...outputs].map((folder) => join(folder, HIDDEN_FOLDER))
  const folders = [work.processing, ...hidden.filter((folder) => fs.lstatSync(folder))]
  const entries = (await Promise.all(folders.map((folder) => fs.readdir(folder)))).flat()
  return [...new Set(entries.flatMap((entry) => jobIdOf(entry) ?? []))]
}

async function removeIfThere(fs: FileOperations, path: string): Promise<void> {
  if (fs.lstatSync(path)) await fs.remove(path)
}

async function removeProcessing(
  fs: FileOperations,
  folders: WorkFolders,
  jobId: string,
): Promise<'deleted' | 'missing'> {
  const own = [folders.jobFolder(jobId), folders.hiddenOutput(jobId)].filter((path) => fs.lstatSync(path))
  for (const path of own) await fs.remove(path)
  return own.length > 0 ? 'deleted' : 'missing'
}
