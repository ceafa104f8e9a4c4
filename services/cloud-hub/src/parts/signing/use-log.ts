import type { Store } from '@chancela/service-kernel/store'
import type { SessionUseRow, Tables } from '../../store/tables.ts'
import { insertUses } from '../../store/uses.ts'

/** Writes uses down that change nothing else: all that come while a statement runs go into the next one. */
export class UseLog {
  readonly #store: Store<Tables>
  #waiting: SessionUseRow[] = []
  #next: Promise<void> | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(store: Store<Tables>) {
    this.#store = store
  }

  /** Resolves when they are durable. */
  write(rows: readonly SessionUseRow[]): Promise<void> {
    this.#waiting.push(...rows)
    this.#next ??= this.#after(this.#running)
    return this.#next
  }

  async #after(running: Promise<void>): Promise<void> {
    // Whether the one before was written is for those to hear who wait for it.
    await running.catch(() => {})
    // One turn of the loop: what other calls write in the same turn comes along.
    await new Promise(setImmediate)
    const rows = this.#waiting
    this.#waiting = []
    this.#next = undefined
    this.#running = insertUses(this.#store.db, rows)
    await this.#running
  }
}
