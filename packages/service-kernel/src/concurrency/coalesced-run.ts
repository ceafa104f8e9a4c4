export interface CoalescedRunOptions {
  /** Awaits one turn of the loop before each run, so that those who ask in the same turn come along. Default false. */
  readonly gathers?: boolean
}

/** Does work that serves many at once, never twice at the same time: all who ask while it runs share the next run. */
export class CoalescedRun {
  readonly #work: () => Promise<void>
  readonly #gathers: boolean
  #running: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  /** Whoever asked before `work` is called is served by that call; what it takes along, it takes before it first awaits. */
  constructor(work: () => Promise<void>, { gathers = false }: CoalescedRunOptions = {}) {
    this.#work = work
    this.#gathers = gathers
  }

  /** Resolves when a run that began after this call has ended. */
  request(): Promise<void> {
    this.#next ??= this.#after(this.#running)
    return this.#next
  }

  /** Resolves when nothing runs or is asked for, however it ended. */
  async idle(): Promise<void> {
    await (this.#next ?? this.#running).catch(() => {})
  }

  async #after(running: Promise<void>): Promise<void> {
    // Whoever waits for the one before hears of its failure; the next is a try of its own.
    await running.catch(() => {})
    if (this.#gathers) await new Promise(setImmediate)
    this.#next = undefined
    this.#running = this.#work()
    await this.#running
  }
}
