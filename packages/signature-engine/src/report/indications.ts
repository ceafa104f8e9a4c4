import { type CertificateVerdict, type Indication, worstOf } from '../judgement/verdict.ts'
import type { Finding, FindingCode, SignatureReport } from './report.ts'

/** Errors that leave the result open instead of deciding it: something was never looked at (EN 319 102-1 §5.1.3). */
const openQuestions: ReadonlySet<FindingCode> = new Set([
  'signing-certificate-missing',
  'content-missing',
  'algorithm-unknown',
  'xml.reference-unresolved',
  'xml.reference-external',
  'xml.transform-refused',
])

/** Whether an error leaves the result of a signature open: an invalid timestamp costs it only its proof of time. */
export const leavesOpen = (code: FindingCode): boolean => openQuestions.has(code) || code === 'timestamp-invalid'

/** The indication of a signature: an error decides, unless it leaves the result open; else its certificate does. */
export const signatureIndication = (findings: readonly Finding[], verdict: CertificateVerdict | null): Indication =>
  indicationBy(findings, verdict, leavesOpen)

/** The same for a timestamp. */
export const timestampIndication = (findings: readonly Finding[], verdict: CertificateVerdict | null): Indication =>
  indicationBy(findings, verdict, (code) => openQuestions.has(code))

/** What findings alone say: valid where none is an error. */
export const findingsIndication = (findings: readonly Finding[]): Indication => weighed(findings, leavesOpen)

function indicationBy(
  findings: readonly Finding[],
  verdict: CertificateVerdict | null,
  isOpen: (code: FindingCode) => boolean,
): Indication {
  const indication = weighed(findings, isOpen)
  if (indication !== 'valid') return indication
  return verdict === null ? 'indeterminate' : verdict.indication
}

function weighed(findings: readonly Finding[], isOpen: (code: FindingCode) => boolean): Indication {
  const errors = findings.filter(({ severity }) => severity === 'error')
  if (errors.some(({ code }) => !isOpen(code))) return 'invalid'
  return errors.length > 0 ? 'indeterminate' : 'valid'
}

/** The indication of a document: that of its worst signature; indeterminate without one. */
export const documentIndication = (signatures: readonly SignatureReport[]): Indication =>
  signatures.length === 0 ? 'indeterminate' : worstOf(signatures.map(({ indication }) => indication))
