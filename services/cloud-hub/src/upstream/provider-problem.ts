/** What can go wrong at a provider. What the hub answers to each is decided where the call was made. */
export const providerProblems = {
  /** Not reached, or left alone after failures: nothing was sent, or it is known that nothing was done. */
  unavailable: 'The provider cannot be reached.',
  /** No answer in time: it may have done what it was asked. */
  timeout: 'The provider did not answer in time.',
  /** The connection broke after the request was sent: it may have done what it was asked. */
  lost: 'The connection to the provider broke before its answer.',
  /** 5xx, or an answer its protocol does not allow. */
  garbage: 'The provider failed, or answered what its protocol does not allow.',
  /** The token is expired, used or revoked. */
  'token-refused': 'The provider does not accept the token any more.',
  /** The authorization code is wrong, used or too old. */
  'code-refused': 'The provider does not accept the authorization code.',
  /** invalid_client, unauthorized_client: the hub's own credentials. */
  misconfigured: 'The provider does not accept the credentials of this hub.',
  /** A refusal of this one request that proves that nothing was signed. */
  refused: 'The provider refused the request.',
  'alias-unknown': 'The provider knows no certificate with this alias.',
  'hash-not-authorized': 'The holder authorized other hashes.',
  'too-many-hashes': 'The provider does not sign so many hashes at once.',
  /** It signed, but not this hash with this certificate. */
  'signature-wrong': 'The signature does not fit the hash and the certificate.',
} as const

export type ProviderProblemKind = keyof typeof providerProblems

/** What tells that the provider itself is not well. */
const ailments: ReadonlySet<ProviderProblemKind> = new Set(['unavailable', 'timeout', 'garbage', 'lost'])

/** Whether the provider is not well; otherwise it answered, and what it refused is no ailment. */
export const isAilment = ({ kind }: ProviderProblem): boolean => ailments.has(kind)

/** What a provider did wrong. Its message names no address, token or body of the provider. */
export class ProviderProblem extends Error {
  override readonly name = 'ProviderProblem'
  readonly kind: ProviderProblemKind
  /** The provider's own status and code, for the log and the audit. */
  readonly status: number | undefined
  readonly code: string | undefined
  /** More for the operator: a diagnosis without secrets. */
  readonly diagnosis: string | undefined

  constructor(
    kind: ProviderProblemKind,
    more: { status?: number; code?: string; diagnosis?: string; cause?: unknown } = {},
  ) {
    super(providerProblems[kind], { cause: more.cause })
    this.kind = kind
    this.status = more.status
    this.code = more.code
    this.diagnosis = more.diagnosis
  }
}
