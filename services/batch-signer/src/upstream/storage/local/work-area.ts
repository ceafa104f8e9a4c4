import { join } from 'node:path'
import type { WorkArea } from '../storage.ts'
import { orStorageTrouble } from './disk-errors.ts'
import { ErrorFolders } from './error-folders.ts'
import { type FileOperations, localFiles } from './file-operations.ts'
import { OutputFiles } from './output-files.ts'
import { jobIdOf, type WorkFolders, workFolders } from './work-folders.ts'

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
    write: (jobId, bytes) => outputs.write(jobId, bytes),
    promote: (jobId, written, outputName) => outputs.promote(jobId, written, outputName),
    settle: (jobId) => settle(fs, folders, jobId),
    withdraw: (jobId, outputName) => outputs.withdraw(jobId, outputName),
    relocate: (jobId, what, now) =>
      orStorageTrouble('The file could not be put into error/', () => errors.relocate(jobId, what, now)),
    moveToError: (jobId, inputPath, fileName) => errors.moveToError(jobId, inputPath, fileName),
    outputPath: (outputName) => folders.outputFile(outputName),
    errorFile: (jobId, fileName) => errors.file(jobId, fileName),
    removeOutput: (outputName) => outputs.removeOutput(outputName),
    removeError: (jobId) => errors.remove(jobId),
    removeProcessing: (jobId) => removeProcessing(fs, folders, jobId),
    leftovers: async () => [
      ...new Set((await fs.readdir(folders.processing)).flatMap((entry) => jobIdOf(entry) ?? [])),
    ],
  }
}

function scratch(fs: FileOperations, folders: WorkFolders, jobId: string): Promise<string> {
  return orStorageTrouble('A folder could not be made', async () => {
    await fs.mkdir(folders.jobFolder(jobId))
    return join(folders.jobFolder(jobId), '.scratch')
  })
}

async function settle(fs: FileOperations, folders: WorkFolders, jobId: string): Promise<void> {
  for (const path of ownPaths(folders, jobId)) {
    const found = fs.lstatSync(path)
    if (found?.isDirectory) await fs.remove(path)
    else if (found) await fs.unlink(path)
  }
}

async function removeProcessing(
  fs: FileOperations,
  folders: WorkFolders,
  jobId: string,
): Promise<'deleted' | 'missing'> {
  if (!ownPaths(folders, jobId).some((path) => fs.lstatSync(path))) return 'missing'
  await settle(fs, folders, jobId)
  return 'deleted'
}

// The hidden output is removed last but one: while it exists, recovery knows whose file is in output/.
const ownPaths = (folders: WorkFolders, jobId: string): readonly string[] => [
  folders.jobFolder(jobId),
  folders.hiddenOutput(jobId),
  folders.claim(jobId),
]
