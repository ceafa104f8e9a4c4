import { Refusal } from '@chancela/service-kernel/errors'
import type { ApprovalProblem, ApprovalState } from '@chancela/session-server/contract'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { TokenOutcome } from '../../../contract/token-signing.ts'
import { type Approval, LinkProblem } from '@chancela/service-links'

/** Outcomes of the refusals that signing with any certificate can give. */
const refusals: Readonly<Partial<Record<ErrorCode, TokenOutcome>>> = {
  DocumentNotFound: 'not-pending',
  InvalidFlowAction: 'not-pending',
  CpfMismatch: 'cpf-mismatch',
  CpfNotExpected: 'cpf-mismatch',
  CertificateTypeNotAllowed: 'certificate-type',
  CertificateNotFound: 'certificate-invalid',
  DocumentChanged: 'changed',
  SignatureTokenInvalidOrExpired: 'expired',
  InvalidSignature: 'signature-invalid',
  TimestampNotAvailable: 'timestamp-unavailable',
}

/** The outcome of a thrown error. */
export function outcomeOf(error: unknown): TokenOutcome {
  if (error instanceof LinkProblem) return 'unavailable'
  if (error instanceof Refusal) return refusals[error.code as ErrorCode] ?? 'failed'
  return 'failed'
}

const problems: Readonly<Record<ApprovalProblem, TokenOutcome>> = {
  NO_SOURCE: 'no-source',
  NO_DRIVER: 'no-driver',
  NO_TOKEN: 'no-token',
  NO_CERTIFICATE: 'no-certificate',
  NO_SCREEN: 'no-screen',
  AGENT_GONE: 'agent-gone',
  TOKEN_GONE: 'token-gone',
  NOT_SIGNED: 'not-signed',
}

/** States in which an approval has not ended; SIGNED is the end of another call. */
const ends: Readonly<Record<ApprovalState, TokenOutcome | undefined>> = {
  WAITING: undefined,
  READY: undefined,
  SIGNING: undefined,
  SIGNED: 'failed',
  DECLINED: 'declined',
  EXPIRED: 'expired',
  CANCELED: 'canceled',
  FAILED: 'failed',
}

/** How an approval ended; undefined while it has not. */
export const endOf = ({ state, problem }: Pick<Approval, 'state' | 'problem'>): TokenOutcome | undefined =>
  state === 'FAILED' && problem ? problems[problem] : ends[state]
