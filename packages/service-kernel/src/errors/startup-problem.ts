/**
 * A reason a process cannot start that the person who started it can fix. The command line prints the sentence alone,
 * without a stack; it names the setting to change, in the form `batch-signer Http:Port`.
 */
export class StartupProblem extends Error {
  override readonly name = 'StartupProblem'
  readonly setting: string | undefined

  constructor(sentence: string, more: { setting?: string; cause?: unknown } = {}) {
    super(sentence, { cause: more.cause })
    this.setting = more.setting
  }
}
