/** Work that must not run twice at once: concurrent callers share its result. A form submitted twice must not cost two
 * tries of the PIN. */
export class OneAtATime<T> {
  #running: Promise<T> | undefined

  run(work: () => Promise<T>): Promise<T> {
    this.#running ??= work().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Resolves when nothing runs. */
  async settled(): Promise<void> {
    await this.#running?.catch(() => {})
  }
}
