/** An entry to write, and the promise of its caller. */
export interface Pending<Entry, Result> {
  readonly entry: Entry
  resolve(result: Result): void
  reject(error: unknown): void
}

export interface CommitBatchOptions<Entry, Result> {
  /** Writes all of them together and settles each; must not throw. */
  write(batch: readonly Pending<Entry, Result>[]): Promise<void>
  /** Entries written together at most. */
  readonly most: number
  /**
   * Before which batches one turn of the event loop is awaited, so that entries of the same turn are included: before
   * the first of a run only, or before each. A slow store collects enough while it writes.
   */
  readonly gathers: 'first' | 'each'
}

/** Group commit: one commit for the entries of all callers that came during the last one; settles each of them. */
export class CommitBatch<Entry, Result> {
  readonly #options: CommitBatchOptions<Entry, Result>
  readonly #waiting: Pending<Entry, Result>[] = []
  #running: Promise<void> | undefined

  constructor(options: CommitBatchOptions<Entry, Result>) {
    this.#options = options
  }

  /** Resolves when the entry is written. */
  add(entry: Entry): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Resolves when all added entries are written. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    const { write, most, gathers } = this.#options
    await nextTurn()
    while (this.#waiting.length > 0) {
      await write(this.#waiting.splice(0, most))
      if (gathers === 'each' && this.#waiting.length > 0) await nextTurn()
    }
    this.#running = undefined
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
