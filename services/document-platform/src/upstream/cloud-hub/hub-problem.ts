/** Why the hub did not do what it was asked. */
export class HubProblem extends Error {
  override readonly name = 'HubProblem'
  /** A code of its contract; `unreachable`, `timed-out` or `not-understood` where it answered none. */
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}
