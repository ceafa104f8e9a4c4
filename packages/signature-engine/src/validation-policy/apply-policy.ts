import { type CertificateReason, type CertificateVerdict, indicationOf, worstOf } from '../judgement/verdict.ts'
import {
  documentIndication,
  documentTimestampStatus,
  findingsIndication,
  signatureStatus,
  statusWith,
} from '../report/indications.ts'
import { type Finding, finding, type SignatureReport, type ValidationReport } from '../report/report.ts'
import { isAtOrUnder } from '../x509/holder-certificate-type.ts'
import { acceptsAlgorithm, acceptsDigest, acceptsKey, algorithmNamed } from './accepted-algorithms.ts'
import { mayHaveEffect, ofIntegrity } from './protected-findings.ts'
import type { ValidationPolicy } from './validation-policy.ts'

/** What every validation may be given. */
export interface PolicyOption {
  /** The rules to judge by; default those of the engine itself, which are `generalPolicy`. */
  readonly policy?: ValidationPolicy
}

/** The report as this policy sees it; without one, as it is. */
export function underPolicy(report: ValidationReport, policy: ValidationPolicy | undefined): ValidationReport {
  if (!policy) return report
  const signatures = report.signatures.map((signature) => judgedBy(policy, signature))
  const findings = withEffects(policy, report.findings)
  const indication = worstOf([
    ...(signatures.length === 0 ? [report.indication] : [documentIndication(signatures)]),
    findingsIndication(findings),
    // What was said of the document itself, a content that is not the one inside among it, is no policy's to take back.
    ...(report.findings.some(({ severity }) => severity === 'error') ? [report.indication] : []),
  ])
  return { ...report, indication, signatures, findings, validationPolicy: policy.name }
}

function judgedBy(policy: ValidationPolicy, signature: SignatureReport): SignatureReport {
  const verdict = signature.certificate && certificateUnder(policy, signature.certificate)
  const findings = withEffects(policy, [
    ...signature.findings.filter((one) => !isOfAlgorithms(one) && !ofVerdicts.has(one.code)),
    ...algorithmFindings(policy, signature),
    ...verdictFindings(verdict),
    ...constraintFindings(policy, signature),
  ])
  return {
    ...signature,
    ...statusOf(signature, findings, verdict),
    certificate: verdict,
    findings,
    counterSignatures: signature.counterSignatures.map((one) => judgedBy(policy, one)),
  }
}

/**
 * What concerns integrity stays, wherever it was concluded from; and so does what is known of the order of times, as of a
 * certificate that was revoked before it signed.
 */
function statusOf(signature: SignatureReport, findings: readonly Finding[], verdict: CertificateVerdict | null) {
  const { kind, indication, mainIndication, subIndication } = signature
  if (ofIntegrity.has(subIndication) || subIndication === 'REVOKED' || subIndication === 'EXPIRED')
    return statusWith({ indication, mainIndication, subIndication }, findings)
  return (kind === 'document-timestamp' ? documentTimestampStatus : signatureStatus)({ findings, verdict })
}

const isOfAlgorithms = ({ code }: Finding): boolean => code === 'algorithm-weak' || code === 'key-too-short'

const ofVerdicts: ReadonlySet<string> = new Set([
  'certificate-not-trusted',
  'certificate-indeterminate',
  'validation-policy-unmet',
])

function verdictFindings(verdict: CertificateVerdict | null): Finding[] {
  if (!verdict || verdict.indication === 'valid') return []
  const reasons = verdict.reasons.map(({ code }) => code).join(', ')
  return [
    finding(verdict.indication === 'invalid' ? 'certificate-not-trusted' : 'certificate-indeterminate', { reasons }),
  ]
}

/** Weak algorithms that were found stay where the policy does not accept them; others join them. */
function algorithmFindings(policy: ValidationPolicy, signature: SignatureReport): Finding[] {
  const at = signature.provenTime.time
  const names = signature.findings.flatMap(({ code, details }) =>
    code === 'algorithm-weak' ? [String(details?.algorithm)] : [],
  )
  const contents = signature.values?.contentDigest?.algorithm
  const all = new Set([...names, signature.algorithm, ...(contents === undefined ? [] : [contents])])
  const weak = [...all].filter((name) => isRefused(policy, name, at))
  const certificate = signature.signer?.certificate
  const isShort = certificate !== undefined && acceptsKey(policy, certificate, at) === false
  return [
    ...weak.map((algorithm) => finding('algorithm-weak', { algorithm })),
    ...(isShort ? [finding('key-too-short', { bits: certificate.keyBits! })] : []),
  ]
}

/** An algorithm the engine does not know is a finding of its own, and no policy's. */
function isRefused(policy: ValidationPolicy, name: string, at: Date): boolean {
  const algorithm = algorithmNamed(name)
  if (algorithm) return !acceptsAlgorithm(policy, algorithm, at)
  return DIGEST.test(name) && !acceptsDigest(policy, name, at)
}

const DIGEST = /^sha/

function certificateUnder(policy: ValidationPolicy, verdict: CertificateVerdict): CertificateVerdict {
  const reasons = [
    ...verdict.reasons.filter(({ code }) => code !== 'algorithm.weak'),
    ...believed(verdict).flatMap((certificate) => weakReasons(policy, certificate, verdict.at)),
    ...staleReasons(policy, verdict),
  ]
  return { ...verdict, reasons, indication: indicationOf(reasons) }
}

/** The anchor is trusted as it is. */
const believed = ({ path, anchor }: CertificateVerdict) => (anchor ? path.slice(0, -1) : path)

function weakReasons(policy: ValidationPolicy, certificate: CertificateReason['certificate'], at: Date) {
  const { signatureAlgorithm, keyType, keyBits } = certificate.hasKnownKey
    ? certificate
    : { signatureAlgorithm: certificate.signatureAlgorithm, keyType: undefined, keyBits: undefined }
  const weak: string[] = []
  if (signatureAlgorithm && !acceptsAlgorithm(policy, signatureAlgorithm, at)) weak.push(signatureAlgorithm.name)
  if (acceptsKey(policy, certificate, at) === false) weak.push(`${keyType} ${keyBits}`)
  return weak.map((algorithm): CertificateReason => ({ code: 'algorithm.weak', certificate, details: { algorithm } }))
}

const MS_PER_HOUR = 3_600_000

function staleReasons({ revocation }: ValidationPolicy, { revocation: statuses, at, reasons }: CertificateVerdict) {
  const { maximumAgeHours } = revocation
  if (maximumAgeHours === null) return []
  const oldest = at.getTime() - maximumAgeHours * MS_PER_HOUR
  return statuses.flatMap(({ certificate, state, producedAt }): CertificateReason[] => {
    const isKnown = reasons.some((reason) => reason.code === 'revocation.stale' && reason.certificate === certificate)
    if (isKnown || state !== 'good' || !producedAt || producedAt.getTime() >= oldest) return []
    return [{ code: 'revocation.stale', certificate, details: { producedAt: producedAt.toISOString() } }]
  })
}

function constraintFindings(policy: ValidationPolicy, signature: SignatureReport): Finding[] {
  if (signature.kind !== 'signature') return []
  const { levels, signaturePolicies, timestamps } = policy
  const unmet: string[] = []
  if (levels && !levels.includes(signature.level)) unmet.push(`level ${signature.level}`)
  const named = signature.policy?.oid
  if (signaturePolicies && !signaturePolicies.some((arc) => named !== undefined && isAtOrUnder(named, arc)))
    unmet.push(`signature policy ${named ?? 'none'}`)
  if (timestamps.required && signature.provenTime.by !== 'timestamp') unmet.push('timestamp')
  return unmet.map((requirement) => finding('validation-policy-unmet', { requirement, policy: policy.name }))
}

/** A policy that was not read but written may ask for what it may not have: that has no effect. */
const withEffects = ({ findings: effects }: ValidationPolicy, found: readonly Finding[]): Finding[] =>
  found.flatMap((one): Finding[] => {
    const effect = effects[one.code]
    if (effect === undefined || !mayHaveEffect(one.code, effect)) return [one]
    return effect === 'ignored' ? [] : [{ ...one, severity: effect }]
  })
