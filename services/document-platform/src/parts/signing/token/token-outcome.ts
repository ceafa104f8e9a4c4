import { Refusal } from '@chancela/service-kernel/errors'
import { LinkProblem } from '@chancela/service-links'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { TokenOutcome } from '../../../contract/token-signing.ts'

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
