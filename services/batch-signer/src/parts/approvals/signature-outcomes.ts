import type { ShownCode } from '../../contract/errors.ts'
import type { BatchMetrics } from '../../metrics.ts'

type Labels = Parameters<BatchMetrics['bulk_approver_signatures_total']['inc']>[0]

/** How an attempt of an approver to sign ends (spec 2, Events). */
export type SignatureOutcome = Labels['outcome']

/** What is shown about a signature; a prompt for a code is none. */
type SignatureCode = Exclude<ShownCode, `approval.second-factor-${string}`>

const outcomes: Readonly<Record<SignatureCode, SignatureOutcome>> = {
  'approval.certificate-invalid': 'certificate-invalid',
  'approval.certificate-without-cpf': 'without-cpf',
  'approval.certificate-cpf-mismatch': 'cpf-mismatch',
  'approval.signature-invalid': 'signature-invalid',
  'approval.signature-conflict': 'conflict',
}

/** The outcome that an error stands for; undefined for errors that say nothing about a signature. */
export function outcomeOf(error: unknown): SignatureOutcome | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return Object.hasOwn(outcomes, code) ? outcomes[code as SignatureCode] : undefined
}
