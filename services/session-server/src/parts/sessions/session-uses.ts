import { type Store, writeAlone } from '@chancela/service-kernel/store'
import { type SessionUse, writeSessionUses } from '../../store/session-rows.ts'
import type { Tables } from '../../store/tables.ts'

/** Writes what signing calls change in their sessions: all that come while a statement runs go into the next one. */
export class SessionUses {
  readonly #store: Store<Tables>
  readonly #waiting = new Map<string, SessionUse>()
  #next: Promise<void> | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(store: Store<Tables>) {
    this.#store = store
  }

  /** Resolves when the use is durable. */
  write(use: SessionUse): Promise<void> {
    this.#waiting.set(use.id, use)
    this.#next ??= this.#after(this.#running)
    return this.#next
  }

  async #after(running: Promise<void>): Promise<void> {
    // Whether the one before was written is for those to hear who wait for it.
    await running.catch(() => {})
    const uses = [...this.#waiting.values()]
    this.#waiting.clear()
    this.#next = undefined
    this.#running = writeAlone(this.#store, (db) => writeSessionUses(db, uses))
    await this.#running
  }
}
