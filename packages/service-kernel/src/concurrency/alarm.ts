/** What a loop sleeps on: rung from outside, or by the time. A ring while nobody sleeps ends the next sleep at once. */
export class Alarm {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  /** Sleeps until rung or for `milliseconds`; says which it was. */
  async sleep(milliseconds: number): Promise<'rung' | 'timeout'> {
    if (!this.#rung) await this.#ringOrTimeout(milliseconds)
    const reason = this.#rung ? 'rung' : 'timeout'
    this.#rung = false
    return reason
  }

  #ringOrTimeout(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      this.#wake = wake
    })
  }
}
