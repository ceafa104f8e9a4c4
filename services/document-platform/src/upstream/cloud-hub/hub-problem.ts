/** Failure of a call to the hub. */
export class HubProblem extends Error {
  override readonly name = 'HubProblem'
  /** A code of the hub's contract; `unreachable`, `timed-out` or `not-understood` when it gave none. */
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
