import { type CertificateVerdict, type Indication, worstOf } from '../judgement/verdict.ts'
import type { Finding, FindingCode, SignatureReport } from './report.ts'

/** Errors that leave the result open instead of deciding it. */
const openQuestions: ReadonlySet<FindingCode> = new Set([
  'signing-certificate-missing',
  'content-missing',
  'algorithm-unknown',
  'timestamp-invalid',
])

/** The indication of a signature: an error decides, unless it leaves the result open; else its certificate does. */
export function signatureIndication(findings: readonly Finding[], verdict: CertificateVerdict | null): Indication {
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (errors.some(({ code }) => !openQuestions.has(code))) return 'invalid'
  return errors.length > 0 || verdict === null ? 'indeterminate' : verdict.indication
}

/** The indication of a document: that of its worst signature; indeterminate without one. */
export const documentIndication = (signatures: readonly SignatureReport[]): Indication =>
  signatures.length === 0 ? 'indeterminate' : worstOf(signatures.map(({ indication }) => indication))
