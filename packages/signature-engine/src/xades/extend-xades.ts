import { identifies } from '../cms/signed-data.ts'
import type { DigestName } from '../crypto/algorithms.ts'
import { digest } from '../crypto/digest.ts'
import type { SigningDigest } from '../crypto/signing-algorithm.ts'
import { requireArguments } from '../errors/arguments.ts'
import type { Judge, ValidationData } from '../judgement/judge-certificate.ts'
import { type PolicyName, policyByOid } from '../policies/policies.ts'
import { isPassed } from '../report/check.ts'
import type { SignatureLevel } from '../report/report.ts'
import { crlIdentity } from '../revocation/crl.ts'
import { ocspIdentity } from '../revocation/ocsp.ts'
import type { TimestampClient } from '../timestamps/timestamp-client.ts'
import { readTimestampToken } from '../timestamps/timestamp-token.ts'
import type { Certificate } from '../x509/certificate.ts'
import { canonicalText } from '../xml/xml-characters.ts'
import { ROOT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { certificateText } from './certificate-text.ts'
import { covers } from './coverage.ts'
import { cutOut } from './cut-out.ts'
import { refuseXades } from './errors.ts'
import { insertUnsigned } from './insert-unsigned.ts'
import { malformed, readSignature, type XmlSignature } from './read-signature.ts'
import { type ExternalContents, resolveReference } from './resolve-reference.ts'
import { certificateReferenceText, digestText, timestampText, wholeSeconds } from './signature-text.ts'
import { findSigningCertificate, readSignedProperties } from './signed-properties.ts'
import { archiveTimestampInput, referencesTimestampInput, signatureTimestampInput } from './timestamp-inputs.ts'
import { contentTimestamps, embeddedMaterial, propertyNames, timestampProperties } from './unsigned-properties.ts'
import { canonicalisations, DS } from './vocabulary.ts'

export interface ExtendXadesOptions {
  /** `promised`: that of the ICP-Brasil policy in the signature. */
  readonly level: ExtendedLevel | 'promised'
  readonly timestamps: TimestampClient
  /** Collects certificates and revocation data; levels above B-T and AD-RT need it. */
  readonly judge?: Judge
  readonly now: Date
  /** Id of the signature; default the last one of the document. */
  readonly signature?: string
  /** For timestamps and references. Default SHA-256. */
  readonly digest?: SigningDigest
  /** Detached contents by URI, and the one content for any URI: archive timestamps protect them too. */
  readonly contents?: Readonly<Record<string, Uint8Array>>
  readonly content?: Uint8Array
  /**
   * Whether the values also hold what validates the signatures this one covers and that have no values of their own, so
   * that its archive keeps them verifiable. Default false; an invalid certificate among them is then refused.
   */
  readonly withCovered?: boolean
}

type ExtendedLevel = Exclude<SignatureLevel, 'none' | 'B-B' | 'AD-RB'>

type Step = 'signature-timestamp' | 'references' | 'references-timestamp' | 'values' | 'archive-timestamp'

/** What each level adds, in order. A step whose property exists is skipped; archive timestamps renew. */
const LEVELS: Readonly<Record<ExtendedLevel, readonly Step[]>> = {
  'B-T': ['signature-timestamp'],
  'B-LT': ['signature-timestamp', 'values'],
  'B-LTA': ['signature-timestamp', 'values', 'archive-timestamp'],
  'AD-RT': ['signature-timestamp'],
  'AD-RV': ['signature-timestamp', 'references', 'references-timestamp'],
  'AD-RC': ['signature-timestamp', 'references', 'references-timestamp', 'values'],
  'AD-RA': ['signature-timestamp', 'references', 'references-timestamp', 'values', 'archive-timestamp'],
}

/** Whether a level is more than what signing alone gives. */
export const needsExtending = (level: SignatureLevel): level is ExtendedLevel => Object.hasOwn(LEVELS, level)

/** Refuses a level with missing dependencies, before a key is used or a document changed. */
export function requireDependencies(level: ExtendedLevel, timestamps: unknown, judge: unknown): void {
  if (timestamps === undefined) throw refuseXades('xades.timestamps-missing', { level })
  if (LEVELS[level].length > 1 && judge === undefined) throw refuseXades('xades.judge-missing', { level })
}

/** Brings a signature to a higher level; on a level it has, adds the next archive timestamp. */
export async function extendXades(document: Uint8Array, options: ExtendXadesOptions): Promise<Buffer> {
  requireArguments('extendXades', { document: [document, 'bytes'] }, options, ['level', 'timestamps', 'now'])
  if (options.level !== 'promised') requireLevel(options.level, options)
  const whole = signatureIn(document, options)
  const level = options.level === 'promised' ? promisedBy(whole) : options.level
  if (level === 'AD-RB') return Buffer.from(document)
  requireLevel(level, options)
  requirePolicy(whole, level)
  const extended = await extendedAlone(whole, level, options)
  if (!LEVELS[level].includes('archive-timestamp')) return extended
  const found = signatureIn(extended, options)
  return insertUnsigned(found.index, found.signature, await archiveText(found, options))
}

function requireLevel(level: ExtendedLevel, { timestamps, judge }: ExtendXadesOptions): void {
  if (!needsExtending(level)) throw refuseXades('xades.level-unknown', { level })
  requireDependencies(level, timestamps, judge)
}

/**
 * All steps but the archive timestamp concern the signature alone, in exclusive canonical forms: they are done on the
 * signature cut out, because scanning a large document after each step would take longer than everything else.
 */
async function extendedAlone(whole: Found, level: ExtendedLevel, options: ExtendXadesOptions): Promise<Buffer> {
  const gathered = { whole, ofTimestamps: new Map<string, ValidationData>() }
  const cut = cutOut(whole.index, whole.signature.element)
  let alone = cut.signature
  for (const step of LEVELS[level]) {
    if (step === 'archive-timestamp') continue
    const found = readFound(scanXml(alone), ROOT)
    const properties = await steps[step](found, options, gathered)
    if (properties !== undefined) alone = insertUnsigned(found.index, found.signature, properties)
  }
  return cut.putBack(alone)
}

interface Found {
  readonly index: XmlIndex
  readonly signature: XmlSignature
}

/** Validation data, fetched once, so that references and values are consistent. */
interface Gathered {
  ofSigner?: ValidationData
  /** By the token in base64. */
  readonly ofTimestamps: Map<string, ValidationData>
}

interface ValidationParts {
  readonly signer: Certificate
  readonly certificates: readonly Certificate[]
  readonly crls: readonly Uint8Array[]
  readonly ocsps: readonly Uint8Array[]
}

type StepAction = (
  /** The signature alone. */
  found: Found,
  options: ExtendXadesOptions,
  gathered: Gathered & { readonly whole: Found },
) => Promise<string | undefined>

function signatureIn(document: Uint8Array, { signature: id }: ExtendXadesOptions): Found {
  const index = scanXml(document)
  const all = index.findAll(DS, 'Signature')
  if (all.length === 0) throw refuseXades('xades.no-signature')
  const named = id === undefined ? all : all.filter((element) => index.attribute(element, 'Id') === id)
  const element = named.at(-1)
  if (element === undefined || (id !== undefined && named.length > 1))
    throw refuseXades('xades.signature-unknown', { id })
  return readFound(index, element)
}

function readFound(index: XmlIndex, element: number): Found {
  const signature = readSignature(index, element)
  if (signature.signedProperties === undefined) throw malformed('it has no XAdES properties')
  return { index, signature }
}

function requirePolicy(found: Found, level: ExtendedLevel): void {
  if (level.startsWith('AD-') && policyNameIn(found) !== level) throw refuseXades('xades.policy-mismatch', { level })
}

function policyNameIn({ index, signature }: Found): PolicyName | undefined {
  const claimed = readSignedProperties(index, signature.signedProperties!).policy
  return claimed === null ? undefined : policyByOid(claimed.oid)?.name
}

function promisedBy(found: Found): PolicyName {
  const promised = policyNameIn(found)
  if (promised === undefined) throw refuseXades('xades.policy-mismatch', { level: 'promised' })
  return promised
}

const FORM = canonicalisations.exclusive.form

const steps: Readonly<Record<Exclude<Step, 'archive-timestamp'>, StepAction>> = {
  async 'signature-timestamp'({ index, signature }, options) {
    if (propertyNames(index, signature).has('SignatureTimeStamp')) return undefined
    return stamped('xades:SignatureTimeStamp', signatureTimestampInput(index, signature, FORM), options)
  },

  async references(found, options, gathered) {
    if (propertyNames(found.index, found.signature).has('CompleteCertificateRefs')) return undefined
    return referencesText(await gather(found, options, gathered), options.digest ?? 'sha256')
  },

  async 'references-timestamp'({ index, signature }, options) {
    if (propertyNames(index, signature).has('SigAndRefsTimeStamp')) return undefined
    const input = referencesTimestampInput(index, signature, FORM, Number.POSITIVE_INFINITY)
    return stamped('xades:SigAndRefsTimeStamp', input, options)
  },

  async values(found, options, gathered) {
    const names = propertyNames(found.index, found.signature)
    if (names.has('CertificateValues') && names.has('RevocationValues')) return undefined
    const covered = options.withCovered ? await coveredData(gathered.whole, options) : []
    return valuesText(merged([await gather(found, options, gathered), ...covered]))
  },
}

async function archiveText(found: Found, options: ExtendXadesOptions): Promise<string> {
  const validationData = await archivedValidationData(found, options)
  if (validationData === undefined) return archived(found, options)
  // The data comes first: the new timestamp has to cover it.
  const extended = insertUnsigned(found.index, found.signature, validationData)
  return validationData + (await archived(signatureIn(extended, options), options))
}

const stamped = async (name: string, input: Uint8Array, options: ExtendXadesOptions): Promise<string> =>
  timestampText(name, (await options.timestamps.stamp(input, { digest: options.digest ?? 'sha256' })).token)

async function archived({ index, signature }: Found, options: ExtendXadesOptions): Promise<string> {
  const input = archiveTimestampInput(index, signature, FORM, Number.POSITIVE_INFINITY, externalContents(options))
  if (input === undefined) throw malformed('a reference cannot be resolved')
  return stamped('xades141:ArchiveTimeStamp', input, options)
}

const externalContents = ({ contents = {}, content }: ExtendXadesOptions): ExternalContents => ({
  find: (uri) => (Object.hasOwn(contents, uri) ? contents[uri] : content),
})

/** On renewal: what validates the last archive timestamp when its own authority no longer exists. */
async function archivedValidationData(
  { index, signature }: Found,
  options: ExtendXadesOptions,
): Promise<string | undefined> {
  const last = timestampProperties(index, signature).findLast(({ kind }) => kind === 'archive')
  if (last === undefined) return undefined
  const data = await Promise.all(last.tokens.map((token) => timestampData(token, options)))
  return `<xades141:TimeStampValidationData>${valuesText(merged(data))}</xades141:TimeStampValidationData>`
}

/** Certificates and revocation data of the signer and of every existing timestamp. */
async function gather(found: Found, options: ExtendXadesOptions, gathered: Gathered): Promise<ValidationParts> {
  const { index, signature } = found
  const { judge, now } = options
  const tokens = timestampProperties(index, signature).flatMap(({ tokens: all }) => all)
  const ofContents = contentTimestamps(index, signature).flatMap(({ tokens: all }) => all)
  const { certificates } = embeddedMaterial(index, signature)
  const properties = readSignedProperties(index, signature.signedProperties!)
  const { certificate, binding } = findSigningCertificate(properties, certificates)
  if (certificate === undefined || !isPassed(binding)) throw malformed('the signing certificate is not in it')
  const at = tokens[0] === undefined ? now : readTimestampToken(tokens[0]).time
  gathered.ofSigner ??= await judge!.validationData(certificate, { at, now, purpose: 'signing', certificates })
  const data = [gathered.ofSigner]
  for (const token of [...tokens, ...ofContents]) {
    const key = token.toString('base64')
    const known = gathered.ofTimestamps.get(key) ?? (await timestampData(token, options))
    gathered.ofTimestamps.set(key, known)
    data.push(known)
  }
  return { signer: certificate, ...merged(data) }
}

/** The same for signatures that this one covers and that lack it. */
async function coveredData({ index, signature }: Found, options: ExtendXadesOptions): Promise<ValidationParts[]> {
  const contents = signature.references.flatMap((reference) => {
    const resolution = resolveReference(index, reference, externalContents(options))
    return 'resolved' in resolution ? [{ reference, resolved: resolution.resolved }] : []
  })
  const data: ValidationParts[] = []
  for (const element of index.findAll(DS, 'Signature')) {
    if (element === signature.element || !covers(index, contents, element)) continue
    const other = readSignature(index, element)
    const names = propertyNames(index, other)
    if (other.signedProperties !== undefined && !(names.has('CertificateValues') && names.has('RevocationValues')))
      data.push(await gather({ index, signature: other }, options, { ofTimestamps: new Map() }))
  }
  return data
}

async function timestampData(token: Uint8Array, { judge, now }: ExtendXadesOptions): Promise<ValidationData> {
  const { time, certificates, signer } = readTimestampToken(token)
  const certificate = certificates.find((candidate) => identifies(signer.identifier, candidate)) ?? certificates[0]
  if (certificate === undefined) throw malformed('a timestamp has no certificate')
  return judge!.validationData(certificate, { at: time, now, purpose: 'timestamping', certificates })
}

function merged(data: readonly Omit<ValidationParts, 'signer'>[]): Omit<ValidationParts, 'signer'> {
  return {
    certificates: [...new Set(data.flatMap(({ certificates }) => certificates))],
    crls: distinct(data.flatMap(({ crls }) => crls)),
    ocsps: distinct(data.flatMap(({ ocsps }) => ocsps)),
  }
}

const distinct = (all: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(all.map((bytes) => [digest('sha256', bytes).toString('hex'), bytes])).values(),
]

function valuesText({ certificates, crls, ocsps }: Omit<ValidationParts, 'signer'>): string {
  const certificateValues = certificates
    .map(
      (one) => `<xades:EncapsulatedX509Certificate>${certificateText(one).base64}</xades:EncapsulatedX509Certificate>`,
    )
    .join('')
  return (
    `<xades:CertificateValues>${certificateValues}</xades:CertificateValues><xades:RevocationValues>` +
    `${listed('CRLValues', 'EncapsulatedCRLValue', crls)}${listed('OCSPValues', 'EncapsulatedOCSPValue', ocsps)}` +
    '</xades:RevocationValues>'
  )
}

function listed(list: string, name: string, values: readonly Uint8Array[]): string {
  if (values.length === 0) return ''
  const items = values.map((value) => `<xades:${name}>${Buffer.from(value).toString('base64')}</xades:${name}>`)
  return `<xades:${list}>${items.join('')}</xades:${list}>`
}

/** TS 101 903 §7.4: the path without the signer's certificate, which is referred to by the signed properties. */
function referencesText({ signer, certificates, crls, ocsps }: ValidationParts, name: DigestName): string {
  const certificateRefs = certificates
    .filter((certificate) => certificate !== signer)
    .map((certificate) => certificateReferenceText(certificate, name, ''))
  return (
    `<xades:CompleteCertificateRefs><xades:CertRefs>${certificateRefs.join('')}</xades:CertRefs>` +
    '</xades:CompleteCertificateRefs><xades:CompleteRevocationRefs>' +
    `${group(
      'CRLRefs',
      crls.map((crl) => crlReferenceText(crl, name)),
    )}` +
    `${group(
      'OCSPRefs',
      ocsps.map((ocsp) => ocspReferenceText(ocsp, name)),
    )}</xades:CompleteRevocationRefs>`
  )
}

const group = (name: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<xades:${name}>${items.join('')}</xades:${name}>`

function crlReferenceText(crl: Uint8Array, name: DigestName): string {
  const { issuer, thisUpdate, number } = crlIdentity(crl)
  const numbered = number === null ? '' : `<xades:Number>${BigInt(`0x${number.toString('hex') || '0'}`)}</xades:Number>`
  return (
    `<xades:CRLRef>${digestOf(crl, name)}<xades:CRLIdentifier><xades:Issuer>${canonicalText(issuer.toString())}</xades:Issuer>` +
    `<xades:IssueTime>${wholeSeconds(thisUpdate)}</xades:IssueTime>${numbered}</xades:CRLIdentifier></xades:CRLRef>`
  )
}

function ocspReferenceText(ocsp: Uint8Array, name: DigestName): string {
  const { responder, producedAt } = ocspIdentity(ocsp)
  const by =
    responder.by === 'name'
      ? `<xades:ByName>${canonicalText(responder.name.toString())}</xades:ByName>`
      : `<xades:ByKey>${responder.keyHash.toString('base64')}</xades:ByKey>`
  return (
    `<xades:OCSPRef><xades:OCSPIdentifier><xades:ResponderID>${by}</xades:ResponderID>` +
    `<xades:ProducedAt>${wholeSeconds(producedAt)}</xades:ProducedAt></xades:OCSPIdentifier>${digestOf(ocsp, name)}</xades:OCSPRef>`
  )
}

const digestOf = (bytes: Uint8Array, name: DigestName): string =>
  `<xades:DigestAlgAndValue>${digestText(name, digest(name, bytes).toString('base64'), '')}</xades:DigestAlgAndValue>`
