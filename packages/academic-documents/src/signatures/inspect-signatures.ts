import type { CertificateReasonCode } from '@chancela/signature-engine/judgement'
import type { Finding, FindingCode, SignatureReport } from '@chancela/signature-engine/report'
import { isInHardware } from './certificate-rules.ts'
import { isAtLeast, type LevelSettings, type SignatureStep } from './plans.ts'
import { type DocumentProblem, type ProblemCode, type ProblemPlace, problem } from './problems.ts'
import { listedPeople, type PlacedSignature, type ProgressOptions, type SigningProgress } from './progress.ts'
import type { AcademicDocument } from './read-document.ts'

export interface SignatureExpectations extends ProgressOptions {
  /** Least level by step; default AD-RT for the inner ones and AD-RA for the one that closes. */
  readonly levels?: LevelSettings
}

/** A placed signature with the engine's report on it. */
interface Judged extends PlacedSignature {
  readonly step: SignatureStep
  readonly report: SignatureReport
}

/** What is wrong with each signature, and with all of them together. Reports are in the order of the outlines. */
export function signatureProblems(
  document: AcademicDocument,
  progress: SigningProgress,
  reports: readonly SignatureReport[],
  expectations: SignatureExpectations,
): DocumentProblem[] {
  const reportOf = new Map(document.signatures.map(({ element }, at) => [element, reports[at]!]))
  const judged = progress.steps.flatMap(({ step, signatures }) =>
    signatures.map((placed) => ({ ...placed, step, report: reportOf.get(placed.signature.element)! })),
  )
  return [
    ...document.signatures.flatMap(({ element, id }) => findingProblems(reportOf.get(element)!, { signature: id })),
    ...judged.flatMap((one) => holderProblems(document, one, expectations)),
    ...orderProblems(judged),
  ]
}

/** The engine's findings in the words of this report; what is not here is an error of the signature when it is one. */
const FINDINGS: Readonly<Partial<Record<FindingCode, ProblemCode | null>>> = {
  'content-changed': 'content-altered',
  'content-missing': 'reference-refused',
  'signature-wrong': 'signature-wrong',
  'structure-malformed': 'signature-malformed',
  'algorithm-weak': 'algorithm-weak',
  'algorithm-unknown': 'algorithm-unknown',
  'key-too-short': 'algorithm-weak',
  'signing-time-implausible': 'time-implausible',
  'policy-unknown': 'policy-unknown',
  'policy-hash-mismatch': 'policy-unmet',
  'policy-not-in-force': 'policy-unmet',
  'policy-requirement-unmet': 'policy-unmet',
  'timestamp-invalid': 'timestamp-invalid',
  'timestamp-imprint-mismatch': 'timestamp-invalid',
  'timestamp-authority-untrusted': 'timestamp-untrusted',
  'timestamp-unchecked': 'timestamp-untrusted',
  'xml.duplicate-id': 'id-duplicate',
  'xml.reference-unresolved': 'reference-refused',
  'xml.reference-external': 'reference-refused',
  'xml.transform-refused': 'reference-refused',
  'xml.signature-wrapping': 'signature-wrapping',
  // Told by the reasons of the certificate's verdict.
  'certificate-not-trusted': null,
  'certificate-indeterminate': null,
}

const REASONS: Readonly<Record<CertificateReasonCode, ProblemCode>> = {
  'chain.no-path': 'certificate-untrusted',
  'chain.untrusted-root': 'certificate-untrusted',
  'chain.untrusted-then': 'certificate-untrusted',
  'chain.wrong-signature': 'certificate-untrusted',
  'chain.not-an-authority': 'certificate-untrusted',
  'chain.path-too-long': 'certificate-untrusted',
  'chain.name-not-permitted': 'certificate-untrusted',
  'chain.unknown-critical-extension': 'certificate-untrusted',
  'validity.expired': 'certificate-expired',
  'validity.not-yet-valid': 'certificate-not-yet-valid',
  'revocation.revoked': 'certificate-revoked',
  'revocation.on-hold': 'certificate-revoked',
  'revocation.unknown': 'revocation-unknown',
  'revocation.stale': 'revocation-unknown',
  'policy.unacceptable': 'certificate-unfit',
  'keyUsage.unfit': 'certificate-unfit',
  'algorithm.weak': 'algorithm-weak',
  'algorithm.unknown': 'algorithm-unknown',
}

function findingProblems({ findings, certificate }: SignatureReport, place: ProblemPlace): DocumentProblem[] {
  const reasons = (certificate?.reasons ?? []).map(({ code, certificate: about }) =>
    problem(REASONS[code], { subject: about.subject.commonName ?? about.subject.toString() }, place),
  )
  return [...findings.flatMap((found) => findingProblem(found, place)), ...reasons]
}

function findingProblem({ code, severity, details = {} }: Finding, place: ProblemPlace): DocumentProblem[] {
  const known = FINDINGS[code]
  if (known === null || severity === 'info') return []
  // Whether the roots are right is the judge's business: it was given them.
  if (code === 'policy-requirement-unmet' && severity === 'warning') return []
  if (known === undefined && severity !== 'error') return []
  const texts = Object.fromEntries(Object.entries(details).map(([name, value]) => [name, String(value)]))
  const reason = texts.reason ?? texts.requirement ?? texts.oid ?? code
  return [problem(known ?? 'signature-malformed', { reason, ...texts }, place)]
}

function holderProblems(
  document: AcademicDocument,
  { step, report, certificate, signer, signature }: Judged,
  { levels = {}, people }: SignatureExpectations,
): DocumentProblem[] {
  const place = { step: step.name, signature: signature.id }
  const least = levels[step.name] ?? (step.covers === 'everything' ? 'AD-RA' : 'AD-RT')
  const expected = document.cnpjs[step.party]
  const listed = step.certificate === 'eCpf' ? listedPeople(document, step, people) : undefined
  const problems: DocumentProblem[] = []
  if (!isAtLeast(report.level, least))
    problems.push(problem('level-insufficient', { found: report.level, expected: least }, place))
  if (step.certificate === 'eCnpj' && signer !== expected)
    problems.push(problem('cnpj-mismatch', { found: signer, expected: expected ?? '?' }, place))
  if (listed !== undefined && !listed.includes(signer))
    problems.push(problem('person-not-listed', { cpf: signer }, place))
  if (!isInHardware(certificate)) problems.push(problem('certificate-in-software', {}, place))
  return problems
}

/** Signatures of a node stand in the order of the plan, and none is older than the one it follows. */
function orderProblems(judged: readonly Judged[]): DocumentProblem[] {
  const problems: DocumentProblem[] = []
  for (const [at, one] of judged.entries())
    for (const earlier of judged.slice(0, at)) {
      const isSameNode = earlier.signature.parent === one.signature.parent
      const isSwapped = isSameNode && earlier.signature.element > one.signature.element
      if (!isSwapped && !isOlder(one.report, earlier.report)) continue
      const code = one.step.covers === 'everything' ? 'signed-after-archive' : 'signature-order'
      problems.push(problem(code, {}, { step: one.step.name, signature: one.signature.id }))
      break
    }
  return problems
}

/** By their own timestamps: an archive over both proves the same time for both. */
function isOlder(one: SignatureReport, other: SignatureReport): boolean {
  const [time, earlier] = [ownTime(one), ownTime(other)]
  return time !== undefined && earlier !== undefined && time < earlier
}

function ownTime({ timestamps }: SignatureReport): number | undefined {
  const times = timestamps.flatMap(({ indication, time }) => (indication === 'valid' && time ? [time.getTime()] : []))
  return times.length === 0 ? undefined : Math.min(...times)
}
