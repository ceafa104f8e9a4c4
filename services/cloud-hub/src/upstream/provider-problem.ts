/** Failures of a provider. The caller decides the hub's answer to each. */
export const providerProblems = {
  /** Unreachable, or blocked by the circuit breaker: nothing was sent, or it is known that nothing was done. */
  unavailable: 'The provider cannot be reached.',
  /** The proxy on the way to it did not open a tunnel: nothing was sent. */
  proxy: 'The proxy on the way to the provider failed or refused.',
  /** No answer in time: the request may have been executed. */
  timeout: 'The provider did not answer in time.',
  /** The connection broke after the request was sent: it may have been executed. */
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

/** Problems that mean the provider itself, or the way to it, is failing. */
const ailments: ReadonlySet<ProviderProblemKind> = new Set(['unavailable', 'proxy', 'timeout', 'garbage', 'lost'])

/** Whether the provider itself is failing; otherwise it answered, and a refusal is no failure. */
export const isAilment = ({ kind }: ProviderProblem): boolean => ailments.has(kind)

/** A failure of a provider. Its message contains no address, token or body of the provider. */
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
