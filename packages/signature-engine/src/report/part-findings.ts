import type { CertificateVerdict } from '../judgement/verdict.ts'
import { type Finding, finding, type TimestampReport } from './report.ts'

/** What a signature's timestamps mean for it. An invalid one costs the signature only its proof of time. */
export const timestampFindings = (timestamps: readonly TimestampReport[]): Finding[] => timestamps.flatMap(ofTimestamp)

function ofTimestamp({ kind, indication, imprint, signature, findings }: TimestampReport): Finding[] {
  if (indication === 'valid') return []
  const reason = findings.map(({ code }) => code).join(', ')
  if (indication === 'invalid') return [finding('timestamp-invalid', { kind, reason })]
  const unchecked = [imprint, signature].some(({ state }) => state === 'not-checked')
  return [
    unchecked ? finding('timestamp-unchecked', { kind, reason }) : finding('timestamp-authority-untrusted', { kind }),
  ]
}

/** What the verdict on its certificate means for a signature. */
export function verdictFindings(verdict: CertificateVerdict | null): Finding[] {
  if (!verdict || verdict.indication === 'valid') return []
  const reasons = verdict.reasons.map(({ code }) => code).join(', ')
  return [
    finding(verdict.indication === 'invalid' ? 'certificate-not-trusted' : 'certificate-indeterminate', { reasons }),
  ]
}
