import { SqliteAdapter } from 'kysely'
import type { StoreAdapter } from '../adapter.ts'
import type { Db } from '../store.ts'

/** Kysely's adapter, and wake-ups within this process: other processes on the file find out at their next poll. */
export class SqliteStoreAdapter extends SqliteAdapter implements StoreAdapter {
  readonly storeDialect = 'sqlite'
  readonly runNow: StoreAdapter['runNow'] & {}
  readonly #wakeOnCommit: Set<string>
  readonly #wake: (channel: string) => void

  constructor(wakeOnCommit: Set<string>, wake: (channel: string) => void, runNow: StoreAdapter['runNow'] & {}) {
    super()
    this.#wakeOnCommit = wakeOnCommit
    this.#wake = wake
    this.runNow = runNow
  }

  async notify<Tables>(db: Db<Tables>, channel: string): Promise<void> {
    if (db.isTransaction) this.#wakeOnCommit.add(channel)
    else this.#wake(channel)
  }
}
