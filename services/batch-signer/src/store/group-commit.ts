import { CommitBatch, type Pending } from '@chancela/service-kernel/concurrency'

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
  #stopped = false

  constructor(options: GroupCommitOptions<Entry, Result>) {
    this.#options = options
    const write = (group: readonly Pending<Entry, Result>[]) => this.#writeSome(group)
    this.#batch = new CommitBatch({ write, most: options.most ?? 256, gathers: 'first' })
  }

  add(entry: Entry): Promise<Result> {
    return this.#batch.add(entry)
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
        const results = await commit(entries, tries > 0)
        if (tries > 0) onRecovery()
        return results
      } catch (error) {
        if (this.#stopped || !passes(error)) throw error
        if (tries === 0) onTrouble(error)
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }
}
