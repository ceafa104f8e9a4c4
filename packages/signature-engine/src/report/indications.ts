import { type CertificateVerdict, type Indication, worstOf } from '../judgement/verdict.ts'
import type { Finding, FindingCode, SignatureReport } from './report.ts'

/** Errors that leave the question open instead of answering it. */
const openQuestions: ReadonlySet<FindingCode> = new Set([
  'signing-certificate-missing',
  'content-missing',
  'algorithm-unknown',
  'timestamp-invalid',
])

/** What a signature is worth: an error decides, unless it only leaves the question open; then its certificate does. */
export function signatureIndication(findings: readonly Finding[], verdict: CertificateVerdict | null): Indication {
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (errors.some(({ code }) => !openQuestions.has(code))) return 'invalid'
  return errors.length > 0 || verdict === null ? 'indeterminate' : verdict.indication
}

/** What a document is worth: as much as its worst signature; without one, nobody knows. */
export const documentIndication = (signatures: readonly SignatureReport[]): Indication =>
  signatures.length === 0 ? 'indeterminate' : worstOf(signatures.map(({ indication }) => indication))
