import { type DigestName, digestAlgorithms } from '../crypto/algorithms.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import { policyByOid } from '../policies/policies.ts'
import { policiesAllow } from '../policies/policy-algorithms.ts'
import { anchorFindings, type PolicyCatalogue, policyReport } from '../policies/policy-catalogue.ts'
import {
  allUnchecked,
  type Check,
  contentCheck,
  isPassed,
  notChecked,
  signatureCheck,
  worstCheck,
} from '../report/check.ts'
import { documentIndication, signatureStatus, UNREADABLE } from '../report/indications.ts'
import { asOf, keyFindings, timestampFindings, verdictFindings } from '../report/part-findings.ts'
import { contentStampedAt, earliest, provenAt, provenTimes } from '../report/proven-time.ts'
import {
  type Finding,
  finding,
  type PolicyReport,
  type SignatureLevel,
  type SignatureReport,
  type SignedValues,
  type TimestampReport,
  type ValidationReport,
} from '../report/report.ts'
import { tried } from '../report/tried.ts'
import { type PolicyOption, underPolicy } from '../validation-policy/apply-policy.ts'
import type { Certificate } from '../x509/certificate.ts'
import { signerReport } from '../x509/signer-report.ts'
import { canonicalBytes } from '../xml/canonical-form.ts'
import { NO_ELEMENT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { selectByXPath } from '../xml/xpath-selection.ts'
import { type ContentReference, coverageMask, coverageOf, covers, strayObjects, wrappingFindings } from './coverage.ts'
import { judgeTimestamps } from './judge-timestamps.ts'
import { elementAt, type Place, type XPathPlace } from './place.ts'
import { claimsOf, referenceReports } from './read-claims.ts'
import type { XmlSignature } from './read-signature.ts'
import { digestFindings, malformedFinding, type ReadSignature, readAt, requireBoundedWork } from './resolve-contents.ts'
import type { ExternalContents } from './resolve-reference.ts'
import {
  findSigningCertificate,
  readSignedProperties,
  type SignedProperties,
  type SigningCertificate,
} from './signed-properties.ts'
import { type EmbeddedMaterial, embeddedMaterial, propertyNames } from './unsigned-properties.ts'
import { DS, SIGNED_PROPERTIES_TYPE, XADES } from './vocabulary.ts'
import { baselineLevel, icpLevel, missingFor } from './xades-level.ts'

export interface ValidateXadesOptions extends PolicyOption {
  readonly judge: Judge
  /** Time of the judgement. */
  readonly now: Date
  /** Lists of policies beyond the engine's own table. */
  readonly policies?: PolicyCatalogue
  /** Detached contents by their URI in the signature. Nothing is ever fetched. */
  readonly contents?: Readonly<Record<string, Uint8Array>>
  /** The content of a detached signature, for any URI; of several, for the one it has the digest of. */
  readonly content?: Uint8Array
  /** Finds a detached content by its URI, where `contents` has none. */
  readonly resolve?: (uri: string) => Uint8Array | undefined
  /** Digests of that content, where it stays elsewhere itself. */
  readonly contentDigests?: Readonly<Partial<Record<DigestName, Uint8Array>>>
  /** The element the application will read: a signature that does not cover it is reported as wrapped. */
  readonly reads?: Place | XPathPlace
}

interface Context extends ValidateXadesOptions {
  readonly index: XmlIndex
  readonly external: ExternalContents
  readonly signatures: readonly ReadSignature[]
  readonly readElement: number | undefined
  /** Elements that some signature covers. */
  readonly covered: Uint8Array
  /** Of the signatures judged so far. */
  readonly archives: Archive[]
}

/** A signature with valid archive timestamps: what it covers, other signatures included, existed at that time. */
interface Archive {
  readonly contents: readonly ContentReference[]
  readonly time: Date
  readonly material: EmbeddedMaterial
}

/** Validates every signature of a document, or of a detached content. */
export async function validateXades(document: Uint8Array, options: ValidateXadesOptions): Promise<ValidationReport> {
  requireArguments('validateXades', { document: [document, 'bytes'] }, options, ['judge', 'now'])
  const index = scanXml(document)
  const external = externalContents(options)
  const elements = index.findAll(DS, 'Signature')
  requireBoundedWork(index, elements.length)
  const signatures = elements.map((element) => readAt(index, element, external))
  const readElement = options.reads === undefined ? undefined : await resolvePlace(index, options.reads)
  const covered = coverageMask(
    index,
    signatures.flatMap(({ contents }) => contents),
  )
  const context = { ...options, index, external, signatures, readElement, covered, archives: [] }
  const reports: SignatureReport[] = []
  // From the last to the first: a signature that closes a document stands behind those whose existence it proves.
  for (const found of signatures.toReversed())
    if (!isCounterSignature(index, found.element)) reports.unshift(await judge(context, found))
  const report: ValidationReport = {
    format: 'XAdES',
    indication: documentIndication(reports),
    judgedAt: options.now,
    signatures: reports,
    findings: reports.length === 0 ? [finding('no-signature')] : [],
  }
  return underPolicy(report, options.policy)
}

const resolvePlace = async (index: XmlIndex, place: Place | XPathPlace): Promise<number> =>
  'xpath' in place ? selectByXPath(index, place.xpath, place.namespaces) : elementAt(index, place)

function externalContents(options: ValidateXadesOptions): ExternalContents {
  const { contents = {}, content, contentDigests, resolve } = options
  return {
    find: (uri) => (Object.hasOwn(contents, uri) ? contents[uri] : (resolve?.(uri) ?? content)),
    isForAny: (uri) => !Object.hasOwn(contents, uri) && resolve?.(uri) === undefined,
    digestOf: (_uri, name) => contentDigests?.[name],
  }
}

const isCounterSignature = (index: XmlIndex, element: number): boolean => {
  const parent = index.parent(element)
  return parent !== NO_ELEMENT && index.is(parent, XADES, 'CounterSignature')
}

async function judge(context: Context, found: ReadSignature): Promise<SignatureReport> {
  const { index } = context
  const { signature } = found
  if (signature === undefined) return malformedReport(context, found)
  const findings = [...found.findings]
  const properties = tried(findings, () => propertiesOf(index, signature))
  const archives = context.archives.filter(({ contents }) => covers(index, contents, found.element))
  const material = archives.map((archive) => archive.material).reduce(joined, embeddedMaterial(index, signature))
  const { certificate, binding } = certificateOf(properties, material.certificates, findings)
  const certificateBinding = worstCheck([found.properties, binding])
  const signatureValue = checkSignature(index, signature, certificate, findings)
  const archivedAt = archives.map(({ time }) => time)
  const existedAt = earliest(archivedAt) ?? context.now
  const timestamps = await readableTimestamps({ ...context, existedAt }, signature, material, findings)
  findings.push(...timestampFindings(timestamps))
  // A content timestamp proves nothing of the signature, which is younger.
  const ofSignature = timestamps.filter(({ kind }) => kind !== 'content')
  const provenTime = provenAt([...provenTimes(ofSignature), ...archivedAt], context.now)
  const archived = earliest(provenTimes(timestamps.filter(({ kind }) => kind === 'archive')))
  if (archived) context.archives.push({ contents: found.contents, time: archived, material })
  const verdict =
    certificate === undefined
      ? null
      : await context.judge.certificate(certificate, {
          at: provenTime.time,
          now: context.now,
          purpose: 'signing',
          ...material,
        })
  findings.push(...verdictFindings(verdict))
  const claimedTime = properties?.signingTime ?? null
  findings.push(...timeFindings(claimedTime, properties, provenTime.time, certificate))
  const policy = judgePolicy(context, signature, properties, provenTime, findings)
  if (policy) findings.push(...anchorFindings(policy.oid, verdict?.anchor))
  const coverage = { ...coverageOf(index, signature, found.contents), references: referenceReports(index, found) }
  const isCounter = isCounterSignature(index, found.element)
  if (isCounter) findings.push(...counterFindings(index, found))
  else findings.push(...coverageFindings(context, found, coverage.wholeDocument))
  const claims = signature.signedProperties === undefined ? {} : claimsOf(index, signature.signedProperties, findings)
  const dated = asOf(provenTime.time, findings)
  return {
    format: 'XAdES',
    kind: isCounter ? 'counter-signature' : 'signature',
    name: signature.id ?? index.path(signature.element),
    ...signatureStatus({ findings: dated, verdict, madeAfter: contentStampedAt(timestamps) }),
    signer: certificate === undefined ? null : signerReport(certificate),
    claimedTime,
    provenTime,
    level: isPassed(certificateBinding) ? levelOf(context, signature, properties, timestamps) : 'none',
    policy,
    algorithm: signature.algorithm?.name ?? signature.algorithmUri,
    integrity: { content: contentCheck(found.findings), signature: signatureValue, certificateBinding },
    coverage,
    certificate: verdict,
    timestamps,
    counterSignatures: await judgeCounterSignatures(context, signature),
    ...claims,
    findings: dated,
    values: signedValues(signature, properties),
  }
}

function signedValues({ references, value }: XmlSignature, properties: SignedProperties | undefined): SignedValues {
  const content = references.find(({ type }) => type !== SIGNED_PROPERTIES_TYPE)
  const hash = properties?.policy?.hash
  return {
    contentDigest: content ? { algorithm: content.digest ?? content.digestUri, value: content.value } : null,
    signature: value,
    policyDigest: hash ? { algorithm: hash.digest, value: Buffer.from(hash.value) } : null,
  }
}

function malformedReport({ index, now }: Context, { element, findings }: ReadSignature): SignatureReport {
  return {
    format: 'XAdES',
    kind: isCounterSignature(index, element) ? 'counter-signature' : 'signature',
    name: index.attribute(element, 'Id') ?? index.path(element),
    ...UNREADABLE,
    signer: null,
    claimedTime: null,
    provenTime: { time: now, by: 'now' },
    level: 'none',
    policy: null,
    algorithm: '',
    integrity: allUnchecked('structure-malformed'),
    coverage: { wholeDocument: false, description: '' },
    certificate: null,
    timestamps: [],
    counterSignatures: [],
    findings,
  }
}

export const propertiesOf = (index: XmlIndex, { signedProperties }: XmlSignature): SignedProperties | undefined =>
  signedProperties === undefined ? undefined : readSignedProperties(index, signedProperties)

/** The certificate whose digest was signed; problems with it are reported. */
export function certificateOf(
  properties: SignedProperties | undefined,
  candidates: readonly Certificate[],
  findings: Finding[],
): SigningCertificate {
  const found = findSigningCertificate(properties, candidates)
  const [named] = properties?.certificates ?? []
  if (found.certificate === undefined) findings.push(finding('signing-certificate-missing'))
  else if (named === undefined) findings.push(finding('signing-certificate-unprotected'))
  else {
    findings.push(...digestFindings(named.digest, 'CertDigest'))
    if (found.binding.state === 'failed') findings.push(finding('signing-certificate-mismatch'))
  }
  return found
}

export function checkSignature(
  index: XmlIndex,
  { signedInfo, form, algorithm, algorithmUri, value }: XmlSignature,
  certificate: Certificate | undefined,
  findings: Finding[],
): Check {
  if (algorithm === undefined) findings.push(finding('algorithm-unknown', { algorithm: algorithmUri }))
  else if (!digestAlgorithms[algorithm.digest].sound)
    findings.push(finding('algorithm-weak', { algorithm: algorithm.name }))
  if (certificate) findings.push(...keyFindings(certificate))
  if (form === undefined) {
    findings.push(finding('algorithm-unknown', { algorithm: 'CanonicalizationMethod' }))
    return notChecked('algorithm-unknown')
  }
  const signed = () => tried(findings, () => canonicalBytes(index, form, { apex: signedInfo }))
  const check = signatureCheck({ certificate, algorithm, value, signed })
  if (check.state === 'failed') findings.push(finding('signature-wrong'))
  return check
}

const joined = (a: EmbeddedMaterial, b: EmbeddedMaterial): EmbeddedMaterial => ({
  certificates: [...a.certificates, ...b.certificates],
  evidence: {
    crls: [...a.evidence.crls, ...b.evidence.crls],
    ocsps: [...a.evidence.ocsps, ...b.evidence.ocsps],
  },
})

async function readableTimestamps(
  context: Context & { readonly existedAt: Date },
  signature: XmlSignature,
  material: EmbeddedMaterial,
  findings: Finding[],
): Promise<TimestampReport[]> {
  const { index, external } = context
  try {
    return await judgeTimestamps(index, signature, { ...context, ...material, contents: external })
  } catch (error) {
    findings.push(finding('timestamp-invalid', { reason: String(malformedFinding(error).details?.reason) }))
    return []
  }
}

const TOLERATED_SKEW_MS = 5 * 60_000

function timeFindings(
  claimed: Date | null,
  properties: SignedProperties | undefined,
  proven: Date,
  certificate: Certificate | undefined,
): Finding[] {
  if (properties === undefined || certificate === undefined) return []
  if (claimed === null) return [finding('signing-time-missing')]
  const isPlausible = claimed.getTime() <= proven.getTime() + TOLERATED_SKEW_MS && certificate.validAt(claimed)
  return isPlausible ? [] : [finding('signing-time-implausible', { time: claimed.toISOString() })]
}

function judgePolicy(
  { index, policies, now }: Context,
  signature: XmlSignature,
  properties: SignedProperties | undefined,
  provenTime: SignatureReport['provenTime'],
  findings: Finding[],
): PolicyReport | null {
  const claim = properties?.policy
  if (!claim) return null
  // Without a timestamp only the claimed time is known: the policy's period is checked against it.
  const signedAt = provenTime.by === 'timestamp' ? provenTime.time : (properties.signingTime ?? provenTime.time)
  const { report, findings: more } = policyReport({ ...claim, signedAt, now, ...(policies && { policies }) })
  findings.push(...more)
  const policy = policyByOid(claim.oid)
  if (policy !== undefined) {
    const unmet = (requirement: string) =>
      findings.push(finding('policy-requirement-unmet', { requirement, policy: policy.name }))
    if (policy.format !== 'XAdES') unmet(`format ${policy.format}`)
    if (!properties.hasFirstForm) unmet('SigningCertificate')
    if (claim.hash === null) unmet('SigPolicyHash')
    if (signature.algorithm && !policiesAllow('XAdES', signature.algorithm)) unmet('algorithm')
    for (const missing of missingFor(policy.name, propertyNames(index, signature))) unmet(missing)
  }
  return report
}

function levelOf(
  { index }: Context,
  signature: XmlSignature,
  properties: SignedProperties | undefined,
  timestamps: readonly TimestampReport[],
): SignatureLevel {
  const names = propertyNames(index, signature)
  const form = properties?.policy && policyByOid(properties.policy.oid)?.name
  if (form) return icpLevel(form, names, timestamps)
  return properties?.signingTime ? baselineLevel(names, timestamps) : 'none'
}

function coverageFindings(
  { index, readElement, covered }: Context,
  { signature, contents }: ReadSignature,
  isWhole: boolean,
): Finding[] {
  const findings = wrappingFindings(index, contents, covered)
  if (readElement !== undefined && !covers(index, contents, readElement))
    findings.push(finding('xml.signature-wrapping', { path: index.path(readElement) }))
  if (!isWhole && contents.length > 0) findings.push(finding('xml.partial-coverage'))
  for (const object of strayObjects(index, signature, contents))
    findings.push(finding('xml.partial-coverage', { path: index.path(object) }))
  return findings
}

/** EN 319 132-1 §5.2.7: a counter-signature signs the value of the signature that contains it. */
function counterFindings(index: XmlIndex, { element, contents }: ReadSignature): Finding[] {
  let outer = index.parent(element)
  while (outer !== NO_ELEMENT && !index.is(outer, DS, 'Signature')) outer = index.parent(outer)
  const [value] = outer === NO_ELEMENT ? [] : index.childrenNamed(outer, DS, 'SignatureValue')
  const isCovered = contents.some(({ resolved }) => resolved.source === 'document' && resolved.apex === value)
  return isCovered ? [] : [finding('xml.signature-wrapping', { path: index.path(element) })]
}

async function judgeCounterSignatures(context: Context, { unsigned }: XmlSignature): Promise<SignatureReport[]> {
  const { index, signatures } = context
  if (unsigned === undefined) return []
  const holders = index.childrenNamed(unsigned, XADES, 'CounterSignature')
  const reports: SignatureReport[] = []
  for (const found of signatures)
    if (holders.includes(index.parent(found.element))) reports.push(await judge(context, found))
  return reports
}
