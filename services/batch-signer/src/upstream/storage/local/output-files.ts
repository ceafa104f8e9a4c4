import { CoalescedRun } from '@chancela/service-kernel/concurrency'
import { JobFailure } from '../../../rules/job-failure.ts'
import type { OutputBytes, WrittenOutput } from '../storage.ts'
import { errnoOf, orStorageTrouble } from './disk-errors.ts'
import { FILE_MODE, type FileOperations, openings } from './file-operations.ts'
import { type Placing, placeWithoutLinks, withdrawClaimed } from './place-without-links.ts'
import { syncFolder } from './sync-folder.ts'
import { isSameInode, withFile, writeAll } from './whole-files.ts'
import type { WorkFolders } from './work-folders.ts'

// Errors of file systems without hard links; EMLINK and EXDEV cannot be solved by a retry either.
const NO_LINKS: readonly (string | undefined)[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/** Outputs: written under a hidden name, then given their name in output/, never over another file. */
export class OutputFiles {
  readonly #fs: FileOperations
  readonly #folders: WorkFolders
  /** All requests during one fsync of a folder share the next one. */
  readonly #processingSync: CoalescedRun
  readonly #outputSync: CoalescedRun

  constructor(fs: FileOperations, folders: WorkFolders) {
    this.#fs = fs
    this.#folders = folders
    this.#processingSync = new CoalescedRun(() => syncFolder(fs, folders.processing))
    this.#outputSync = new CoalescedRun(() => syncFolder(fs, folders.output))
  }

  write(jobId: string, bytes: OutputBytes): Promise<WrittenOutput> {
    return orStorageTrouble('The output could not be written', async () => {
      const path = this.#folders.hiddenOutput(jobId)
      const length = 'path' in bytes ? await this.#adopt(bytes.path, path) : await this.#create(path, bytes)
      // By the hidden name recovery distinguishes our output from other files: it must be durable before the name in
      // output/ can be.
      await this.#processingSync.request()
      return { path, length }
    })
  }

  /** Takes over a file already made under processing/. */
  async #adopt(made: string, path: string): Promise<number> {
    const length = await withFile(this.#fs, made, openings.read, async (fd) => {
      await this.#fs.fsync(fd)
      return Number(this.#fs.fstatSync(fd).size)
    })
    await this.#fs.rename(made, path)
    return length
  }

  async #create(path: string, bytes: Exclude<OutputBytes, { path: string }>): Promise<number> {
    const fd = await this.#fs.open(path, openings.overwrite, FILE_MODE)
    try {
      let length = 0
      if (Symbol.asyncIterator in bytes) for await (const part of bytes) length += await writeAll(this.#fs, fd, [part])
      else length = await writeAll(this.#fs, fd, bytes)
      await this.#fs.fsync(fd)
      return length
    } finally {
      this.#fs.closeSync(fd)
    }
  }

  promote(jobId: string, written: WrittenOutput, outputName: string): Promise<void> {
    return orStorageTrouble('The output could not be put into its folder', async () => {
      const path = this.#folders.outputFile(outputName)
      await this.#place(jobId, written, path)
      await this.#outputSync.request()
    })
  }

  async #place(jobId: string, written: WrittenOutput, path: string): Promise<void> {
    try {
      this.#fs.linkSync(written.path, path)
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return this.#requireOurs(written, path)
      if (!NO_LINKS.includes(errnoOf(error))) throw error
      await placeWithoutLinks(this.#fs, this.#placing(jobId, path))
    }
  }

  /** A repeated promotion finds its own file. */
  #requireOurs(written: WrittenOutput, path: string): void {
    const [ours, found] = [this.#fs.lstatSync(written.path), this.#fs.lstatSync(path)]
    if (!isSameInode(ours, found)) throw new JobFailure('job.output-exists', `${path}.`)
  }

  async withdraw(jobId: string, outputName: string): Promise<void> {
    const path = this.#folders.outputFile(outputName)
    const hidden = this.#fs.lstatSync(this.#folders.hiddenOutput(jobId))
    if (isSameInode(hidden, this.#fs.lstatSync(path))) await this.#fs.unlink(path)
    else if (!(await withdrawClaimed(this.#fs, this.#placing(jobId, path)))) return
    // The name is gone. If its removal is not durable, only a power failure of a failing disk brings it back; that is
    // no reason to keep the job in flight.
    await this.#outputSync.request().catch(() => {})
  }

  #placing(jobId: string, path: string): Placing {
    return { jobId, claim: this.#folders.claim(jobId), hidden: this.#folders.hiddenOutput(jobId), path }
  }

  async removeOutput(outputName: string): Promise<'deleted' | 'missing'> {
    const path = this.#folders.outputFile(outputName)
    if (!this.#fs.lstatSync(path)) return 'missing'
    await this.#fs.unlink(path)
    return 'deleted'
  }
}
