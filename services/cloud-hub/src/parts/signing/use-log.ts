import { CoalescedRun } from '@chancela/service-kernel/concurrency'
import type { Store } from '@chancela/service-kernel/store'
import type { SessionUseRow, Tables } from '../../store/tables.ts'
import { insertUses } from '../../store/uses.ts'

/** Writes uses that change nothing else: all that arrive while a statement runs go into the next one. */
export class UseLog {
  readonly #store: Store<Tables>
  readonly #writing = new CoalescedRun(() => this.#writeWaiting(), { gathers: true })
  #waiting: SessionUseRow[] = []

  constructor(store: Store<Tables>) {
    this.#store = store
  }

  /** Resolves when they are durable. */
  write(rows: readonly SessionUseRow[]): Promise<void> {
    this.#waiting.push(...rows)
    return this.#writing.request()
  }

  #writeWaiting(): Promise<void> {
    const rows = this.#waiting
    this.#waiting = []
    return insertUses(this.#store.db, rows)
  }
}
