import type { Hash } from 'node:crypto'
import type { DigestName } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import { policyByOid } from '../policies/policies.ts'
import { policiesAllow } from '../policies/policy-algorithms.ts'
import { anchorFindings, type PolicyCatalogue, policyReport } from '../policies/policy-catalogue.ts'
import { isPassed } from '../report/check.ts'
import { signatureStatus } from '../report/indications.ts'
import { asOf, timestampFindings, verdictFindings } from '../report/part-findings.ts'
import { contentStampedAt, provenAt, provenTimes } from '../report/proven-time.ts'
import {
  type DigestValue,
  type Finding,
  finding,
  type PolicyReport,
  type SignatureLevel,
  type SignatureReport,
  type TimestampReport,
} from '../report/report.ts'
import { tried } from '../report/tried.ts'
import type { RevocationEvidence } from '../revocation/revocation-evidence.ts'
import type { Certificate } from '../x509/certificate.ts'
import { signerReport } from '../x509/signer-report.ts'
import { judgeSignerTimestamps } from './judge-signer-timestamps.ts'
import { attributeOids, contentTypes } from './oids.ts'
import { claimsOf } from './read-claims.ts'
import { baselineLevel, icpLevel, missingFor } from './signature-level.ts'
import { attributesOf, readSignerInfo, type SignedData, type SignerInfo, valuesOf } from './signed-data.ts'
import { policyOf, signingTimeOf, valuesInAttributes } from './signer-attributes.ts'
import { checkSigner, type SignerCheck } from './signer-checks.ts'

export interface JudgeSignerOptions {
  readonly judge: Judge
  readonly now: Date
  /** PAdES: exactly one signer, no content inside, content type id-data, and no signing time of its own. */
  readonly format: 'CAdES' | 'PAdES'
  /** Digest of the signed content; undefined when the content is not available. */
  readonly contentDigest: (name: DigestName) => Uint8Array | undefined
  /** The content itself; needed only by signatures without signed attributes. */
  readonly content?: Uint8Array | undefined
  /** PAdES: the CMS holds the digest it signs (`adbe.pkcs7.sha1`). Default false. */
  readonly isEmbedded?: boolean
  /** The start of an archive-time-stamp-v2 imprint; needed only by signatures that have one. */
  readonly archiveHash?: ((name: DigestName) => Hash | undefined) | undefined
  /** Lists of policies beyond the engine's own table. */
  readonly policies?: PolicyCatalogue | undefined
  /** Certificates and revocation data kept outside the CMS (a PDF's security store). */
  readonly extraCertificates?: readonly Certificate[] | undefined
  readonly extraEvidence?: RevocationEvidence | undefined
  /** The signature is known to have existed at this time: that of a valid document timestamp over it. */
  readonly latestProof?: Date | undefined
}

/** A signature's report without the fields that only its container knows. */
export type JudgedSigner = Omit<SignatureReport, 'kind' | 'name' | 'coverage'>

/** Limit for nested counter-signatures: nobody needs more, and an attacker would nest without end. */
const MAX_COUNTER_DEPTH = 4

/** Validates one signature of a CMS by EN 319 102-1: integrity, identity, time, certificate, policy. */
export async function judgeSignerInfo(
  signedData: SignedData,
  signer: SignerInfo,
  options: JudgeSignerOptions,
): Promise<JudgedSigner> {
  const check = checkSigner(signer, {
    contentType: options.format === 'PAdES' ? contentTypes.data : signedData.contentType,
    contentDigest: options.contentDigest,
    content: options.content,
    certificates: [...signedData.certificates, ...(options.extraCertificates ?? [])],
  })
  const containerFindings = options.format === 'PAdES' ? padesFindings(signedData, options.isEmbedded ?? false) : []
  return judgeChecked(signedData, signer, check, containerFindings, options, 0)
}

async function judgeChecked(
  signedData: SignedData,
  signer: SignerInfo,
  check: SignerCheck,
  containerFindings: readonly Finding[],
  options: JudgeSignerOptions,
  depth: number,
): Promise<JudgedSigner> {
  const { judge, now } = options
  const findings = [...containerFindings, ...check.findings]
  const material = materialFor(signedData, signer, options, findings)
  const timestamps = await judgeSignerTimestamps(signedData, signer, { ...options, ...material })
  findings.push(...timestampFindings(timestamps))
  const provenTime = provenBy(timestamps, options)
  const { certificate } = check
  const verdict = certificate
    ? await judge.certificate(certificate, { at: provenTime.time, now, purpose: 'signing', ...material })
    : null
  findings.push(...verdictFindings(verdict))
  const claimedTime = tried(findings, () => signingTimeOf(signer)) ?? null
  if (claimedTime && certificate && !isPlausible(claimedTime, provenTime.time, certificate)) {
    findings.push(finding('signing-time-implausible', { time: claimedTime.toISOString() }))
  }
  const policy = policyJudged(signer, check, claimedTime, provenTime, options, findings)
  if (policy) findings.push(...anchorFindings(policy.oid, verdict?.anchor))
  const counterSignatures = await judgeCounterSignatures(signedData, signer, options, findings, depth)
  const claims = claimsOf(signer, findings)
  const dated = asOf(provenTime.time, findings)
  return {
    format: options.format,
    ...signatureStatus({ findings: dated, verdict, madeAfter: contentStampedAt(timestamps) }),
    signer: certificate ? signerReport(certificate) : null,
    claimedTime,
    provenTime,
    level: levelOf(signedData, signer, check, timestamps, policy, options.format),
    policy,
    algorithm: signer.signatureAlgorithm?.name ?? signer.signatureOid,
    integrity: check.integrity,
    certificate: verdict,
    timestamps,
    counterSignatures,
    ...claims,
    findings: dated,
    ...signedValues(signer),
  }
}

/** What cannot be read was reported already, by whoever needed it. */
function signedValues(signer: SignerInfo): Pick<SignatureReport, 'values'> {
  const [digestValue] = valuesOf(signer.signedAttributes, attributeOids.messageDigest)
  const read = tried([], () => ({
    contentDigest: digestValue ? { algorithm: signer.digest ?? signer.digestOid, value: digestValue.octets() } : null,
    signature: signer.signature,
    policyDigest: policyDigest(policyOf(signer)?.hash),
  }))
  return read ? { values: read } : {}
}

const policyDigest = (hash: { digest: DigestName; value: Buffer } | null | undefined): DigestValue | null =>
  hash ? { algorithm: hash.digest, value: hash.value } : null

/** EN 319 142-1 §6.3, ISO 32000-2 §12.8.3.3: constraints on a CMS in a PDF. */
function padesFindings({ signers, content, isDer }: SignedData, isEmbedded: boolean): Finding[] {
  const findings: Finding[] = []
  if (signers.length !== 1)
    findings.push(finding('structure-malformed', { reason: 'there must be exactly one signer' }))
  if (content !== null && !isEmbedded)
    findings.push(finding('structure-malformed', { reason: 'there must be no content inside' }))
  if (!isDer) findings.push(finding('not-der'))
  return findings
}

function materialFor(signedData: SignedData, signer: SignerInfo, options: JudgeSignerOptions, findings: Finding[]) {
  const inside = tried(findings, () => valuesInAttributes(signer))
  const { extraCertificates = [], extraEvidence } = options
  return {
    certificates: [...signedData.certificates, ...(inside?.certificates ?? []), ...extraCertificates],
    evidence: {
      crls: [...signedData.crls, ...(inside?.evidence.crls ?? []), ...(extraEvidence?.crls ?? [])],
      ocsps: [...signedData.ocsps, ...(inside?.evidence.ocsps ?? []), ...(extraEvidence?.ocsps ?? [])],
    },
  }
}

/** The earliest proven time. A content timestamp proves nothing: it is older than the signature. */
function provenBy(
  timestamps: readonly TimestampReport[],
  { now, latestProof }: JudgeSignerOptions,
): SignatureReport['provenTime'] {
  const times = provenTimes(timestamps.filter(({ kind }) => kind !== 'content'))
  return provenAt(latestProof ? [...times, latestProof] : times, now)
}

const TOLERATED_SKEW_MS = 5 * 60_000

const isPlausible = (claimed: Date, proven: Date, certificate: Certificate): boolean =>
  claimed.getTime() <= proven.getTime() + TOLERATED_SKEW_MS && certificate.validAt(claimed)

function policyJudged(
  signer: SignerInfo,
  check: SignerCheck,
  claimedTime: Date | null,
  provenTime: SignatureReport['provenTime'],
  options: JudgeSignerOptions,
  findings: Finding[],
): PolicyReport | null {
  const claim = tried(findings, () => policyOf(signer))
  if (!claim) return null
  // Without a timestamp only the claimed time is known: the policy's period is checked against it.
  const signedAt = provenTime.by === 'timestamp' ? provenTime.time : (claimedTime ?? provenTime.time)
  const { policies, now } = options
  const { report, findings: more } = policyReport({ ...claim, signedAt, now, ...(policies && { policies }) })
  findings.push(...more, ...unmetRequirements(claim.oid, signer, check, options))
  return report
}

/** What the policy requires of the signature beyond validity. */
function unmetRequirements(
  oid: string,
  signer: SignerInfo,
  check: SignerCheck,
  options: JudgeSignerOptions,
): Finding[] {
  const policy = policyByOid(oid)
  if (!policy) return []
  const unmet = (requirement: string) => finding('policy-requirement-unmet', { requirement, policy: policy.name })
  const findings: Finding[] = []
  if (policy.format !== options.format) findings.push(unmet(`format ${policy.format}`))
  const { signatureAlgorithm } = signer
  if (signatureAlgorithm && !policiesAllow(options.format, signatureAlgorithm)) findings.push(unmet('algorithm'))
  if (!check.findings.every(({ code }) => code !== 'signing-certificate-unprotected'))
    findings.push(unmet('signingCertificate'))
  // In a PDF the validation data and archive timestamps are in the document, and checked by its own rules.
  if (options.format === 'CAdES') findings.push(...missingFor(policy.name, signer).map(unmet))
  return findings
}

function levelOf(
  signedData: SignedData,
  signer: SignerInfo,
  check: SignerCheck,
  timestamps: readonly TimestampReport[],
  policy: PolicyReport | null,
  format: JudgeSignerOptions['format'],
): SignatureLevel {
  const hasTime = attributesOf(signer.signedAttributes, attributeOids.signingTime).length === 1
  const bound = isPassed(check.integrity.certificateBinding) && !check.findings.some(isRepeated)
  if (!signer.signedAttributes || !bound) return 'none'
  const form = policy && policyByOid(policy.oid)?.name
  if (form) return icpLevel(form, signer, timestamps)
  return hasTime === (format === 'CAdES') ? baselineLevel(signedData, signer, timestamps) : 'none'
}

const isRepeated = ({ code }: Finding): boolean => code === 'duplicate-attribute'

async function judgeCounterSignatures(
  signedData: SignedData,
  signer: SignerInfo,
  options: JudgeSignerOptions,
  findings: Finding[],
  depth: number,
): Promise<SignatureReport[]> {
  const values = valuesOf(signer.unsignedAttributes, attributeOids.counterSignature)
  if (values.length > 0 && depth >= MAX_COUNTER_DEPTH) {
    findings.push(finding('structure-malformed', { reason: 'counter-signatures are nested too deeply' }))
    return []
  }
  const reports: SignatureReport[] = []
  for (const [at, value] of values.entries()) {
    const counter = tried(findings, () => readSignerInfo(value))
    if (counter) reports.push(await judgeCounterSignature(signedData, signer, counter, options, depth, at))
  }
  return reports
}

/** RFC 5652 §11.4: its content is the signature value it signs. */
async function judgeCounterSignature(
  signedData: SignedData,
  signed: SignerInfo,
  counter: SignerInfo,
  options: JudgeSignerOptions,
  depth: number,
  at: number,
): Promise<SignatureReport> {
  const contentDigest = (name: DigestName) => digest(name, signed.signature)
  const check = checkSigner(counter, {
    contentType: undefined,
    contentDigest,
    content: signed.signature,
    certificates: [...signedData.certificates, ...(options.extraCertificates ?? [])],
  })
  const judged = await judgeChecked(
    signedData,
    counter,
    check,
    [],
    { ...options, contentDigest, archiveHash: undefined },
    depth + 1,
  )
  return {
    ...judged,
    kind: 'counter-signature',
    name: `counter-signature ${at + 1}`,
    coverage: { wholeDocument: false, description: 'the signature value it confirms' },
  }
}
