import { type JudgedSigner, judgeSignerInfo } from '../cms/judge-signer-info.ts'
import { attributeOids } from '../cms/oids.ts'
import { readSignedData, type SignedData, valuesOf } from '../cms/signed-data.ts'
import type { DigestName } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import type { Judge } from '../judgement/judge-certificate.ts'
import { type Indication, worstOf } from '../judgement/verdict.ts'
import { openPdf, type PdfFile, type PdfPassword, type PdfRevision } from '../pdf/pdf-file.ts'
import { type PdfInput, type PdfSource, sourceOf } from '../pdf/pdf-source.ts'
import type { PolicyCatalogue } from '../policies/policy-catalogue.ts'
import { allUnchecked, isIntact, isPassed } from '../report/check.ts'
import { claimed } from '../report/claims.ts'
import { documentIndication, documentTimestampStatus, signatureStatus, UNREADABLE } from '../report/indications.ts'
import { asOf } from '../report/part-findings.ts'
import { contentStampedAt, earliest, provenAt, provenTimes } from '../report/proven-time.ts'
import {
  type CoverageReport,
  type Finding,
  finding,
  type SignatureReport,
  type TimestampReport,
  type ValidationReport,
} from '../report/report.ts'
import { reasonOf } from '../report/tried.ts'
import { judgeTimestamp } from '../timestamps/judge-timestamp.ts'
import { type PolicyOption, underPolicy } from '../validation-policy/apply-policy.ts'
import { signerReport } from '../x509/signer-report.ts'
import { judgeBareSignature, readBareSignature } from './judge-bare-signature.ts'
import { FieldTrees } from './revisions/field-tree.ts'
import { judgeLaterChanges, type RevisionChanges, revisionChanges } from './revisions/later-changes.ts'
import { permissionsOf } from './revisions/permissions.ts'
import { WorkLimit } from './revisions/work-limit.ts'
import { docMdpLevels, type PermissionLevel } from './signature-locks.ts'
import { type Coverage, coverageOf, onlyWhite } from './validate-byte-range.ts'
import { unpadded } from './validate-contents.ts'
import { nameFindings, type SignatureClaims, signatureClaims } from './validate-dictionary.ts'
import { NOTHING_STORED, type StoredEvidence, storedEvidence } from './validate-evidence.ts'
import { type FoundSignature, findSignatures } from './validate-find-signatures.ts'
import { inPlace, type SalvagedSignature, signaturesInBytes } from './validate-in-part.ts'
import { type LevelParts, levelReached } from './validate-level.ts'
import { lostSignatures } from './validate-lost-signatures.ts'
import { RangeDigests } from './validate-range-digests.ts'
import { findingForRefusal, isVerdict } from './validate-refusals.ts'

export interface ValidatePadesOptions extends PdfPassword, PolicyOption {
  readonly judge: Judge
  readonly now: Date
  /** Lists of signature policies beyond the engine's own table. */
  readonly policies?: PolicyCatalogue
}

/**
 * Validates every signature and document timestamp of a PDF: what bytes each covers, whether it is intact and whose it
 * is, when it is proven to have existed, and whether it permits what was appended after it. A hostile or damaged
 * structure is a verdict; a file that is no PDF, encrypted or of an unsupported kind is refused.
 */
export async function validatePades(document: PdfInput, options: ValidatePadesOptions): Promise<ValidationReport> {
  requireArguments('validatePades', { document: [document, 'pdf'] }, options, ['judge', 'now'])
  return underPolicy(await validateAnyPart(document, options), options.policy)
}

async function validateAnyPart(document: PdfInput, options: ValidatePadesOptions): Promise<ValidationReport> {
  try {
    return await validateFile(openPdf(document, options), options)
  } catch (error) {
    if (!(error instanceof EngineError) || !isVerdict(error)) throw error
    return validateInPart(document, findingForRefusal(error), options)
  }
}

/**
 * A file of which something cannot be read: signatures whose own bytes are whole are judged by them alone. None is valid,
 * for nobody can say what the file shows. Where the newest covers all of it and is intact, that is an open question; else
 * something came after it that may be anything.
 */
async function validateInPart(
  document: PdfInput,
  refusal: Finding,
  options: ValidatePadesOptions,
): Promise<ValidationReport> {
  const candidates = signaturesInBytes(sourceOf(document)).map(salvagedCandidate)
  const limit = new WorkLimit()
  const around: ValidationContext = {
    source: sourceOf(document),
    options,
    limit,
    digests: new RangeDigests(sourceOf(document), []),
    stored: NOTHING_STORED,
    timestamps: [],
  }
  const judged: Judged[] = []
  for (const candidate of candidates) {
    const isTimestamp = candidate.claims.encoding === 'timestamp'
    judged.push(await (isTimestamp ? judgeDocumentTimestamp : judgeSignature)(candidate, around))
  }
  const last = judged.at(-1)
  const isOpen = refusal.code === 'document-unreadable' && last !== undefined && holds(last) && last.coversFile
  const indication = isOpen ? 'indeterminate' : 'invalid'
  const signatures = judged.map((one) => reportInPart(one, refusal, indication))
  return {
    ...reportOf(signatures, [refusal], options.now),
    indication: worstOf([indication, ...indicationsOf(signatures)]),
  }
}

const indicationsOf = (signatures: readonly SignatureReport[]) => signatures.map(({ indication }) => indication)

function salvagedCandidate({ name, dict, ranges, contents, coversFile }: SalvagedSignature): Candidate {
  return {
    found: { dict, fields: [name], field: undefined },
    coverage: { ranges, contents, revision: null, findings: [] },
    claims: signatureClaims(inPlace, dict),
    coversFile,
  }
}

function reportInPart(one: Judged, refusal: Finding, indication: Indication): SignatureReport {
  const { found, coverage, claims, verdict } = one
  const findings = [...claims.findings, ...verdict.findings, refusal]
  const status = statusOf(one, findings)
  return {
    ...verdict,
    kind: kindOf(one),
    name: found.fields[0]!,
    ...(indication === 'invalid' && status.indication !== 'invalid' ? UNREADABLE : status),
    claimedTime: verdict.claimedTime ?? claims.time,
    coverage: { wholeDocument: false, description: `bytes 0 to ${coverage.ranges?.end ?? 0}` },
    findings,
  }
}

async function validateFile(file: PdfFile, options: ValidatePadesOptions): Promise<ValidationReport> {
  const limit = new WorkLimit()
  const trees = new FieldTrees(limit)
  const found = findSignatures(file, trees)
  const candidates = found.map((one) => candidateOf(file, one))
  const lost = lostSignatures(file, found, trees, limit)
  if (candidates.length === 0) return reportOf([], [finding('no-signature'), ...lost], options.now)
  const judged = await judgeAll(file, candidates, options, limit)
  const changes = changesAfterSignatures(file, judged, trees, limit)
  const documentFindings = [...unsignedTail(file), ...lost]
  const rules = statedRules(judged)
  const reports = judged.map((one) => signatureReport(file, one, { changes, rules, documentFindings }))
  return reportOf(reports, documentFindings, options.now)
}

/** The worst of the signatures, and never better than the findings on the file. */
function reportOf(signatures: SignatureReport[], findings: readonly Finding[], judgedAt: Date): ValidationReport {
  const wrong = findings.some(({ severity, code }) => severity === 'error' && code !== 'no-signature')
  return {
    format: 'PAdES',
    indication: wrong ? 'invalid' : documentIndication(signatures),
    judgedAt,
    signatures,
    findings,
  }
}

/** A signature dictionary with the checks that need no CMS. */
interface Candidate {
  readonly found: FoundSignature
  readonly coverage: Coverage
  readonly claims: SignatureClaims
  /** Of one found by its bytes alone: whether it covers the whole file. */
  readonly coversFile?: boolean
}

/** The same with the verdict on its CMS or timestamp token. */
interface Judged extends Candidate {
  readonly verdict: JudgedSigner
  /** Set for document timestamps. */
  readonly timestamp?: TimestampReport
}

const candidateOf = (file: PdfFile, found: FoundSignature): Candidate => {
  const coverage = coverageOf(file, found.dict)
  return { found, coverage, claims: signatureClaims(coverage.revision ?? file, found.dict) }
}

/** Position in the file's history; what covers no revision proves nothing for others and comes first. */
const revisionIndex = ({ coverage }: Candidate): number => coverage.revision?.index ?? -1

/** State of the whole file that validating one signature needs. */
interface ValidationContext {
  readonly source: PdfSource
  readonly options: ValidatePadesOptions
  readonly limit: WorkLimit
  readonly digests: RangeDigests
  readonly stored: StoredEvidence
  /** Document timestamps validated so far, newest first. */
  readonly timestamps: readonly Judged[]
}

/**
 * Newest document timestamp first: a valid one proves what is before it, including other timestamps, so each is
 * validated at the time its successor proves (EN 319 102-1 §5.6). Then the signatures, each with its earliest proof.
 */
async function judgeAll(
  file: PdfFile,
  candidates: readonly Candidate[],
  options: ValidatePadesOptions,
  limit: WorkLimit,
): Promise<Judged[]> {
  const ranges = candidates.flatMap(({ coverage }) => (coverage.ranges && coverage.revision ? [coverage.ranges] : []))
  const timestamps: Judged[] = []
  const around: ValidationContext = {
    source: file.source,
    options,
    limit,
    digests: new RangeDigests(file.source, ranges),
    stored: storedEvidence(file),
    timestamps,
  }
  const byAge = [...candidates].sort((a, b) => revisionIndex(b) - revisionIndex(a))
  for (const candidate of byAge.filter(({ claims }) => claims.encoding === 'timestamp')) {
    timestamps.push(await judgeDocumentTimestamp(candidate, around))
  }
  const signatures = byAge.filter(({ claims }) => claims.encoding !== 'timestamp')
  const judged = await Promise.all(signatures.map((candidate) => judgeSignature(candidate, around)))
  return [...timestamps, ...judged].sort((a, b) => revisionIndex(a) - revisionIndex(b))
}

/** The valid document timestamps over a later revision. */
const laterTimestamps = (candidate: Candidate, { timestamps }: ValidationContext): readonly Judged[] =>
  candidate.coverage.revision
    ? timestamps.filter((one) => isStamped(one) && revisionIndex(one) > revisionIndex(candidate))
    : []

const isStamped = ({ timestamp }: Judged): boolean => timestamp !== undefined && isPassed(timestamp.imprint)

/** The earliest time at which a valid document timestamp proves this signature. */
function proofOf(candidate: Candidate, around: ValidationContext): Date | undefined {
  return earliest(provenTimes(laterTimestamps(candidate, around).flatMap(({ timestamp }) => timestamp ?? [])))
}

async function judgeDocumentTimestamp(candidate: Candidate, around: ValidationContext): Promise<Judged> {
  const { contents } = candidate.coverage
  const { judge, now } = around.options
  const token = contents && tried(() => unpadded(contents.bytes))
  if (!token || token instanceof EngineError) return { ...candidate, verdict: unreadable(candidate, token, now) }
  const provenAt = proofOf(candidate, around)
  const timestamp = await judgeTimestamp(token.cms, contentDigest(candidate, around), {
    judge,
    now,
    kind: 'document',
    ...(provenAt && { provenAt }),
    certificates: around.stored.certificates,
    evidence: around.stored.evidence,
  })
  return { ...candidate, timestamp, verdict: asVerdict(timestamp, token, now) }
}

/** A document timestamp as a signature: by the authority, at its time. */
function asVerdict(timestamp: TimestampReport, { cms, cleanPadding }: Contents, now: Date): JudgedSigner {
  const { time, certificate, imprint, signature, certificateBinding, findings } = timestamp
  const authority = certificate?.path[0]
  return {
    format: 'PAdES',
    ...documentTimestampStatus({ findings, verdict: certificate }),
    signer: authority ? signerReport(authority) : null,
    claimedTime: time,
    provenTime: provenAt(provenTimes([timestamp]), now),
    level: 'none',
    policy: null,
    algorithm: algorithmIn(cms),
    integrity: { content: imprint, signature, certificateBinding },
    certificate,
    timestamps: [timestamp],
    counterSignatures: [],
    findings: [...findings, ...paddingFindings(cleanPadding)],
  }
}

function algorithmIn(token: Uint8Array): string {
  const signedData = tried(() => readSignedData(token))
  if (signedData instanceof EngineError) return ''
  const [signer] = signedData.signers
  return signer?.signatureAlgorithm?.name ?? signer?.signatureOid ?? ''
}

type Contents = ReturnType<typeof unpadded>

async function judgeSignature(candidate: Candidate, around: ValidationContext): Promise<Judged> {
  const { contents } = candidate.coverage
  if (candidate.claims.encoding === 'no-cms') return judgeWithoutCms(candidate, around)
  const { judge, now, policies } = around.options
  const read = contents && tried(() => signedDataIn(contents.bytes))
  const signer = read && !(read instanceof EngineError) ? read.signedData.signers[0] : undefined
  if (!read || read instanceof EngineError || !signer) {
    return { ...candidate, verdict: unreadable(candidate, read instanceof EngineError ? read : null, now) }
  }
  const { signedData, cleanPadding } = read
  const latestProof = proofOf(candidate, around)
  const verdict = await judgeSignerInfo(signedData, signer, {
    judge,
    now,
    format: 'PAdES',
    isEmbedded: candidate.claims.encoding === 'cms-over-sha1',
    contentDigest: signedDigest(candidate, signedData, around),
    ...(!signer.signedAttributes && { content: signedContent(candidate, around) }),
    policies,
    extraCertificates: around.stored.certificates,
    extraEvidence: around.stored.evidence,
    latestProof,
  })
  const more = dictionaryFindings(candidate, signedData, verdict, cleanPadding)
  return {
    ...candidate,
    verdict: withLevel(
      candidate,
      { ...verdict, ...withLocation(candidate, verdict), findings: [...verdict.findings, ...more] },
      around,
    ),
  }
}

async function judgeWithoutCms(candidate: Candidate, around: ValidationContext): Promise<Judged> {
  const { coverage, found, claims } = candidate
  const { judge, now } = around.options
  const view = coverage.revision ?? inPlace
  const read = coverage.contents && tried(() => readBareSignature(view, found.dict, coverage.contents!.bytes))
  if (!read || read instanceof EngineError) return { ...candidate, verdict: unreadable(candidate, read, now) }
  const { certificates: extraCertificates, evidence } = around.stored
  const content = signedContent(candidate, around)
  const latestProof = proofOf(candidate, around)
  const verdict = await judgeBareSignature(read, { judge, now, content, extraCertificates, evidence, latestProof })
  const names = verdict.signer ? nameFindings(claims.name, verdict.signer.certificate) : []
  return {
    ...candidate,
    verdict: { ...verdict, ...withLocation(candidate, verdict), findings: [...verdict.findings, ...names] },
  }
}

/** A PDF has the place in its dictionary; a signer-location beside it, which EN 319 142-1 forbids, gives way. */
const withLocation = ({ claims: { location } }: Candidate, { claims }: JudgedSigner): Pick<JudgedSigner, 'claims'> =>
  location ? claimed({ ...claims, place: { lines: [location] } }) : {}

function signedDataIn(contents: Uint8Array): { signedData: SignedData; cleanPadding: boolean } {
  const { cms, cleanPadding } = unpadded(contents)
  return { signedData: readSignedData(cms), cleanPadding }
}

/** The digest of what the signature covers, or claims to cover when that is not a revision. */
function contentDigest({ coverage: { ranges, revision } }: Candidate, { digests, limit }: ValidationContext) {
  return (name: DigestName): Uint8Array | undefined => {
    if (!ranges) return undefined
    if (revision) return digests.of(ranges, name)
    // Not shared with other signatures: a file with many of them would be hashed as many times.
    limit.spend(ranges.end >> 6)
    return digests.once(ranges, name)
  }
}

/** adbe.pkcs7.sha1 signs the SHA-1 of the bytes, inside the CMS, instead of the bytes (ISO 32000-1 §12.8.3.3.1). */
function signedDigest(candidate: Candidate, { content }: SignedData, around: ValidationContext) {
  const covered = contentDigest(candidate, around)
  if (candidate.claims.encoding !== 'cms-over-sha1' || !content) return covered
  const sha1 = covered('sha1')
  // What is inside but no digest of the file is another content: no digest fits it.
  return (name: DigestName) => sha1 && (content.equals(sha1) ? digest(name, sha1) : Buffer.alloc(0))
}

/** Signatures without signed attributes are made over the content itself; only old tools write them. */
function signedContent(candidate: Candidate, around: ValidationContext) {
  const { claims, coverage } = candidate
  const { ranges } = coverage
  const { source, limit } = around
  if (claims.encoding === 'cms-over-sha1') return contentDigest(candidate, around)('sha1')
  if (!ranges) return undefined
  limit.spend(ranges.end >> 6)
  return Buffer.concat([source.read(0, ranges.firstEnd), source.read(ranges.secondStart, ranges.end)])
}

/** Forbidden combinations of dictionary and CMS (EN 319 142-1 §6.3). */
function dictionaryFindings(
  { claims }: Candidate,
  { signers }: SignedData,
  { policy, signer, provenTime }: JudgedSigner,
  cleanPadding: boolean,
): Finding[] {
  const findings = paddingFindings(cleanPadding)
  if (policy && claims.reason !== undefined) findings.push(finding('pdf.reason-with-policy'))
  if (claims.pades && valuesOf(signers[0]?.signedAttributes, attributeOids.signingTime).length > 0)
    findings.push(finding('pdf.signature-entry', { entry: 'signing-time' }))
  if (signer) findings.push(...nameFindings(claims.name, signer.certificate))
  if (claims.time && claims.time.getTime() > provenTime.time.getTime() + TOLERATED_SKEW_MS)
    findings.push(finding('signing-time-implausible', { time: claims.time.toISOString() }))
  return findings
}

const TOLERATED_SKEW_MS = 5 * 60_000

const paddingFindings = (clean: boolean): Finding[] => (clean ? [] : [finding('pdf.contents-padding')])

function withLevel(candidate: Candidate, verdict: JudgedSigner, around: ValidationContext): JudgedSigner {
  if (!candidate.claims.pades || !candidate.coverage.revision || verdict.level === 'none')
    return { ...verdict, level: 'none' }
  const { level, findings } = levelReached(verdict.policy, levelParts(candidate, verdict, around))
  return { ...verdict, level, findings: [...verdict.findings, ...findings] }
}

// An untrusted timestamp still counts: the level is about form, and trust is reported separately.
function levelParts(candidate: Candidate, { timestamps, signer }: JudgedSigner, around: ValidationContext): LevelParts {
  const { contents } = candidate.coverage
  const { since, certificates, hasEntryFor } = around.stored
  const later = laterTimestamps(candidate, around)
  const vri = contents !== null && hasEntryFor(contents.bytes)
  // A store may contain evidence of other signatures only.
  const isMeant = vri || certificates.some(({ fingerprint }) => fingerprint === signer?.certificate.fingerprint)
  const dataIn = since !== undefined && isMeant ? Math.max(since, revisionIndex(candidate)) : undefined
  return {
    signatureTimestamp: timestamps.some(({ kind, indication }) => kind === 'signature' && indication !== 'invalid'),
    documentTimestamp: later.length > 0,
    validationData: dataIn !== undefined,
    archived: dataIn !== undefined && later.some((one) => revisionIndex(one) > dataIn),
    vri,
  }
}

/** The verdict on a signature without a readable CMS. */
function unreadable({ coverage }: Candidate, error: EngineError | null, now: Date): JudgedSigner {
  // A missing /Contents has been reported already.
  const findings = coverage.contents
    ? [finding('structure-malformed', { reason: error ? reasonOf(error) : 'no signer' })]
    : []
  return {
    format: 'PAdES',
    ...UNREADABLE,
    signer: null,
    claimedTime: null,
    provenTime: { time: now, by: 'now' },
    level: 'none',
    policy: null,
    algorithm: '',
    integrity: allUnchecked('structure-malformed'),
    certificate: null,
    timestamps: [],
    counterSignatures: [],
    findings,
  }
}

const holds = ({ verdict: { integrity } }: Judged): boolean => isIntact(integrity)

/** What was appended after the first signed revision. A signature that is not intact justifies no change. */
function changesAfterSignatures(
  file: PdfFile,
  judged: readonly Judged[],
  trees: FieldTrees,
  limit: WorkLimit,
): RevisionChanges {
  const byDict = new Map(judged.map((one) => [one.found.dict, one]))
  const signed = judged.flatMap(({ coverage }) => (coverage.revision ? [coverage.revision.index] : []))
  if (signed.length === 0) return new Map()
  return revisionChanges(file, Math.min(...signed), trees, limit, (dict) => {
    const one = byDict.get(dict)
    const revision = one?.coverage.revision
    return one && revision && holds(one) ? { kind: kindOf(one), revision } : undefined
  })
}

const kindOf = ({ claims }: Candidate): 'signature' | 'document-timestamp' =>
  claims.encoding === 'timestamp' ? 'document-timestamp' : 'signature'

/** Bytes after the last revision that no cross-reference covers: a reader that repairs files would show them. */
function unsignedTail(file: PdfFile): Finding[] {
  const last = file.revisions.at(-1)!
  const findings: Finding[] = []
  if (!onlyWhite(file.source, last.end, file.source.length)) {
    findings.push(
      finding('pdf.incremental-saving', { reason: 'bytes follow that belong to no revision', from: last.end }),
    )
  }
  // Only in a linearised file's first revision does the newer of two sections come before the older.
  if (file.revisions.some(({ index, sections }) => index > 0 && sections.length > 1)) {
    findings.push(finding('pdf.shadow-hide-and-replace', { reason: 'a cross-reference leads back and forth' }))
  }
  return findings
}

/** A DocMDP rule, and the revision from which on it holds. */
interface StatedRule {
  readonly revision: number
  readonly level: PermissionLevel
}

/** The rules that signatures state themselves, in the catalog or not. One that is not intact widens nothing for others. */
const statedRules = (judged: readonly Judged[]): readonly StatedRule[] =>
  judged
    .filter(holds)
    .flatMap(({ found, coverage: { revision } }) =>
      revision ? docMdpLevels(revision, found.dict).map((level) => ({ revision: revision.index, level })) : [],
    )

/** What holds for the whole file beside one signature. */
interface FileVerdict {
  readonly changes: RevisionChanges
  readonly rules: readonly StatedRule[]
  readonly documentFindings: readonly Finding[]
}

function signatureReport(
  file: PdfFile,
  one: Judged,
  { changes, rules, documentFindings }: FileVerdict,
): SignatureReport {
  const { found, coverage, claims, verdict } = one
  const { revision } = coverage
  const after = revision
    ? judgeLaterChanges(changes, revision, permissionsAfter(found, revision, rules))
    : { laterChanges: [], findings: [] }
  const findings = asOf(verdict.provenTime.time, [
    ...coverage.findings,
    ...sharedFindings(found),
    ...claims.findings,
    ...verdict.findings,
    ...after.findings,
    ...documentFindings,
  ])
  return {
    ...verdict,
    kind: kindOf(one),
    name: found.fields[0] ?? 'DocMDP',
    ...statusOf(one, findings),
    claimedTime: verdict.claimedTime ?? claims.time,
    coverage: { ...coverageReport(file, coverage), laterChanges: after.laterChanges },
    findings,
  }
}

const permissionsAfter = ({ dict, field }: FoundSignature, revision: PdfRevision, rules: readonly StatedRule[]) =>
  permissionsOf({
    view: revision,
    dict,
    field: field?.dict,
    earlier: rules.filter((rule) => rule.revision < revision.index).map(({ level }) => level),
  })

/** The status of a signature with what its dictionary, later changes and the file mean for it. */
function statusOf({ verdict, timestamp }: Judged, findings: readonly Finding[]) {
  const { timestamps, certificate } = verdict
  if (timestamp) return documentTimestampStatus({ findings, verdict: certificate })
  return signatureStatus({ findings, verdict: certificate, madeAfter: contentStampedAt(timestamps) })
}

const sharedFindings = ({ fields }: FoundSignature): Finding[] =>
  fields.length > 1 ? [finding('pdf.signature-shared', { fields: fields.join(', ') })] : []

function coverageReport(file: PdfFile, { revision, ranges }: Coverage): CoverageReport {
  if (!revision || !ranges) return { wholeDocument: false, description: 'no whole revision of the file' }
  const count = file.revisions.length
  const wholeDocument = revision.index === count - 1 && onlyWhite(file.source, ranges.end, file.source.length)
  const bytes = `bytes 0 to ${ranges.end}`
  return {
    wholeDocument,
    description: wholeDocument ? `the whole file, ${bytes}` : `revision ${revision.index + 1} of ${count}, ${bytes}`,
    revision: { number: revision.index + 1, of: count },
  }
}

/** The value, or the refusal that reading it ended with. */
function tried<T>(read: () => T): T | EngineError {
  try {
    return read()
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
}
