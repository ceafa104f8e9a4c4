import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CoalescedRun } from '@chancela/service-kernel/concurrency'
import { JobFailure } from '../../../rules/job-failure.ts'
import { reasonOf } from '../../../rules/job-reason.ts'
import {
  type Destination,
  DiskFull,
  type OutputBytes,
  type OutputPlace,
  type Promotion,
  type WrittenOutput,
} from '../storage.ts'
import { errnoOf, orStorageTrouble, saysDiskFull, storageTrouble } from './disk-errors.ts'
import { FILE_MODE, type FileOperations, openings } from './file-operations.ts'
import { syncFolder } from './sync-folder.ts'
import { copyDurably, isSameInode, withFile, writeAll } from './whole-files.ts'
import { HIDDEN_FOLDER, hiddenName, PARTIAL, plainName, type WorkFolders } from './work-folders.ts'

/** A probe writes more than the smallest files, so that room for one of them does not restart a thousand jobs. */
const PROBE = Buffer.alloc(1024 * 1024)
const EMPTY = Buffer.alloc(0)

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
  /** Where the outputs of a folder wait; asked again after trouble. */
  readonly #hidden = new Map<string, string>()

  constructor(fs: FileOperations, folders: WorkFolders) {
    this.#fs = fs
    this.#folders = folders
  }

  write(jobId: string, bytes: OutputBytes, to: Destination): Promise<WrittenOutput> {
    return orStorageTrouble('output-not-written', async () => {
      const folder = this.#folderOf(to.folder)
      const known = this.#hidden.get(folder)
      const within = (hidden: string) => this.#writeHidden(join(hidden, hiddenName(jobId)), bytes, to)
      try {
        return await within(known ?? (await this.#hiddenFolder(folder)))
      } catch (error) {
        this.#hidden.delete(folder)
        // Unmounted or emptied since it was asked: nothing of the bytes was read yet.
        if (known === undefined || errnoOf(error) !== 'ENOENT') throw error
        return within(await this.#hiddenFolder(folder))
      }
    })
  }

  async #writeHidden(path: string, bytes: OutputBytes, to: Destination): Promise<WrittenOutput> {
    const length = 'path' in bytes ? await this.#adopt(bytes.path, path, to) : await this.#create(path, bytes, to)
    // Completed promises that the output can be delivered: the hidden name must be durable before.
    await this.#sync(dirname(path))
    return { path, length }
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
    const own = this.#isApart(folder) ? join(folder, HIDDEN_FOLDER) : this.#folders.processing
    if (own !== this.#folders.processing && !this.#fs.lstatSync(own)) await this.#fs.mkdir(own)
    this.#hidden.set(folder, own)
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
    this.requireWritable(place.folder)
    if (this.#fs.lstatSync(path)) throw new JobFailure('job.output-exists', reasonOf('output-exists', { path }))
  }

  requireWritable(folder: string | null): void {
    try {
      this.#fs.accessSync(this.#folderOf(folder), constants.W_OK | constants.X_OK)
    } catch (error) {
      throw storageTrouble(error, 'output-not-placed')
    }
  }

  probe(folder: string, bytes: number): Promise<void> {
    return orStorageTrouble('output-folder-unwritable', async () => {
      this.requireWritable(folder)
      const isApart = this.#isApart(folder)
      if (isApart && this.#fs.freeBytesSync(folder) < bytes) throw new DiskFull(`${folder} has no room.`)
      const path = join(folder, `.write-probe-${randomUUID()}.tmp`)
      await this.#tryWriting(path, isApart ? PROBE : EMPTY).catch((error: unknown) => {
        if (isApart || !saysDiskFull(error)) throw error
      })
    })
  }

  async #tryWriting(path: string, content: Uint8Array): Promise<void> {
    const fd = await this.#fs.open(path, openings.createNew, FILE_MODE)
    try {
      await writeAll(this.#fs, fd, [content])
      await this.#fs.fsync(fd)
    } finally {
      this.#fs.closeSync(fd)
      await this.#fs.unlink(path)
    }
  }

  waiting(jobId: string, folder: string | null): string | undefined {
    const name = hiddenName(jobId)
    const places = [this.#folders.processing, join(this.#folderOf(folder), HIDDEN_FOLDER)]
    return places.map((place) => join(place, name)).find((path) => this.#fs.lstatSync(path)?.isFile)
  }

  promote(jobId: string, place: OutputPlace): Promise<Promotion> {
    return orStorageTrouble('output-not-placed', async () => {
      const likely = this.#hidden.get(this.#folderOf(place.folder)) ?? this.#folders.processing
      const outcome = await this.#give(jobId, join(likely, hiddenName(jobId)), place)
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
      // The kernel compares the file systems before it looks for the file.
      if (errnoOf(error) === 'ENOENT' || !this.#fs.lstatSync(hidden))
        return this.#giveFromElsewhere(jobId, { hidden, error }, place)
      if (errnoOf(error) !== 'EXDEV') throw error
      return this.#give(jobId, await this.#carryOver(jobId, hidden, this.#folderOf(place.folder)), place)
    }
  }

  /** Not there: given already, perhaps by another process that took the job over; or the output folder is missing. */
  async #giveFromElsewhere(
    jobId: string,
    tried: { readonly hidden: string; readonly error: unknown },
    place: OutputPlace,
  ): Promise<Promotion> {
    const hidden = this.waiting(jobId, place.folder)
    if (hidden === undefined) return 'gone'
    if (hidden === tried.hidden) throw tried.error
    return this.#give(jobId, hidden, place)
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
      if (!this.#fs.lstatSync(hidden)) throw Object.assign(new Error(`ENOENT: ${hidden}`), { code: 'ENOENT' })
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
      throw new JobFailure('job.storage-failed', reasonOf('output-folder-apart', { path: folder }))
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
