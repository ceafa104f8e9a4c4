/** What kept the signature service from doing what it was asked. */
export type SignerProblemKind =
  /** It says why it will not. */
  | 'rejected'
  /** It did nothing: it was not there, or did not let us in. */
  | 'unreachable'
  /** It may have done it: the request was on its way, and no answer came that can be read. */
  | 'uncertain'

interface Account {
  /** The code of its error, where it gave one. */
  readonly code?: string
  /** Whether its last word has come: what it has not done by now it will not do. */
  readonly isOver?: boolean
  readonly cause?: unknown
}

export class SignerProblem extends Error {
  override readonly name = 'SignerProblem'
  readonly kind: SignerProblemKind
  readonly code: string | undefined
  readonly isOver: boolean

  constructor(kind: SignerProblemKind, message: string, { code, isOver = kind !== 'uncertain', cause }: Account = {}) {
    super(message, { cause })
    this.kind = kind
    this.code = code
    this.isOver = isOver
  }
}
