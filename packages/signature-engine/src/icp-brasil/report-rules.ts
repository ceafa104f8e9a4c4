import { policyByOid } from '../policies/policies.ts'
import type { Finding, SignatureReport, TimestampReport } from '../report/report.ts'
import { officialRoots } from '../trust/official-roots.ts'
import type { Certificate } from '../x509/certificate.ts'
import { type Holder, holderOf } from '../x509/holder.ts'
import { type BrokenRule, broken } from './broken-rule.ts'
import type { RuleName } from './forecast-rules.ts'
import { ruleOfFinding, ruleOfReason } from './rules-of-findings.ts'

const pinned: ReadonlySet<string> = new Set(officialRoots.map(({ fingerprint }) => fingerprint))

/** Fingerprints of roots that stand for those of ICP-Brasil: of a test PKI, so that its signatures can be forecast. */
export type StandIns = ReadonlySet<string>

/** The rules that what we found out about a signature breaks. */
export function* reportRules(signature: SignatureReport, standIns: StandIns): Iterable<BrokenRule> {
  if (signature.kind === 'document-timestamp') return yield* documentTimestampRules(signature, standIns)
  yield* findingRules(signature.findings)
  yield* certificateRules(signature, standIns)
  yield* policyRules(signature, standIns)
  for (const timestamp of signature.timestamps) yield* timestampRules(timestamp, standIns)
}

const isOfIcpBrasil = (root: Certificate | null | undefined, standIns: StandIns): boolean =>
  root != null && (pinned.has(root.fingerprint) || standIns.has(root.fingerprint))

/** `policy-root` and `root-not-icp-brasil` tell exactly what is wrong with a root. */
const isAboutRoot = ({ code, details }: Finding): boolean =>
  code === 'policy-requirement-unmet' && details?.requirement === 'trust anchor'

function* findingRules(findings: readonly Finding[]): Iterable<BrokenRule> {
  for (const one of findings) {
    const rule = ruleOfFinding[one.code]
    if (rule && !isAboutRoot(one)) yield broken(rule, one.details)
  }
}

function* certificateRules({ certificate, signer }: SignatureReport, standIns: StandIns): Iterable<BrokenRule> {
  for (const { code, certificate: at } of certificate?.reasons ?? []) {
    yield broken(ruleOfReason[code], { certificate: at.subject.commonName ?? at.serialNumberHex })
  }
  const anchor = certificate?.anchor
  if (anchor && !isOfIcpBrasil(anchor, standIns)) {
    yield broken('root-not-icp-brasil', { root: anchor.subject.commonName ?? anchor.fingerprint })
  }
  if (signer) yield* holderRules(holderOf(signer.certificate))
}

/** What each type of certificate may be used for (DOC-ICP-04, DOC-ICP-12, resolution 211); A1 to A4 sign. */
const ruleOfType: Partial<Record<NonNullable<Holder['certificateType']>, RuleName>> = {
  S1: 'certificate-not-for-signing',
  S2: 'certificate-not-for-signing',
  S3: 'certificate-not-for-signing',
  S4: 'certificate-not-for-signing',
  T3: 'certificate-not-for-signing',
  T4: 'certificate-not-for-signing',
  'SE-S': 'company-certificate',
  'SE-H': 'company-certificate',
}

function* holderRules({ certificateType, cpf, cnpj, responsible }: Holder): Iterable<BrokenRule> {
  if (certificateType === null) yield broken('certificate-type-missing')
  const rule = certificateType && ruleOfType[certificateType]
  if (rule) yield broken(rule, { type: certificateType })
  if (!cpf && !cnpj && !responsible?.cpf) yield broken('holder-unnamed')
}

/** RSA and elliptic curves with SHA-256 or SHA-512, and the two Edwards curves outside XML (signature-engine facts C9). */
const policyAlgorithms = /^(RSA|ECDSA)-SHA(256|512)$/
const edwards = /^Ed(25519|448)/

function* policyRules(
  { policy, format, algorithm, certificate }: SignatureReport,
  standIns: StandIns,
): Iterable<BrokenRule> {
  if (!policy) return yield broken('policy-absent')
  const known = policyByOid(policy.oid)
  if (known && known.format !== format) yield broken('policy-of-other-format', { oid: policy.oid })
  if (known?.defect) yield broken('policy-defective', { oid: policy.oid })
  const root = certificate?.anchor?.fingerprint
  if (known && root && !standIns.has(root) && pinned.has(root) && !known.roots.includes(root)) {
    yield broken('policy-root', { oid: policy.oid })
  }
  const isAllowed = policyAlgorithms.test(algorithm) || (edwards.test(algorithm) && format !== 'XAdES')
  if (!isAllowed) yield broken('algorithm-outside-policy', { algorithm })
}

function* timestampRules({ findings, certificate }: TimestampReport, standIns: StandIns): Iterable<BrokenRule> {
  for (const { code, details } of findings) {
    const rule = ruleOfFinding[code]
    if (rule) yield broken(rule, details)
  }
  const isRefused = certificate?.indication === 'invalid'
  if (isRefused) yield broken('timestamp-invalid')
  else if (certificate && !isOfIcpBrasil(certificate.anchor, standIns)) yield broken('timestamp-authority')
}

function* documentTimestampRules({ findings, certificate }: SignatureReport, standIns: StandIns): Iterable<BrokenRule> {
  for (const { code, details } of findings) {
    const rule = ruleOfFinding[code]
    if (rule && rule !== 'policy-absent') yield broken(rule, details)
  }
  if (certificate?.indication === 'invalid') yield broken('timestamp-invalid')
  else if (!isOfIcpBrasil(certificate?.anchor, standIns)) yield broken('timestamp-authority')
}
