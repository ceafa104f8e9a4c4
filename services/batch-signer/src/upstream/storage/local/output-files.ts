import { constants } from 'node:fs'
import { basename, join } from 'node:path'
import { CoalescedRun } from '@chancela/service-kernel/concurrency'
import { JobFailure } from '../../../rules/job-failure.ts'
import type { Destination, OutputBytes, OutputPlace, Promotion, WrittenOutput } from '../storage.ts'
import { errnoOf, orStorageTrouble, storageTrouble } from './disk-errors.ts'
import { FILE_MODE, type FileOperations, openings } from './file-operations.ts'
import { syncFolder } from './sync-folder.ts'
import { copyDurably, isSameInode, withFile, writeAll } from './whole-files.ts'
import { HIDDEN_FOLDER, hiddenName, PARTIAL, plainName, type WorkFolders } from './work-folders.ts'

// A kernel, or a file system, that cannot refuse to replace: NFS and some of FUSE say EINVAL.
const NOT_OFFERED: readonly (string | undefined)[] = ['ENOSYS', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP']

/**
 * Outputs: written under a hidden name on the file system of their folder, then given their name by one rename, never
 * over another file. While the hidden name exists the output was not delivered; afterwards it was.
 */
export class OutputFiles {
  readonly #fs: FileOperations
  readonly #folders: WorkFolders
  /** All requests during one fsync of a folder share the next one. */
  readonly #syncs = new Map<string, CoalescedRun>()
  /** Output folders that a rename from processing/ does not reach, whatever their device says: bind mounts. */
  readonly #apart = new Set<string>()

  constructor(fs: FileOperations, folders: WorkFolders) {
    this.#fs = fs
    this.#folders = folders
  }

  write(jobId: string, bytes: OutputBytes, to: Destination): Promise<WrittenOutput> {
    return orStorageTrouble('The output could not be written', async () => {
      const hiddenFolder = await this.#hiddenFolder(this.#folderOf(to.folder))
      const path = join(hiddenFolder, hiddenName(jobId))
      const length = 'path' in bytes ? await this.#adopt(bytes.path, path, to) : await this.#create(path, bytes, to)
      // Completed promises that the output can be delivered: the hidden name must be durable before.
      await this.#sync(hiddenFolder)
      return { path, length }
    })
  }

  #folderOf = (folder: string | null): string => folder ?? this.#folders.output

  #sync(folder: string): Promise<void> {
    const known = this.#syncs.get(folder)
    if (known) return known.request()
    const sync = new CoalescedRun(() => syncFolder(this.#fs, folder))
    this.#syncs.set(folder, sync)
    return sync.request()
  }

  /** processing/, or a hidden folder inside an output folder on another file system. */
  async #hiddenFolder(folder: string): Promise<string> {
    if (!this.#isApart(folder)) return this.#folders.processing
    const own = join(folder, HIDDEN_FOLDER)
    if (!this.#fs.lstatSync(own)) await this.#fs.mkdir(own)
    return own
  }

  #isApart(folder: string): boolean {
    if (this.#apart.has(folder)) return true
    // With a dot the folder itself, also behind a symbolic link.
    const [processing, output] = [this.#fs.lstatSync(this.#folders.processing), this.#fs.lstatSync(`${folder}/.`)]
    return output !== undefined && processing !== undefined && output.dev !== processing.dev
  }

  /** Takes over a file already made under processing/. */
  async #adopt(made: string, path: string, to: Destination): Promise<number> {
    const length = await withFile(this.#fs, made, openings.read, async (fd) => {
      this.#fs.dressSync(fd, to)
      await this.#fs.fsync(fd)
      return Number(this.#fs.fstatSync(fd).size)
    })
    await this.#fs.rename(made, path).catch((error) => {
      if (errnoOf(error) !== 'EXDEV') throw error
      return this.#copyDressed(made, path)
    })
    return length
  }

  async #create(path: string, bytes: Exclude<OutputBytes, { path: string }>, to: Destination): Promise<number> {
    const fd = await this.#fs.open(path, openings.overwrite, FILE_MODE)
    try {
      this.#fs.dressSync(fd, to)
      let length = 0
      if (Symbol.asyncIterator in bytes) for await (const part of bytes) length += await writeAll(this.#fs, fd, [part])
      else length = await writeAll(this.#fs, fd, bytes)
      await this.#fs.fsync(fd)
      return length
    } finally {
      this.#fs.closeSync(fd)
    }
  }

  /** A durable copy with the mode, owner and group of the original. */
  #copyDressed(from: string, path: string): Promise<void> {
    return withFile(this.#fs, from, openings.read, async (fd) => {
      await copyDurably(this.#fs, fd, path)
      await withFile(this.#fs, path, openings.read, async (copy) => {
        this.#fs.dressSync(copy, this.#fs.dressOfSync(fd))
        await this.#fs.fsync(copy)
      })
    })
  }

  path({ folder, name }: OutputPlace): string {
    return join(this.#folderOf(folder), plainName(name))
  }

  requireFree(place: OutputPlace): void {
    const path = this.path(place)
    try {
      this.#fs.accessSync(this.#folderOf(place.folder), constants.W_OK | constants.X_OK)
    } catch (error) {
      throw storageTrouble(error, 'The output could not be put into its folder')
    }
    if (this.#fs.lstatSync(path)) throw new JobFailure('job.output-exists', `${path}.`)
  }

  waiting(jobId: string, folder: string | null): string | undefined {
    const name = hiddenName(jobId)
    const places = [this.#folders.processing, join(this.#folderOf(folder), HIDDEN_FOLDER)]
    return places.map((place) => join(place, name)).find((path) => this.#fs.lstatSync(path)?.isFile)
  }

  promote(jobId: string, place: OutputPlace): Promise<Promotion> {
    return orStorageTrouble('The output could not be put into its folder', async () => {
      const hidden = this.waiting(jobId, place.folder)
      if (hidden === undefined) return 'gone'
      const outcome = await this.#give(jobId, hidden, place)
      // The name is given. If that is not durable, only a power failure of a failing disk takes it back, and then the
      // hidden name is there again.
      if (outcome === 'given') await this.#sync(this.#folderOf(place.folder)).catch(() => {})
      return outcome
    })
  }

  async #give(jobId: string, hidden: string, place: OutputPlace): Promise<Promotion> {
    const path = this.path(place)
    try {
      this.#rename(hidden, path)
      return 'given'
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return this.#taken(hidden, path)
      // Another process that took the job over was faster.
      if (errnoOf(error) === 'ENOENT' && !this.#fs.lstatSync(hidden)) return 'gone'
      if (errnoOf(error) !== 'EXDEV') throw error
      return this.#give(jobId, await this.#carryOver(jobId, hidden, this.#folderOf(place.folder)), place)
    }
  }

  /**
   * Where the file system cannot refuse to replace, the name is looked at first. Nothing else of this process runs in
   * between; of another program's file that appears in that instant nothing is known, but no output is delivered twice,
   * as it could be with a link and a crash before the second name is removed.
   */
  #rename(hidden: string, path: string): void {
    try {
      this.#fs.renameNewSync(hidden, path)
    } catch (error) {
      if (!NOT_OFFERED.includes(errnoOf(error))) throw error
      if (this.#fs.lstatSync(path)) throw Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST' })
      this.#fs.renameSync(hidden, path)
    }
  }

  /** An earlier version gave the name by a second link: then the output has its name already. */
  async #taken(hidden: string, path: string): Promise<Promotion> {
    if (!isSameInode(this.#fs.lstatSync(hidden), this.#fs.lstatSync(path))) return 'taken'
    await this.#fs.unlink(hidden)
    return 'given'
  }

  /** Moves a hidden output to the file system of its folder. At every moment it has a hidden name, and no other. */
  async #carryOver(jobId: string, hidden: string, folder: string): Promise<string> {
    if (this.#apart.has(folder) && basename(join(hidden, '..')) === HIDDEN_FOLDER)
      throw new JobFailure('job.storage-failed', `${folder} cannot be reached by a rename.`)
    this.#apart.add(folder)
    const own = await this.#hiddenFolder(folder)
    const [partial, path] = [join(own, `${jobId}${PARTIAL}`), join(own, hiddenName(jobId))]
    await this.#copyDressed(hidden, partial)
    await this.#fs.rename(partial, path)
    await this.#sync(own)
    await this.#fs.unlink(hidden)
    return path
  }

  async discard(jobId: string, folder: string | null): Promise<void> {
    for (let hidden = this.waiting(jobId, folder); hidden; hidden = this.waiting(jobId, folder))
      await this.#fs.unlink(hidden)
  }

  /** A file of the name is another's while the job's own output still waits for it. */
  async removeOutput(jobId: string, place: OutputPlace): Promise<'deleted' | 'missing'> {
    if (this.waiting(jobId, place.folder)) {
      await this.discard(jobId, place.folder)
      return 'deleted'
    }
    const path = this.path(place)
    if (!this.#fs.lstatSync(path)) return 'missing'
    await this.#fs.unlink(path)
    return 'deleted'
  }
}
