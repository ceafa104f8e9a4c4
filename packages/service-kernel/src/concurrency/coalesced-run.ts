export interface CoalescedRunOptions {
  /** Waits one turn of the event loop before each run, or for this, so that requests of that time share it. Default false. */
  readonly gathers?: boolean | (() => Promise<void>)
}

const oneTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Runs work for many callers at once, never concurrently: all requests made while it runs share the next run. */
export class CoalescedRun {
  readonly #work: () => Promise<void>
  readonly #gather: (() => Promise<void>) | undefined
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  /** A request made before `work` is called is served by that call, if `work` reads its input before it awaits. */
  constructor(work: () => Promise<void>, { gathers = false }: CoalescedRunOptions = {}) {
    this.#work = work
    this.#gather = gathers === true ? oneTurn : gathers || undefined
  }

  /** Resolves when a run that began after this call has ended. */
  request(): Promise<void> {
    this.#next ??= this.#after(this.#running)
    return this.#next
  }

  /** Resolves when nothing runs or is requested, with success or failure. */
  async idle(): Promise<void> {
    await (this.#next ?? this.#running).catch(() => {})
  }

  async #after(running: Promise<void>): Promise<void> {
    // Callers of the previous run get its failure; the next run is independent.
    await running.catch(() => {})
    if (this.#gather) await this.#gather()
    this.#next = undefined
    this.#running = this.#work()
    await this.#running
  }
}
