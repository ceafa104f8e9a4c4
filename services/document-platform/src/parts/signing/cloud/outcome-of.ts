import { Refusal } from '@chancela/service-kernel/errors'
import type { CloudOutcome } from '../../../contract/cloud-signing.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { LinkProblem } from '@chancela/service-links'

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

/** Outcomes of the hub's codes; any other code is a failure at the provider or on the way there. */
const hubCodes: Readonly<Record<string, CloudOutcome>> = {
  SessionExpired: 'expired',
  SessionInvalidOrAlreadyUsed: 'expired',
  CertificateNotFound: 'certificate-invalid',
  InvalidProviderSignature: 'signature-invalid',
}

/** The outcome of a thrown error. */
export function outcomeOf(error: unknown): CloudOutcome {
  if (error instanceof LinkProblem) return hubCodes[error.code] ?? 'provider-failed'
  if (error instanceof Refusal) return refusals[error.code as ErrorCode] ?? 'failed'
  return 'failed'
}
