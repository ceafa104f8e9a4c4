import { existsSync, mkdirSync, renameSync, statSync, unlinkSync, utimesSync } from 'node:fs'
import { mkdir, open, opendir, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { Clock } from '../../clock/index.ts'
import { CoalescedRun } from '../../concurrency/index.ts'
import {
  BlobMissing,
  type BlobSource,
  type BlobStore,
  type ByteRange,
  clampRange,
  type DeleteOptions,
  isDigest,
  type ListedBlob,
  type PutOptions,
  requireDigest,
  type StoredBlob,
} from '../blob-store.ts'
import { allPieces, type Intake, takeIn } from '../intake.ts'
import { DraftFile, removeAbandonedDrafts } from './draft-file.ts'
import { syncFolder } from './sync-folder.ts'

export interface FileBlobsOptions {
  /** Created when missing. */
  readonly folder: string
  readonly clock: Clock
}

/** Up to this size, bytes are buffered and written at once. */
const QUICK_BYTES = 256 * 1024
const ARRIVALS = 'arrivals'

/**
 * Blobs as files, in two levels of folders by the first digits of their digest. A blob arrives in one folder, where
 * concurrent arrivals share one fsync of the folder, and is then moved to its place; the move need not be durable,
 * because reads look in both. So a crash at any moment leaves a blob in one of them.
 */
export async function fileBlobs({ folder, clock }: FileBlobsOptions): Promise<BlobStore> {
  const arrivals = join(folder, ARRIVALS)
  await mkdir(arrivals, { recursive: true, mode: 0o700 })
  await removeAbandonedDrafts(arrivals, clock())
  const blobs = new FileBlobs(folder, arrivals, clock)
  for (const name of await readdir(arrivals)) if (isDigest(name)) blobs.moveToPlace(name)
  return blobs
}

class FileBlobs implements BlobStore {
  readonly #folder: string
  readonly #arrivals: string
  readonly #clock: Clock
  /** All requests during one fsync of the folder share the next one. */
  readonly #sync: CoalescedRun

  constructor(folder: string, arrivals: string, clock: Clock) {
    this.#folder = folder
    this.#arrivals = arrivals
    this.#clock = clock
    this.#sync = new CoalescedRun(() => syncFolder(arrivals))
  }

  async put(source: BlobSource, options?: PutOptions): Promise<StoredBlob> {
    const intake = await takeIn(source, QUICK_BYTES, options)
    return intake.rest ? this.#putLarge(intake) : this.#putSmall(intake)
  }

  async #putSmall({ head, stored }: Intake): Promise<StoredBlob> {
    const blob = stored()
    if (await this.#isKept(blob.digest)) return blob
    const draft = await DraftFile.create(this.#arrivals)
    return this.#keep(draft, async () => {
      draft.writeNow(head)
      return blob
    })
  }

  async #putLarge(intake: Intake): Promise<StoredBlob> {
    const draft = await DraftFile.create(this.#arrivals)
    return this.#keep(draft, async () => {
      await draft.write(allPieces(intake))
      return intake.stored()
    })
  }

  async #keep(draft: DraftFile, write: () => Promise<StoredBlob>): Promise<StoredBlob> {
    try {
      const blob = await write()
      if (await this.#isKept(blob.digest)) {
        await draft.discard()
        return blob
      }
      await draft.finish(this.#clock())
      renameSync(draft.path, this.#arrivalOf(blob.digest))
      await this.#sync.request()
      this.moveToPlace(blob.digest)
      return blob
    } catch (error) {
      await draft.discard()
      throw error
    }
  }

  /** Marks existing bytes as stored now, so that a running sweep keeps them. */
  async #isKept(digest: string): Promise<boolean> {
    const now = this.#clock()
    if (touch(this.#placeOf(digest), now)) return true
    if (!touch(this.#arrivalOf(digest), now)) return touch(this.#placeOf(digest), now)
    // The put that wrote the blob may still wait for the folder's fsync.
    await this.#sync.request()
    return true
  }

  /** A blob that cannot be moved (no space for a folder) is read where it is, and moved by a later start. */
  moveToPlace(digest: string): void {
    const [arrival, place] = [this.#arrivalOf(digest), this.#placeOf(digest)]
    try {
      moveFile(arrival, place)
    } catch (error) {
      if (!existsSync(place) && !existsSync(arrival)) throw error
    }
  }

  read(digest: string): Promise<Buffer> {
    return this.#found(digest, (path) => readFile(path))
  }

  async stream(digest: string, range?: ByteRange): Promise<Readable> {
    const handle = await this.#found(digest, (path) => open(path, 'r'))
    const { start, end } = clampRange((await handle.stat()).size, range)
    if (start === end) {
      await handle.close()
      return Readable.from([])
    }
    return handle.createReadStream({ start, end: end - 1 })
  }

  async has(digest: string): Promise<boolean> {
    return (await this.#found(digest, (path) => stat(path)).catch(whenMissing)) !== undefined
  }

  async size(digest: string): Promise<number> {
    return (await this.#found(digest, (path) => stat(path))).size
  }

  /** Checked and removed synchronously, so that no put of this process comes between. */
  async delete(digest: string, { storedBefore }: DeleteOptions = {}): Promise<boolean> {
    requireDigest(digest)
    const paths = [this.#placeOf(digest), this.#arrivalOf(digest)]
    return paths.map((path) => removeFile(path, storedBefore)).includes(true)
  }

  async *list(): AsyncGenerator<ListedBlob, void, undefined> {
    yield* listFolder(this.#arrivals)
    for (const first of await foldersIn(this.#folder))
      for (const second of await foldersIn(join(this.#folder, first)))
        yield* listFolder(join(this.#folder, first, second))
  }

  async close(): Promise<void> {}

  /** The blob may be moved to its place between two attempts, never back. */
  async #found<T>(digest: string, use: (path: string) => Promise<T>): Promise<T> {
    requireDigest(digest)
    for (const path of [this.#placeOf(digest), this.#arrivalOf(digest), this.#placeOf(digest)]) {
      try {
        return await use(path)
      } catch (error) {
        if (!isAbsent(error)) throw error
      }
    }
    throw new BlobMissing(digest)
  }

  #placeOf(digest: string): string {
    return join(this.#folder, digest.slice(0, 2), digest.slice(2, 4), digest)
  }

  #arrivalOf(digest: string): string {
    return join(this.#arrivals, digest)
  }
}

/** Creates the missing folder only on failure: it usually exists. */
function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!isAbsent(error)) throw error
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    renameSync(from, to)
  }
}

function touch(path: string, now: Date): boolean {
  // Most blobs are new: asking first costs less than the error.
  if (!existsSync(path)) return false
  try {
    utimesSync(path, now, now)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

function removeFile(path: string, storedBefore: Date | undefined): boolean {
  try {
    if (storedBefore && statSync(path).mtime >= storedBefore) return false
    unlinkSync(path)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

const TWO_DIGITS = /^[0-9a-f]{2}$/

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory() && TWO_DIGITS.test(entry.name)).map(({ name }) => name)
}

async function* listFolder(folder: string): AsyncGenerator<ListedBlob, void, undefined> {
  for await (const { name } of await opendir(folder)) {
    if (!isDigest(name)) continue
    const found = await stat(join(folder, name)).catch(absentAsNothing)
    if (found) yield { digest: name, size: found.size, storedAt: found.mtime }
  }
}

const ABSENT: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR'])

const isAbsent = (error: unknown): boolean => ABSENT.has((error as NodeJS.ErrnoException).code)

function absentAsNothing(error: unknown): undefined {
  if (!isAbsent(error)) throw error
}

function whenMissing(error: unknown): undefined {
  if (!(error instanceof BlobMissing)) throw error
}
