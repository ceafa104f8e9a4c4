import { join } from 'node:path'
import type { Staged, WorkArea } from '../storage.ts'
import { orStorageTrouble } from './disk-errors.ts'
import { ErrorFolders } from './error-folders.ts'
import { type FileOperations, localFiles, openings } from './file-operations.ts'
import { OutputFiles } from './output-files.ts'
import { syncFolder } from './sync-folder.ts'
import { withFile, writeAll } from './whole-files.ts'
import { HIDDEN_FOLDER, jobIdOf, PARTIAL, plainName, SCRATCH, type WorkFolders, workFolders } from './work-folders.ts'

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
    keep: (jobId, staged, name) =>
      orStorageTrouble('copy-not-kept', () => keep(fs, folders, { jobId, staged, name: plainName(name) })),
    removeAttempt: (jobId) => removeAttempt(fs, folders, jobId),
    keptFile: (jobId, name) => fileAt(fs, join(folders.jobFolder(jobId), plainName(name))),
    scratch: (jobId) => scratch(fs, folders, jobId),
    write: (jobId, bytes, to = { folder: null }) => outputs.write(jobId, bytes, to),
    requireFree: (place) => outputs.requireFree(place),
    probe: (folder, bytes) => outputs.probe(folder, bytes),
    requireWritable: (folder) => outputs.requireWritable(folder),
    promote: (jobId, place) => outputs.promote(jobId, place),
    waitingOutput: (jobId, folder) => outputs.waiting(jobId, folder),
    discard: (jobId, folder) => outputs.discard(jobId, folder),
    settle: (jobId) => removeIfThere(fs, folders.jobFolder(jobId)),
    relocate: (jobId, what, now) => orStorageTrouble('copy-not-placed', () => errors.relocate(jobId, what, now)),
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

interface Kept {
  readonly jobId: string
  readonly staged: Staged
  readonly name: string
}

/** The copy gets its name when it is complete: people decide about it, perhaps for weeks. */
async function keep(fs: FileOperations, folders: WorkFolders, { jobId, staged, name }: Kept): Promise<void> {
  const folder = folders.jobFolder(jobId)
  if (staged.kind === 'memory') {
    await fs.mkdir(folder)
    const partial = join(folder, PARTIAL)
    const written = withFile(fs, partial, openings.overwrite, async (fd) => {
      await writeAll(fs, fd, [staged.bytes])
      await fs.fsync(fd)
    })
    await written.catch(async (error) => {
      // A partial copy on a full disk would keep it full.
      await fs.remove(partial)
      throw error
    })
    await fs.rename(partial, join(folder, name))
  } else if (staged.path !== join(folder, name)) await fs.rename(staged.path, join(folder, name))
  await syncFolder(fs, folder)
  await syncFolder(fs, folders.processing)
}

async function removeAttempt(fs: FileOperations, folders: WorkFolders, jobId: string): Promise<void> {
  const folder = folders.jobFolder(jobId)
  for (const path of [join(folder, PARTIAL), join(folder, SCRATCH), folders.hiddenOutput(jobId)])
    await removeIfThere(fs, path)
}

const fileAt = (fs: FileOperations, path: string): string | undefined => (fs.lstatSync(path)?.isFile ? path : undefined)

function scratch(fs: FileOperations, folders: WorkFolders, jobId: string): Promise<string> {
  return orStorageTrouble('folder-not-made', async () => {
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
  const hidden = [work.output, ...outputs].map((folder) => entriesIfThere(fs, join(folder, HIDDEN_FOLDER)))
  const entries = (await Promise.all([fs.readdir(work.processing), ...hidden])).flat()
  return [...new Set(entries.flatMap((entry) => jobIdOf(entry) ?? []))]
}

/** An output folder that is out of reach is looked at again; it must not keep the others, or the start, waiting. */
async function entriesIfThere(fs: FileOperations, folder: string): Promise<readonly string[]> {
  try {
    return fs.lstatSync(folder) ? await fs.readdir(folder) : []
  } catch {
    return []
  }
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
