import { setImmediate as turn } from 'node:timers/promises'
import { CoalescedRun } from '@chancela/service-kernel/concurrency'
import type { Store } from '@chancela/service-kernel/store'
import type { SessionUseRow, Tables } from '../../store/tables.ts'
import { insertUses } from '../../store/uses.ts'

/** Longest time a use waits for those of other calls under way; little beside what a provider takes. */
const GATHER_MS = 5

/** Writes uses that change nothing else, in groups: each is durable before its call is answered, several in one commit. */
export class UseLog {
  readonly #store: Store<Tables>
  readonly #writing = new CoalescedRun(() => this.#writeWaiting(), { gathers: () => this.#gather() })
  #waiting: SessionUseRow[] = []
  #writers = 0
  #underWay = 0
  #endGathering = () => {}

  constructor(store: Store<Tables>) {
    this.#store = store
  }

  /** A call that will write a use in the end. */
  async during<T>(call: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await call()
    } finally {
      this.#underWay -= 1
    }
  }

  /** Resolves when they are durable. */
  write(rows: readonly SessionUseRow[]): Promise<void> {
    this.#waiting.push(...rows)
    this.#writers += 1
    if (this.#isEnough()) this.#endGathering()
    return this.#writing.request()
  }

  /** Half of the calls under way: while they are written the others go on. A call that is alone waits for nobody. */
  #isEnough(): boolean {
    return this.#writers * 2 >= this.#underWay
  }

  async #gather(): Promise<void> {
    await turn()
    if (!this.#isEnough()) await new Promise<void>((resolve) => this.#untilEnough(resolve))
  }

  #untilEnough(resolve: () => void): void {
    const timer = setTimeout(resolve, GATHER_MS)
    this.#endGathering = () => {
      clearTimeout(timer)
      resolve()
    }
  }

  #writeWaiting(): Promise<void> {
    const rows = this.#waiting
    this.#waiting = []
    this.#writers = 0
    return insertUses(this.#store.db, rows)
  }
}
