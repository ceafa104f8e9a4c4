import { digestAlgorithms, type SignatureAlgorithm } from '../crypto/algorithms.ts'
import { pairWidthOf } from '../crypto/curves.ts'
import { digest } from '../crypto/digest.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import { type Check, failed, isPassed, notChecked, passed, signatureCheck } from '../report/check.ts'
import { documentIndication, signatureStatus } from '../report/indications.ts'
import { asOf, keyFindings, timestampFindings, verdictFindings } from '../report/part-findings.ts'
import { contentStampedAt, provenAt, provenTimes } from '../report/proven-time.ts'
import {
  type Finding,
  finding,
  type PolicyReport,
  type SignatureLevel,
  type SignatureReport,
  type TimestampReport,
  type ValidationReport,
} from '../report/report.ts'
import { tried } from '../report/tried.ts'
import type { Certificate } from '../x509/certificate.ts'
import { signerReport } from '../x509/signer-report.ts'
import { algorithmNamed, isForbidden, isOnCurve } from './algorithms.ts'
import { claimsOf } from './claims.ts'
import { type OutsideContents, type SignedContent, signedContent } from './content.ts'
import { type CertificateDigest, type JadesHeader, readHeader } from './header.ts'
import { judgeJadesTimestamps, unjudgedFindings } from './judge-timestamps.ts'
import { type Jws, type JwsSignature, readJws } from './jws.ts'
import { componentsOf, materialIn, type UnsignedComponent } from './unsigned.ts'

export interface ValidateJadesOptions extends OutsideContents {
  readonly judge: Judge
  readonly now: Date
  /** Candidates for the signer's certificate that are not in the signature. */
  readonly certificates?: readonly Certificate[]
}

/** Validates every signature of a JWS in any serialization. Bytes that are no JWS, or one of two readings, are refused. */
export async function validateJades(file: Uint8Array, options: ValidateJadesOptions): Promise<ValidationReport> {
  requireArguments('validateJades', { file: [file, 'bytes'] }, options, ['judge', 'now'])
  const jws = readJws(file)
  const signatures: SignatureReport[] = []
  for (const [at, signature] of jws.signatures.entries()) signatures.push(await judged(jws, signature, at, options))
  return {
    format: 'JAdES',
    indication: documentIndication(signatures),
    judgedAt: options.now,
    signatures,
    findings: [],
  }
}

async function judged(
  jws: Jws,
  signature: JwsSignature,
  at: number,
  options: ValidateJadesOptions,
): Promise<SignatureReport> {
  const { judge, now } = options
  const findings: Finding[] = []
  const header = readHeader(signature, findings)
  const components = componentsOf(signature, findings)
  const embedded = materialIn(components, findings)
  const certificates = [...header.chain, ...embedded.certificates, ...(options.certificates ?? [])]
  const material = { certificates, evidence: embedded.evidence }
  const content = tried(findings, () => signedContent(jws, header, options)) ?? UNREADABLE
  findings.push(...content.findings)
  const certificate = signerOf(header, certificates)
  const checked = checkValue(signature, header, certificate, content, findings)
  const certificateBinding = checkBinding(header, certificate, findings)
  const { archived } = content
  const { contentTimestamps } = header
  const known = { judge, now, material, archived, contentTimestamps }
  const timestamps = await judgeJadesTimestamps(signature, components, known, findings)
  findings.push(...timestampFindings(timestamps), ...unjudgedFindings(components))
  // A content timestamp proves nothing: it is older than the signature.
  const provenTime = provenAt(provenTimes(timestamps.filter(({ kind }) => kind !== 'content')), now)
  const verdict = certificate
    ? await judge.certificate(certificate, { at: provenTime.time, now, purpose: 'signing', ...material })
    : null
  findings.push(...verdictFindings(verdict), ...timeFindings(header, provenTime.time, certificate))
  const policy = policyOf(header, findings)
  const claims = claimsOf(signature.header, findings)
  const dated = asOf(provenTime.time, findings)
  return {
    format: 'JAdES',
    kind: 'signature',
    name: `signature ${at + 1}`,
    ...signatureStatus({ findings: dated, verdict, madeAfter: contentStampedAt(timestamps) }),
    signer: certificate ? signerReport(certificate) : null,
    claimedTime: header.signingTime,
    provenTime,
    level: header.signingTime && isPassed(certificateBinding) ? levelOf(components, timestamps) : 'none',
    policy,
    algorithm: checked.algorithm?.name ?? header.alg,
    integrity: { content: checked.content, signature: checked.signature, certificateBinding },
    coverage: { wholeDocument: !content.isPart, description: content.description },
    certificate: verdict,
    timestamps,
    counterSignatures: [],
    ...claims,
    findings: dated,
    values: { contentDigest: contentDigestOf(header), signature: signature.signature, policyDigest: null },
  }
}

const UNREADABLE: SignedContent = {
  payload: undefined,
  check: notChecked('structure-malformed'),
  archived: undefined,
  findings: [],
  description: '',
}

function contentDigestOf({ signedData }: JadesHeader) {
  const [value] = signedData?.hash?.values ?? []
  return value ? { algorithm: signedData!.hash!.digest ?? signedData!.hash!.algorithm, value } : null
}

/** The certificate whose digest the header names, else the first of the chain. */
function signerOf({ chain, digests }: JadesHeader, certificates: readonly Certificate[]): Certificate | undefined {
  const named =
    digests.length > 0 && certificates.find((certificate) => digests.every((one) => names(one, certificate)))
  return named || chain[0]
}

const names = ({ digest: name, value }: CertificateDigest, { der }: Certificate): boolean =>
  name !== undefined && digest(name, der).equals(value)

interface CheckedValue {
  readonly algorithm: SignatureAlgorithm | undefined
  readonly content: Check
  readonly signature: Check
}

/** RFC 7515 §5.2: the value over header and payload. */
function checkValue(
  { protectedText, signature: value }: JwsSignature,
  { alg }: JadesHeader,
  certificate: Certificate | undefined,
  { payload, check }: SignedContent,
  findings: Finding[],
): CheckedValue {
  const row = algorithmNamed(alg, certificate)
  findings.push(...algorithmFindings(alg, certificate))
  if (!certificate) findings.push(finding('signing-certificate-missing'))
  else findings.push(...keyFindings(certificate))
  const isFit = !row || !certificate || isForm(row, certificate, value)
  const signature = isFit
    ? signatureCheck({
        certificate,
        algorithm: row?.algorithm,
        value,
        signed: () => payload && Buffer.concat([Buffer.from(`${protectedText}.`, 'latin1'), payload]),
      })
    : failed
  if (signature.state === 'failed') findings.push(finding('signature-wrong'))
  // Without a digest of its own the content is what the signature is over.
  return {
    algorithm: row?.algorithm,
    signature,
    content: check ?? (isPassed(signature) ? passed : notChecked('digest-absent')),
  }
}

function algorithmFindings(alg: string, certificate: Certificate | undefined): Finding[] {
  if (isForbidden(alg)) return [finding('jades.algorithm-forbidden', { algorithm: alg })]
  return algorithmNamed(alg, certificate) ? [] : [finding('algorithm-unknown', { algorithm: alg })]
}

/** RFC 7518 §3.4: the curve of the algorithm, and r‖s as wide as it: no other encoding of the same value. */
const isForm = (
  row: NonNullable<ReturnType<typeof algorithmNamed>>,
  certificate: Certificate,
  value: Buffer,
): boolean =>
  row.curve === undefined ||
  (certificate.hasKnownKey &&
    isOnCurve(certificate, row) &&
    value.length === 2 * (pairWidthOf(certificate.publicKey) ?? 0))

/** Whether header and signature name this certificate: by digests, or by the chain if that is signed. */
function checkBinding(
  { digests, isChainSigned }: JadesHeader,
  certificate: Certificate | undefined,
  findings: Finding[],
): Check {
  if (!certificate) return notChecked('certificate-missing')
  const unknown = digests.find((one) => one.digest === undefined)
  if (unknown) {
    findings.push(finding('algorithm-unknown', { algorithm: unknown.algorithm }))
    return notChecked('algorithm-unknown')
  }
  findings.push(...digests.flatMap(({ digest: name }) => weakFindings(name!)))
  if (!digests.every((one) => names(one, certificate))) {
    findings.push(finding('signing-certificate-mismatch'))
    return failed
  }
  if (digests.length > 0 || isChainSigned) return passed
  findings.push(finding('signing-certificate-unprotected'))
  return notChecked('certificate-unnamed')
}

const weakFindings = (name: keyof typeof digestAlgorithms): Finding[] =>
  digestAlgorithms[name].sound ? [] : [finding('algorithm-weak', { algorithm: name })]

const TOLERATED_SKEW_MS = 5 * 60_000

function timeFindings({ signingTime }: JadesHeader, proven: Date, certificate: Certificate | undefined): Finding[] {
  if (!signingTime) return [finding('signing-time-missing')]
  if (!certificate) return []
  const isPlausible = signingTime.getTime() <= proven.getTime() + TOLERATED_SKEW_MS && certificate.validAt(signingTime)
  return isPlausible ? [] : [finding('signing-time-implausible', { time: signingTime.toISOString() })]
}

/** ICP-Brasil has no policy for JAdES: whatever is named is unknown. */
function policyOf({ policy }: JadesHeader, findings: Finding[]): PolicyReport | null {
  if (!policy) return null
  const oid = policy.id.replace(/^urn:oid:/, '')
  findings.push(finding('policy-unknown', { oid }))
  return { oid, name: null, uri: null, hashMatches: null, status: 'unknown' }
}

/** The baseline level of TS 119 182-1 §6 reached by a signature that meets B-B. */
function levelOf(components: readonly UnsignedComponent[], timestamps: readonly TimestampReport[]): SignatureLevel {
  const has = (kind: TimestampReport['kind']) =>
    timestamps.some((report) => report.kind === kind && report.indication !== 'invalid')
  const names = new Set(components.map(({ name }) => name))
  if (!has('signature')) return 'B-B'
  if (!(names.has('xVals') && names.has('rVals')) && !names.has('tstVD')) return 'B-T'
  return has('archive') ? 'B-LTA' : 'B-LT'
}
