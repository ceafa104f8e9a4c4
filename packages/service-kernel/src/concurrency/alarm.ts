/** A sleep that others can cut short. A ring while nobody sleeps ends the next sleep at once: no wake-up is lost. */
export class Alarm {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  /** Sleeps until rung or for `milliseconds`, forever when none are given; returns which it was. */
  async sleep(milliseconds?: number): Promise<'rung' | 'timeout'> {
    if (!this.#rung) await this.#ringOrTimeout(milliseconds)
    const reason = this.#rung ? 'rung' : 'timeout'
    this.#rung = false
    return reason
  }

  #ringOrTimeout(milliseconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
      const timer = milliseconds === undefined ? undefined : setTimeout(wake, milliseconds)
      this.#wake = wake
    })
  }
}
