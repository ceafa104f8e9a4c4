/** Something to be written, and whoever waits for it. */
export interface Pending<Entry, Result> {
  readonly entry: Entry
  resolve(result: Result): void
  reject(error: unknown): void
}

export interface CommitBatchOptions<Entry, Result> {
  /** Writes all of them together and tells each how it ended; must not throw. */
  write(batch: readonly Pending<Entry, Result>[]): Promise<void>
  /** Entries written together at most. */
  readonly most: number
  /**
   * Before which batches one turn of the loop is awaited, so that what others say in the same turn comes along: before
   * the first of a run only, or before each. A store that takes long gathers enough while it writes.
   */
  readonly gathers: 'first' | 'each'
}

/** Writes together what many callers say: one commit for all that came while the last one ran, and for each its answer. */
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

  /** Resolves when all that was said is written. */
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
