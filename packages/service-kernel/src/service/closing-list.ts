import type { Closing } from './definition.ts'

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

  /** A step that fails is reported and does not keep the others from closing. */
  async closeAll(): Promise<void> {
    for (const { what, close } of this.#steps.splice(0).reverse()) {
      try {
        await close()
      } catch (error) {
        this.#report(what, error)
      }
    }
  }
}
