/** Why a request to the signature service failed. */
export type SignerProblemKind =
  /** It refused, with a reason. */
  | 'rejected'
  /** It did nothing: it was unreachable, or did not accept our key. */
  | 'unreachable'
  /** It may have done it: the request was sent, and no readable answer came. */
  | 'uncertain'

interface Account {
  /** Its error code, where it gave one. */
  readonly code?: string
  /** Whether the request is finished: what the service has not done by now it will not do. */
  readonly isOver?: boolean
  /** Whether the status of its answer is a refusal of the request, whatever else it says. */
  readonly isRefusal?: boolean
  /** Whether a service answers so that does not know the call. */
  readonly isUnknownCall?: boolean
  readonly cause?: unknown
}

export class SignerProblem extends Error {
  override readonly name = 'SignerProblem'
  readonly kind: SignerProblemKind
  readonly code: string | undefined
  readonly isOver: boolean
  readonly isRefusal: boolean
  readonly isUnknownCall: boolean

  constructor(kind: SignerProblemKind, message: string, account: Account = {}) {
    const { code, isOver = kind !== 'uncertain', isRefusal = false, isUnknownCall = false, cause } = account
    super(message, { cause })
    this.kind = kind
    this.code = code
    this.isOver = isOver
    this.isRefusal = isRefusal
    this.isUnknownCall = isUnknownCall
  }
}
