import { DAY, plus, SECOND } from '@chancela/service-kernel/clock'
import type { Heartbeat } from '@chancela/service-kernel/health'
import type { Elsewhere } from '../../actions/sign-elsewhere/begin-signing.ts'
import { putIn } from '../../actions/sign-elsewhere/put-in.ts'
import { putInBy } from '../../actions/sign-elsewhere/sign-all.ts'
import { sweepSignings, takeOver } from '../../store/approver-signings.ts'

const EVERY = 15 * SECOND

/** How long it can be read what became of a request. */
const READABLE = DAY

/** Records approvals whose signatures a process kept and did not live to record, and forgets what is over. */
export class KeptSignatures {
  readonly #given: Elsewhere
  #timer: NodeJS.Timeout | undefined
  #heartbeat: Heartbeat | undefined
  #looking: Promise<void> | undefined

  constructor(given: Elsewhere) {
    this.#given = given
  }

  start(): void {
    this.#heartbeat = this.#given.context.heartbeats.expect('kept signatures of approvers', EVERY)
    this.#timer = setInterval(() => void this.lookNow(), EVERY)
    this.#timer.unref()
    void this.lookNow()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#heartbeat?.end()
    await this.#looking
  }

  /** Never throws. */
  lookNow(): Promise<void> {
    this.#looking ??= this.#look()
      .then(() => this.#heartbeat?.beat())
      .catch((err) => this.#given.context.logger.warn({ err }, 'kept signatures could not be looked for'))
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    const { store, clock } = this.#given.context
    const now = clock()
    for (;;) {
      const row = await takeOver(store, { now, busyUntil: putInBy(clock()) })
      if (!row) break
      await putIn(this.#given, row)
    }
    await sweepSignings(store, plus(now, -READABLE))
  }
}
