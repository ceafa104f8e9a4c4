import { SECOND } from '../clock/index.ts'
import type { Closing } from './definition.ts'

/** What a step still gets when the time is over, in milliseconds: most need none, such as a lease that is given back. */
const MOMENT = 50

/** Tracks opened resources, so that a stop, or a start that fails half-way, leaves nothing open. */
export class ClosingList implements Closing {
  readonly #steps: { what: string; close: () => Promise<void> | void }[] = []
  readonly #report: (what: string, error: unknown) => void

  constructor(report: (what: string, error: unknown) => void) {
    this.#report = report
  }

  add(what: string, close: () => Promise<void> | void): void {
    this.#steps.push({ what, close })
  }

  /**
   * A step that fails, or takes longer than all of them may together, is reported and does not keep the others from
   * closing: what it waits for may never come.
   */
  async closeAll(seconds: number): Promise<void> {
    const end = performance.now() + seconds * SECOND
    for (const { what, close } of this.#steps.splice(0).reverse()) {
      try {
        await within(Math.max(end - performance.now(), MOMENT), close)
      } catch (error) {
        this.#report(what, error)
      }
    }
  }
}

async function within(milliseconds: number, close: () => Promise<void> | void): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The time for stopping is over.')), milliseconds)
  })
  try {
    await Promise.race([close(), tooLong])
  } finally {
    clearTimeout(timer)
  }
}
