/** Why a sealed value does not open. The text itself is never part of the message. */
const secretProblems = {
  'secrets.malformed': 'The text is not a sealed value.',
  'secrets.unknown-version': 'The value was sealed in a format this program does not know; a newer one wrote it.',
  'secrets.unknown-key': 'No master key at hand has the id the value was sealed under.',
  'secrets.not-authentic': 'The value was damaged, or it was sealed for another place.',
} as const

export type SecretProblemCode = keyof typeof secretProblems

/** A sealed value that does not open. The caller decides what follows: a signing profile, for example, is degraded. */
export class SecretProblem extends Error {
  override readonly name = 'SecretProblem'
  readonly code: SecretProblemCode
  /** The id of the value's key, if it could be read. */
  readonly keyId: string | undefined

  constructor(code: SecretProblemCode, more: { keyId?: string; cause?: unknown } = {}) {
    super(secretProblems[code], { cause: more.cause })
    this.code = code
    this.keyId = more.keyId
  }
}
