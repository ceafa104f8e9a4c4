// What refusals mean to whoever signs many documents at once.
import type { Refusal } from '@chancela/service-kernel/errors'
import type { DocumentOutcome } from '../contract/remote-signing.ts'

/** Refusals of the layouts' own rules, by their names. */
const byRule: Readonly<Record<string, DocumentOutcome>> = {
  'not-open': 'not-pending',
  elsewhere: 'not-pending',
  closed: 'not-pending',
  'already-signed': 'not-pending',
  'signed-by-this-person': 'not-pending',
  'out-of-order': 'not-pending',
  unfinished: 'not-pending',
  carried: 'not-pending',
  'not-a-signatory': 'cpf-mismatch',
  'wrong-cnpj': 'cpf-mismatch',
  'wrong-certificate-kind': 'certificate-type',
  'certificate-type': 'certificate-type',
  'certificate-expired': 'certificate-invalid',
  'certificate-not-yet-valid': 'certificate-invalid',
}

const byCode: Readonly<Record<string, DocumentOutcome>> = {
  'document-not-found': 'not-pending',
  'changed-meanwhile': 'changed',
  'certificate-refused': 'certificate-invalid',
  'invalid-data': 'certificate-invalid',
  'signature-wrong': 'signature-invalid',
  forbidden: 'not-pending',
}

const ruleOf = ({ details }: Refusal): string => String((details as { refusal?: unknown } | undefined)?.refusal ?? '')

/** What became of a document that was refused. */
export const documentOutcome = (refusal: Refusal): DocumentOutcome =>
  byRule[ruleOf(refusal)] ?? byCode[refusal.code] ?? 'failed'

/** Somebody else signs at this moment, or an authority is silent: the same is tried again. */
export const isPassing = (refusal: Refusal): boolean =>
  ['changed-meanwhile', 'signing-unavailable'].includes(refusal.code) || ruleOf(refusal) === 'unfinished'

/** The reasons of a refusal, in sentences. */
export function reasonOf({ message, details }: Refusal): string {
  const { reason, reasons } = (details ?? {}) as { reason?: string; reasons?: readonly string[] }
  return [...(reasons ?? []), ...(reason === undefined ? [] : [reason])].join(' ') || message
}
