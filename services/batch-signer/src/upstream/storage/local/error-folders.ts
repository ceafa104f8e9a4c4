import { basename, dirname, join } from 'node:path'
import type { Relocated, Staged } from '../storage.ts'
import { errnoOf } from './disk-errors.ts'
import { type FileOperations, openings } from './file-operations.ts'
import { syncFolder } from './sync-folder.ts'
import { copyDurably, isSame, withFile, writeAll } from './whole-files.ts'
import { isEnvelope, jobIdOf, PARTIAL, plainName, SCRATCH, type WorkFolders } from './work-folders.ts'

/** error/<jobid>/: the files of failed and canceled jobs. */
export class ErrorFolders {
  readonly #fs: FileOperations
  readonly #folders: WorkFolders

  constructor(fs: FileOperations, folders: WorkFolders) {
    this.#fs = fs
    this.#folders = folders
  }

  /** Every step can be resumed by the next start, and repeating it is safe. */
  async relocate(jobId: string, { fileName, staged, inputPath, isUnknown }: Relocated, now: Date): Promise<void> {
    await this.#moveJobFolder(jobId, plainName(fileName), now, stagedName(staged, inputPath))
    if (isUnknown) await this.#moveHiddenOutput(jobId)
    else await this.#fs.remove(this.#folders.hiddenOutput(jobId))
    await this.#keepCopy(jobId, fileName, staged, inputPath)
    const folder = this.#folders.errorFolder(jobId)
    if (this.#fs.lstatSync(folder)) await syncFolder(this.#fs, folder)
    await syncFolder(this.#fs, this.#folders.error)
  }

  async #moveJobFolder(jobId: string, fileName: string, now: Date, staged: string | undefined): Promise<void> {
    const folder = this.#folders.jobFolder(jobId)
    if (!this.#fs.lstatSync(folder)) return
    // Neither half a copy nor a signed file that was not put out: somebody could take it for the output.
    for (const unfinished of [PARTIAL, SCRATCH]) await this.#fs.remove(join(folder, unfinished))
    // Nor what approvers had signed so far. A file may have been handed in under such a name: that one stays.
    const envelopes = (await this.#fs.readdir(folder)).filter((name) => isEnvelope(name))
    for (const name of envelopes) if (name !== staged && name !== fileName) await this.#fs.remove(join(folder, name))
    // The copy was staged under its name on disk, which for an upload is not the file's name.
    if (staged !== undefined && staged !== fileName && this.#fs.lstatSync(join(folder, staged)))
      await this.#fs.rename(join(folder, staged), join(folder, fileName))
    if ((await this.#fs.readdir(folder)).length === 0) return this.#fs.remove(folder)
    await this.#fs.rename(folder, this.#freeFolder(jobId, now))
  }

  /** The job's folder under error/, or a twin with a time in its name when it already exists. */
  #freeFolder(jobId: string, now: Date): string {
    const folder = this.#folders.errorFolder(jobId)
    if (!this.#fs.lstatSync(folder)) return folder
    return `${folder}-${now.toISOString().replace(/[-:.]/g, '')}`
  }

  /** The ledger does not know the job, perhaps because it was restored: nobody can tell whether the output is wanted. */
  async #moveHiddenOutput(jobId: string): Promise<void> {
    const hidden = this.#folders.hiddenOutput(jobId)
    if (!this.#fs.lstatSync(hidden)) return
    const folder = this.#folders.errorFolder(jobId)
    await this.#fs.mkdir(folder)
    await this.#fs.rename(hidden, join(folder, basename(hidden)))
  }

  async #keepCopy(jobId: string, fileName: string, staged?: Staged, inputPath?: string): Promise<void> {
    if (await this.file(jobId, fileName)) return
    const folder = this.#folders.errorFolder(jobId)
    if (staged?.kind === 'memory') return this.#finish(folder, fileName, (to) => this.#writeBytes(to, staged.bytes))
    const input = inputPath === undefined ? undefined : this.#fs.lstatSync(inputPath)
    if (inputPath !== undefined && input?.isFile)
      await this.#finish(folder, fileName, (to) => this.#copyFrom(inputPath, to))
  }

  /** The file gets its name when it is complete. */
  async #finish(folder: string, fileName: string, make: (path: string) => Promise<void>): Promise<void> {
    await this.#fs.mkdir(folder)
    const partial = join(folder, PARTIAL)
    try {
      await make(partial)
    } catch (error) {
      // A partial copy on a full disk would keep it full.
      await this.#fs.remove(partial)
      throw error
    }
    await this.#fs.rename(partial, join(folder, fileName))
  }

  #writeBytes(path: string, bytes: Uint8Array): Promise<void> {
    return withFile(this.#fs, path, openings.overwrite, async (fd) => {
      await writeAll(this.#fs, fd, [bytes])
      await this.#fs.fsync(fd)
    })
  }

  async #copyFrom(inputPath: string, path: string): Promise<void> {
    await withFile(this.#fs, inputPath, openings.read, (fd) => copyDurably(this.#fs, fd, path))
  }

  async moveToError(jobId: string, inputPath: string, fileName: string): Promise<void> {
    const folder = this.#folders.errorFolder(jobId)
    const path = join(folder, plainName(fileName))
    await this.#fs.mkdir(folder)
    try {
      await this.#fs.rename(inputPath, path)
    } catch (error) {
      if (errnoOf(error) !== 'EXDEV') throw error
      await this.#moveAcross(inputPath, folder, fileName)
    }
    await syncFolder(this.#fs, folder)
    await syncFolder(this.#fs, this.#folders.error)
    await syncFolder(this.#fs, dirname(inputPath))
  }

  /** Another disk: makes a durable copy, then deletes the original, unless it changed meanwhile. */
  async #moveAcross(inputPath: string, folder: string, fileName: string): Promise<void> {
    await withFile(this.#fs, inputPath, openings.read, async (fd) => {
      const before = this.#fs.fstatSync(fd)
      await this.#finish(folder, fileName, async (to) => {
        await copyDurably(this.#fs, fd, to)
        if (!isSame(before, this.#fs.lstatSync(inputPath))) throw new Error(`${inputPath} changed while it was moved.`)
      })
      await syncFolder(this.#fs, folder)
      this.#fs.unlinkSync(inputPath)
    })
  }

  async file(jobId: string, fileName: string): Promise<string | undefined> {
    const name = plainName(fileName)
    const first = join(this.#folders.errorFolder(jobId), name)
    if (this.#fs.lstatSync(first)?.isFile) return first
    if (!this.#fs.lstatSync(this.#folders.errorFolder(jobId))) return undefined
    const twins = await this.#foldersOf(jobId)
    return twins.map((folder) => join(folder, name)).findLast((path) => this.#fs.lstatSync(path)?.isFile)
  }

  async remove(jobId: string): Promise<'deleted' | 'missing'> {
    if (!this.#fs.lstatSync(this.#folders.errorFolder(jobId))) return 'missing'
    for (const folder of await this.#foldersOf(jobId)) await this.#fs.remove(folder)
    return 'deleted'
  }

  /** A job's folder and its twins, oldest first. A twin exists only beside the folder itself. */
  async #foldersOf(jobId: string): Promise<string[]> {
    const entries = await this.#fs.readdir(this.#folders.error)
    const own = entries.filter((entry) => jobIdOf(entry) === jobId).sort()
    return own.map((entry) => join(this.#folders.error, entry))
  }
}

function stagedName(staged: Staged | undefined, inputPath: string | undefined): string | undefined {
  if (staged) return staged.kind === 'file' ? basename(staged.path) : undefined
  return inputPath === undefined ? undefined : basename(inputPath)
}
