import { tooFewBits } from '../crypto/curves.ts'
import { wasLongEnough, wasSound } from '../judgement/algorithm-policy.ts'
import type { CertificateVerdict } from '../judgement/verdict.ts'
import type { Certificate } from '../x509/certificate.ts'
import { type Finding, type FindingCode, finding, type TimestampReport } from './report.ts'

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

/** What is to say of a signer's key, whatever it signed. */
export function keyFindings(certificate: Certificate): Finding[] {
  if (!certificate.hasKnownKey) return [finding('algorithm-unknown', { algorithm: 'the key of the certificate' })]
  const bits = tooFewBits(certificate.publicKey)
  return bits === undefined ? [] : [finding('key-too-short', { bits })]
}

/**
 * Findings as of the time at which a signature is proven to have existed: algorithms and keys that were still accepted
 * then are told and decide nothing (EN 319 102-1 §5.6.2.4).
 */
export const asOf = (at: Date, findings: readonly Finding[]): Finding[] =>
  findings.map((one) => (weakness[one.code]?.(one, at) ? { ...one, severity: 'info' } : one))

const weakness: Readonly<Partial<Record<FindingCode, (found: Finding, at: Date) => boolean>>> = {
  'algorithm-weak': ({ details }, at) => wasSound(String(details?.algorithm), at),
  'key-too-short': ({ details }, at) => wasLongEnough(Number(details?.bits), at),
}
