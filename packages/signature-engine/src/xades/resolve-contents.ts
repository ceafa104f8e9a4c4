import { type DigestName, digestAlgorithms } from '../crypto/algorithms.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type Check, contentCheck, digestCheck, passed, worstCheck } from '../report/check.ts'
import { type Finding, finding } from '../report/report.ts'
import { malformed } from '../report/tried.ts'
import { ROOT, type XmlIndex } from '../xml/xml-index.ts'
import type { ContentReference } from './coverage.ts'
import { refuseXades } from './errors.ts'
import { readManifest, readSignature, type XmlReference, type XmlSignature } from './read-signature.ts'
import { type ExternalContents, isOutside, type Resolved, resolveReference } from './resolve-reference.ts'
import { DS, MANIFEST_TYPE, SIGNED_PROPERTIES_TYPE } from './vocabulary.ts'

/** A signature whose references were followed. */
export interface ReadSignature {
  readonly element: number
  /** Undefined when it is malformed. */
  readonly signature: XmlSignature | undefined
  readonly contents: readonly ContentReference[]
  /** Every reference to a content, also those that could not be followed. */
  readonly references: readonly FollowedReference[]
  /** Whether the reference to the signed properties could be followed. */
  readonly properties: Check
  readonly findings: readonly Finding[]
}

/** A reference to a content, and whether that has the digest that was signed. */
interface FollowedReference {
  readonly reference: XmlReference
  readonly resolved: Resolved | undefined
  readonly check: Check
  readonly findings: readonly Finding[]
  /** Whether it stands in a manifest that the signature covers, not in the signature itself. */
  readonly inManifest: boolean
}

/** Most bytes to canonicalise for all references together: the attacker chooses the number of signatures. */
const MAX_WORK = 2_000_000_000
const MAX_SIGNATURES = 1_000

/** Before anything is read: reading a signature hashes what it refers to. */
export function requireBoundedWork(index: XmlIndex, signatures: number): void {
  const references = index.findAll(DS, 'Reference').length
  if (signatures > MAX_SIGNATURES || references * index.tables.bytes.length > MAX_WORK)
    throw refuseXades('xades.too-much-work')
}

export function readAt(index: XmlIndex, element: number, external: ExternalContents): ReadSignature {
  try {
    const signature = readSignature(index, element)
    return { element, signature, ...resolveContents(index, signature, external) }
  } catch (error) {
    const findings = [malformedFinding(error)]
    return { element, signature: undefined, contents: [], references: [], properties: passed, findings }
  }
}

export function malformedFinding(error: unknown): Finding {
  if (!(error instanceof EngineError)) throw error
  return malformed(error)
}

/** Follows every reference; the one to the signed properties must point to this signature's own. */
function resolveContents(index: XmlIndex, signature: XmlSignature, external: ExternalContents) {
  const { signedProperties } = signature
  const isOneOfSeveral = signature.references.filter(({ uri }) => isOutside(uri)).length > 1
  const followed = signature.references.map((reference) => follow(index, reference, external, { isOneOfSeveral }))
  const isOwn = ({ resolved }: FollowedReference) =>
    signedProperties !== undefined && resolved?.apex === signedProperties
  const claimsProperties = ({ reference }: FollowedReference) => reference.type === SIGNED_PROPERTIES_TYPE
  const ofProperties = followed.filter((one) => isOwn(one) || claimsProperties(one))
  const direct = followed.filter((one) => !ofProperties.includes(one))
  const references = [...direct, ...direct.flatMap((one) => followManifest(index, one, external))]
  const findings = [...followed, ...references.slice(direct.length)].flatMap((one) => one.findings)
  for (const one of ofProperties)
    if (!isOwn(one) && one.resolved !== undefined)
      findings.push(finding('xml.signature-wrapping', { path: index.path(one.resolved.apex ?? ROOT) }))
  // What was never looked at is not unprotected: the problem says enough.
  const isProtected = ofProperties.some((one) => isOwn(one) || one.resolved === undefined)
  if (signature.qualifying !== undefined && !isProtected) findings.push(finding('xml.signed-properties-unprotected'))
  if (references.length === 0 && findings.length === 0)
    findings.push(finding('structure-malformed', { reason: 'no content is signed' }))
  findings.push(...targetFindings(index, signature))
  return { contents: references.flatMap(asContent), references, properties: propertiesCheck(ofProperties), findings }
}

const asContent = ({ reference, resolved }: FollowedReference): ContentReference[] =>
  resolved === undefined ? [] : [{ reference, resolved }]

/** Only what could not be followed: a digest that differs is a finding already. */
const propertiesCheck = (ofProperties: readonly FollowedReference[]): Check =>
  worstCheck(ofProperties.filter(({ resolved }) => resolved === undefined).map(({ check }) => check))

interface FollowOptions {
  /** Whether there are other contents outside the document. */
  readonly isOneOfSeveral: boolean
  readonly inManifest?: boolean
}

function follow(
  index: XmlIndex,
  reference: XmlReference,
  external: ExternalContents,
  { isOneOfSeveral, inManifest = false }: FollowOptions,
): FollowedReference {
  const uri = reference.uri ?? ''
  const resolution = resolveReference(index, reference, external)
  if ('problem' in resolution) {
    const findings = [resolution.problem]
    return { reference, resolved: undefined, check: contentCheck(findings), findings, inManifest }
  }
  const { resolved } = resolution
  const check = digestCheck(reference.digest, reference.value, () => resolved.digest(reference.digest!))
  const isOther = isOneOfSeveral && resolved.source === 'external' && external.isForAny?.(uri)
  // A content given for any of several has not changed: it is another one.
  if (check.state === 'failed' && isOther) {
    const findings = [finding('content-missing', { uri })]
    return { reference, resolved: undefined, check: contentCheck(findings), findings, inManifest }
  }
  const changed = check.state === 'failed' ? [finding('content-changed', { uri })] : []
  const unread = isUnread(index, reference, resolved, inManifest) ? [finding('xml.manifest-unread', { uri })] : []
  const findings = [...digestFindings(reference.digest, reference.digestUri), ...changed, ...unread]
  return { reference, resolved, check: worstCheck([check, contentCheck(unread)]), findings, inManifest }
}

/** A list that nobody follows proves nothing of what it lists: one inside another, or one that is not where its type says. */
function isUnread(index: XmlIndex, { type }: XmlReference, { source, apex }: Resolved, inManifest: boolean): boolean {
  const isManifest = source === 'document' && apex !== undefined && index.is(apex, DS, 'Manifest')
  return isManifest ? inManifest : type === MANIFEST_TYPE
}

/**
 * What a signed manifest lists. XMLDSig §5.1 leaves it to the application whether that counts; here it does, like what
 * the signature lists itself: who signs a list of digests means the contents.
 */
function followManifest(
  index: XmlIndex,
  { resolved }: FollowedReference,
  external: ExternalContents,
): readonly FollowedReference[] {
  const apex = resolved?.source === 'document' ? resolved.apex : undefined
  if (apex === undefined || !index.is(apex, DS, 'Manifest')) return []
  const listed = readManifest(index, apex)
  const isOneOfSeveral = listed.length > 1
  return listed.map((reference) => follow(index, reference, external, { isOneOfSeveral, inManifest: true }))
}

export function digestFindings(name: DigestName | undefined, uri: string): Finding[] {
  if (name === undefined) return [finding('algorithm-unknown', { algorithm: uri })]
  return digestAlgorithms[name].sound ? [] : [finding('algorithm-weak', { algorithm: name })]
}

/** EN 319 132-1 §5.1: the properties say which signature they belong to. */
function targetFindings(index: XmlIndex, { id, qualifying }: XmlSignature): Finding[] {
  if (qualifying === undefined) return []
  if (id !== undefined && index.attribute(qualifying, 'Target') === `#${id}`) {
    return index.elementsWithId(id).length > 1 ? [finding('xml.duplicate-id', { id })] : []
  }
  return [finding('structure-malformed', { reason: 'the properties belong to another signature' })]
}
