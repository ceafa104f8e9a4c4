import { randomUUID } from 'node:crypto'
import { closeSync, fdatasync, futimesSync, open, write, writevSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { HOUR, plus } from '../../clock/index.ts'

const SUFFIX = '.part'
const FILE_MODE = 0o600
/** A draft not written to for this time belongs to a process that died. */
const ABANDONED_AFTER = HOUR

const [openFile, writeSome, syncData] = [promisify(open), promisify(write), promisify(fdatasync)]

/** A file being written, under a name that nobody reads. */
export class DraftFile {
  readonly path: string
  readonly #fd: number
  #isOpen = true

  private constructor(path: string, fd: number) {
    this.path = path
    this.#fd = fd
  }

  /** Asynchronous: creating a file blocks while the file system writes its journal, which it does all the time. */
  static async create(folder: string): Promise<DraftFile> {
    const path = join(folder, `${randomUUID()}${SUFFIX}`)
    return new DraftFile(path, await openFile(path, 'wx', FILE_MODE))
  }

  /** Synchronous: for a few bytes the thread pool takes longer than the write. */
  writeNow(pieces: readonly Uint8Array[]): void {
    let rest = pieces.filter(({ length }) => length > 0)
    while (rest.length > 0) rest = after(rest, writevSync(this.#fd, rest))
  }

  async write(pieces: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const piece of pieces)
      for (let from = 0; from < piece.length; )
        from += (await writeSome(this.#fd, piece, from, piece.length - from)).bytesWritten
  }

  /** Makes the bytes durable; the name is durable once its folder is synced. */
  async finish(now: Date): Promise<void> {
    futimesSync(this.#fd, now, now)
    await syncData(this.#fd)
    this.#close()
  }

  async discard(): Promise<void> {
    this.#close()
    await rm(this.path, { force: true })
  }

  #close(): void {
    if (this.#isOpen) closeSync(this.#fd)
    this.#isOpen = false
  }
}

function after(pieces: readonly Uint8Array[], written: number): Uint8Array[] {
  let skip = written
  return pieces.flatMap((piece) => {
    const from = Math.min(skip, piece.length)
    skip -= from
    return from === piece.length ? [] : [piece.subarray(from)]
  })
}

/** Removes drafts left by a crash; drafts of other running processes are recent and stay. */
export async function removeAbandonedDrafts(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(SUFFIX)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtime < plus(now, -ABANDONED_AFTER)) await rm(path, { force: true })
  }
}
