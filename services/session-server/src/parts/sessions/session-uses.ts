import { CoalescedRun } from '@chancela/service-kernel/concurrency'
import { type Store, writeAlone } from '@chancela/service-kernel/store'
import { type SessionUse, writeSessionUses } from '../../store/session-rows.ts'
import type { Tables } from '../../store/tables.ts'

/** Writes the session changes of signing calls: all that arrive while a statement runs go into the next one. */
export class SessionUses {
  readonly #store: Store<Tables>
  readonly #writing = new CoalescedRun(() => this.#writeWaiting())
  readonly #waiting = new Map<string, SessionUse>()

  constructor(store: Store<Tables>) {
    this.#store = store
  }

  /** Resolves when the use is durable. */
  write(use: SessionUse): Promise<void> {
    this.#waiting.set(use.id, use)
    return this.#writing.request()
  }

  #writeWaiting(): Promise<void> {
    const uses = [...this.#waiting.values()]
    this.#waiting.clear()
    return writeAlone(this.#store, (db) => writeSessionUses(db, uses))
  }
}
