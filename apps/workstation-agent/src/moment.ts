/** Something that happens once; others may wait for it. Node 20 has no Promise.withResolvers. */
export class Moment {
  readonly promise: Promise<void>
  #resolve: () => void = () => {}
  #hasHappened = false

  constructor() {
    this.promise = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  get hasHappened(): boolean {
    return this.#hasHappened
  }

  happen(): void {
    this.#hasHappened = true
    this.#resolve()
  }
}
