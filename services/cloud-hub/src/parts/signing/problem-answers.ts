import type { ErrorCode } from '../../contract/errors.ts'
import type { ProviderProblem, ProviderProblemKind } from '../../upstream/provider-problem.ts'

interface ProblemAnswer {
  readonly code: ErrorCode
  /**
   * - `usable`: nothing was signed, the session is as good as before.
   * - `spent`: it may have signed; a session of one call is used up.
   * - `ended`: the provider does not accept the session any more.
   */
  readonly leaves: 'usable' | 'spent' | 'ended'
}

/** The client's answer to each problem, and its effect on the session. */
const answers: Readonly<Record<ProviderProblemKind, ProblemAnswer>> = {
  unavailable: { code: 'ProviderUnavailable', leaves: 'usable' },
  proxy: { code: 'ProviderUnavailable', leaves: 'usable' },
  timeout: { code: 'ProviderTimeout', leaves: 'spent' },
  lost: { code: 'ProviderConnectionLost', leaves: 'spent' },
  garbage: { code: 'ProviderError', leaves: 'spent' },
  'token-refused': { code: 'SessionInvalidOrAlreadyUsed', leaves: 'ended' },
  'code-refused': { code: 'SessionInvalidOrAlreadyUsed', leaves: 'ended' },
  misconfigured: { code: 'ProviderMisconfigured', leaves: 'usable' },
  refused: { code: 'ProviderError', leaves: 'usable' },
  'alias-unknown': { code: 'CertificateAliasNotFound', leaves: 'usable' },
  'hash-not-authorized': { code: 'HashNotAuthorized', leaves: 'usable' },
  'too-many-hashes': { code: 'TooManyHashes', leaves: 'usable' },
  'signature-wrong': { code: 'InvalidProviderSignature', leaves: 'spent' },
}

/** `isOver`: by our clock the session has expired, which explains a refused token. */
export const answerTo = ({ kind }: ProviderProblem, isOver: boolean): ProblemAnswer =>
  kind === 'token-refused' && isOver ? { code: 'SessionExpired', leaves: 'usable' } : answers[kind]
