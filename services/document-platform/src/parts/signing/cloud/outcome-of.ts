import { Refusal } from '@chancela/service-kernel/errors'
import { cloudEndOf, LinkProblem } from '@chancela/service-links'
import type { CloudOutcome } from '../../../contract/cloud-signing.ts'
import type { ErrorCode } from '../../../contract/errors.ts'

/** Outcomes of the refusals that signing with any certificate can give. */
const refusals: Readonly<Partial<Record<ErrorCode, CloudOutcome>>> = {
  DocumentInvalidKey: 'expired',
  ActionTicketInvalidOrExpired: 'expired',
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
export function outcomeOf(error: unknown): CloudOutcome {
  if (error instanceof LinkProblem) return cloudEndOf(error)
  if (error instanceof Refusal) return refusals[error.code as ErrorCode] ?? 'failed'
  return 'failed'
}
