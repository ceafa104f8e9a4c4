import { CommitBatch, type Pending } from '@chancela/service-kernel/concurrency'
import { notedUnreachable } from '@chancela/service-kernel/errors'

/** The store's callbacks for a group. */
export interface GroupCommitOptions<Entry, Result> {
  /**
   * Writes all entries in one transaction and returns one result for each, in order. `again` means that an earlier
   * attempt with the same entries failed, perhaps after its commit.
   */
  commit(entries: readonly Entry[], again: boolean): Promise<readonly Result[]>
  /** Whether the failure is temporary (full disk, lost server): the group is then retried until it is written. */
  passes(error: unknown): boolean
  /** Called when a group cannot be written for now, and again when it can. */
  onTrouble(error: unknown): void
  onRecovery(): void
  /** What takes back an entry that may have been written, and changes nothing where it was not; or the entry itself. */
  withdrawal?(entry: Entry): Entry
  /** Entries written in one transaction. Default 256. */
  readonly most?: number
  /** Milliseconds between two tries. Default 500. */
  readonly retryMs?: number
}

/**
 * Group commit: writes the entries of many callers in one transaction, one fsync for all that arrived while the last
 * one ran. An entry resolves when it is durable. While the store cannot write, callers wait and nothing is lost.
 */
export class GroupCommit<Entry, Result> {
  readonly #options: GroupCommitOptions<Entry, Result>
  readonly #batch: CommitBatch<Entry, Result>
  /** Gives up the entries whose callers do not wait for a store in trouble. */
  readonly #hurried = new Set<(error: unknown) => void>()
  readonly #withdrawn = new Set<Entry>()
  #trouble: { readonly error: unknown } | undefined
  #stopped = false

  constructor(options: GroupCommitOptions<Entry, Result>) {
    this.#options = options
    const write = (group: readonly Pending<Entry, Result>[]) => this.#writeSome(group)
    this.#batch = new CommitBatch({ write, most: options.most ?? 256, gathers: 'first' })
  }

  add(entry: Entry): Promise<Result> {
    return this.#batch.add(entry)
  }

  /** Throws what keeps the store from writing, while it does. */
  requireNoTrouble(): void {
    if (this.#trouble) throw this.#trouble.error
  }

  /**
   * Adds an entry whose caller waits neither for a store in trouble nor longer than this. The caller is then told why;
   * the entry may still have reached the store, so that it is withdrawn as soon as that can be written.
   */
  addInTime(entry: Entry, milliseconds: number): Promise<Result> {
    if (this.#trouble) return Promise.reject(this.#trouble.error)
    return new Promise((resolve, reject) => {
      const giveUp = (error: unknown) => {
        this.#withdrawn.add(entry)
        reject(error)
      }
      const timer = setTimeout(() => giveUp(noAnswer(milliseconds)), milliseconds)
      this.#hurried.add(giveUp)
      const end = () => {
        clearTimeout(timer)
        this.#hurried.delete(giveUp)
        this.#withdrawn.delete(entry)
      }
      this.#batch.add(entry).then(resolve, reject).finally(end)
    })
  }

  /** Waits for pending entries; a failing store is tried once more and then given up. */
  async close(): Promise<void> {
    this.#stopped = true
    await this.#batch.idle()
  }

  async #writeSome(group: readonly Pending<Entry, Result>[]): Promise<void> {
    try {
      const results = await this.#written(group.map(({ entry }) => entry))
      group.forEach((one, index) => {
        one.resolve(results[index]!)
      })
    } catch (error) {
      if (group.length > 1 && !this.#options.passes(error)) await this.#writeHalves(group)
      else for (const one of group) one.reject(error)
    }
  }

  // An entry the store rejects must not fail its neighbours: each half is written separately.
  async #writeHalves(group: readonly Pending<Entry, Result>[]): Promise<void> {
    const half = group.length >> 1
    await this.#writeSome(group.slice(0, half))
    await this.#writeSome(group.slice(half))
  }

  async #written(entries: readonly Entry[]): Promise<readonly Result[]> {
    const { commit, passes, onTrouble, onRecovery, retryMs = 500 } = this.#options
    for (let tries = 0; ; tries += 1) {
      try {
        const wanted = this.#stillWanted(entries)
        const results = await commit(wanted, tries > 0)
        this.#takeBack(wanted)
        this.#trouble = undefined
        if (tries > 0) onRecovery()
        return results
      } catch (error) {
        this.#trouble = undefined
        if (this.#stopped || !passes(error)) throw error
        this.#trouble = { error }
        for (const giveUp of [...this.#hurried]) giveUp(error)
        if (tries === 0) onTrouble(error)
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  #stillWanted(entries: readonly Entry[]): readonly Entry[] {
    if (this.#withdrawn.size === 0) return entries
    return entries.map((entry) => (this.#withdrawn.has(entry) ? this.#options.withdrawal!(entry) : entry))
  }

  /** What was written although its caller was told the contrary meanwhile: the store was slow. */
  #takeBack(written: readonly Entry[]): void {
    // The next start finds what a stop leaves here.
    for (const entry of written.filter((one) => this.#withdrawn.has(one))) {
      const instead = this.#options.withdrawal!(entry)
      if (instead !== entry) this.#batch.add(instead).catch(() => undefined)
    }
  }
}

/** The answer of a store, or an error that says that it cannot be reached: a lost network says nothing for minutes. */
export function answeredIn<T>(milliseconds: number, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(noAnswer(milliseconds)), milliseconds)
    asked.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

const noAnswer = (milliseconds: number): Error =>
  notedUnreachable(new Error(`The store did not answer in ${milliseconds} ms.`))
