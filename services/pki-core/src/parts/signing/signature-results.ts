// The report on a signature in the words of the contract (pki-core facts 2.8).
import { type Finding, findingText, isPassed, type SignatureReport } from '@chancela/signature-engine/report'
import type { ValidationItem, ValidationItemType, ValidationResults } from '../../contract/models.ts'
import type { Culture } from '../../rules/cultures.ts'
import { failed, isValid, passed, type ResultOptions, resultsOf } from '../../rules/validation-results.ts'

type FailedType = Exclude<ValidationItemType, 'Success'>

const typesOf: Readonly<Partial<Record<Finding['code'], FailedType>>> = {
  'no-signature': 'DecodeError',
  'document-unreadable': 'DecodeError',
  // Not given, so it was not seen to differ.
  'content-missing': 'DecodeError',
  'claim-unreadable': 'DecodeError',
  'not-der': 'DecodeError',
  'trailing-bytes': 'DecodeError',
  'pdf.sub-filter-unknown': 'DecodeError',
  'pdf.signature-entry': 'DecodeError',
  'pdf.contents-padding': 'DecodeError',
  'pdf.circular-reference': 'DecodeError',
  'pdf.parser-bomb': 'DecodeError',
  'content-changed': 'MessageDigestMismatch',
  'signature-wrong': 'SignatureAlgorithmValidationFailed',
  'structure-malformed': 'RequiredSignedAttributeMissing',
  'duplicate-attribute': 'RequiredSignedAttributeMissing',
  'algorithm-weak': 'AlgorithmNotAllowed',
  'algorithm-unknown': 'AlgorithmNotAllowed',
  'key-too-short': 'AlgorithmNotAllowed',
  'signing-certificate-missing': 'SigningCertificateNotFound',
  'signing-certificate-mismatch': 'SigningCertificateDigestMismatch',
  'signing-certificate-unprotected': 'SignatureVulnerableToSignerSubstitution',
  'pdf.signer-name-spoofed': 'SignatureVulnerableToSignerSubstitution',
  'pdf.reason-with-policy': 'SignaturePolicyMismatch',
  'signing-time-missing': 'SigningTimeOutOfCertificateValidity',
  'signing-time-implausible': 'SigningTimeOutOfCertificateValidity',
  'policy-unknown': 'UnacceptableSignaturePolicy',
  'validation-policy-unmet': 'UnacceptableSignaturePolicy',
  'policy-hash-mismatch': 'SignaturePolicyMismatch',
  'policy-not-in-force': 'UnacceptableSignaturePolicy',
  'policy-list-stale': 'UnacceptableSignaturePolicy',
  'policy-requirement-unmet': 'SignaturePolicyMismatch',
  'timestamp-invalid': 'InvalidSignatureTimestamp',
  'timestamp-imprint-mismatch': 'InvalidSignatureTimestamp',
  'timestamp-authority-untrusted': 'InvalidSignatureTimestamp',
  'timestamp-unchecked': 'InvalidSignatureTimestamp',
}

/** What came of a file after it was signed counts as a change of what was signed. */
const typeOf = ({ code }: Finding): FailedType =>
  typesOf[code] ?? (code.startsWith('xml.') ? 'XmlDSigCoreValidationFailed' : 'MessageDigestMismatch')

/** The certificate has results of its own, which say more than these. */
const ofCertificate: ReadonlySet<Finding['code']> = new Set(['certificate-not-trusted', 'certificate-indeterminate'])

/** The engine's texts have two languages; the message beside them has all. */
const textOf = (finding: Finding, culture: Culture): string =>
  findingText(finding, culture === 'pt-BR' ? 'pt-BR' : 'en-US')

export function signatureResults(report: SignatureReport, options: ResultOptions): ValidationResults {
  const { culture } = options
  const certificate = certificateItem(report, options)
  const items = (severity: Finding['severity']) =>
    report.findings
      .filter((finding) => finding.severity === severity && !ofCertificate.has(finding.code))
      .map((finding) => failed(typeOf(finding), culture, textOf(finding, culture)))
  const { content, signature } = report.integrity
  const checks = [
    ...(isPassed(content) ? [passed('content', culture)] : []),
    ...(isPassed(signature) ? [passed('signer', culture)] : []),
  ]
  return {
    passedChecks: certificate?.type === 'Success' ? [...checks, certificate] : checks,
    errors: [...(certificate && certificate.type !== 'Success' ? [certificate] : []), ...items('error')],
    warnings: items('warning'),
  }
}

function certificateItem({ certificate }: SignatureReport, options: ResultOptions): ValidationItem | undefined {
  if (!certificate) return undefined
  const inner = resultsOf(certificate, options)
  return isValid(inner)
    ? passed('signingCertificate', options.culture, inner)
    : failed('CertificateValidationFailed', options.culture, null, inner)
}
