import { open } from 'node:fs/promises'

/** Makes the names in a folder durable: everybody who asks while one fsync runs shares the next. */
export class GroupedSync {
  readonly #folder: string
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(folder: string) {
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
    await syncFolder(this.#folder)
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
