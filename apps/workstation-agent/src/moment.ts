/** Something that happens once; others may wait for it. Node 20 has no Promise.withResolvers. */
export class Moment {
  readonly promise: Promise<void>
  #resolve: () => void = () => {}

  constructor() {
    this.promise = new Promise((resolve) => {
      this.#resolve = resolve
    })
  }

  happen(): void {
    this.#resolve()
  }
}
