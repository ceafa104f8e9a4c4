import { type FileOperations, openings } from './file-operations.ts'

/** Makes the names in a folder durable: everybody who asks while one fsync runs shares the next. */
export class GroupedSync {
  readonly #fs: FileOperations
  readonly #folder: string
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(fs: FileOperations, folder: string) {
    this.#fs = fs
    this.#folder = folder
  }

  /** Resolves when what was done in the folder before this call is durable. */
  sync(): Promise<void> {
    this.#next ??= this.#afterRunning()
    return this.#next
  }

  async #afterRunning(): Promise<void> {
    // Whoever waited for the running one learns of its failure; the next is a try of its own.
    await this.#running.catch(() => {})
    this.#running = this.#next!
    this.#next = undefined
    await syncFolder(this.#fs, this.#folder)
  }
}

/** Makes the names in one folder durable. */
export async function syncFolder(fs: FileOperations, folder: string): Promise<void> {
  // Opened each time: a folder that somebody replaced while the service ran must not stay the one that is synced.
  const fd = fs.openSync(folder, openings.folder)
  try {
    await fs.fsync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
