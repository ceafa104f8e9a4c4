import type { DigestName, SignatureAlgorithm } from '../crypto/algorithms.ts'
import { readDigestIdentifier, readSignatureIdentifier } from '../crypto/read-identifiers.ts'
import { type DerValue, readDer } from '../der/der-value.ts'
import { fromBer } from '../der/from-ber.ts'
import { contextConstructed, contextPrimitive, tags } from '../der/tags.ts'
import { EngineError } from '../errors/engine-error.ts'
import { Certificate } from '../x509/certificate.ts'
import { DistinguishedName } from '../x509/distinguished-name.ts'
import { refuseCms } from './errors.ts'
import { contentTypes, OCSP_RESPONSE_FORMAT } from './oids.ts'

/** Far above what signatures have, far below what would block a validator. */
const limits = { signers: 256, certificates: 4_096, 'revocation lists and answers': 4_096, attributes: 1_024 } as const

/** An attribute with its original bytes. */
export interface Attribute {
  readonly oid: string
  readonly values: readonly DerValue[]
  readonly raw: Buffer
}

/** How a SignerInfo names its certificate. */
export type SignerIdentifier =
  | { readonly issuer: DistinguishedName; readonly serialNumber: Buffer }
  | { readonly keyIdentifier: Buffer }

/** One signature of a SignedData (RFC 5652 §5.3), with the original bytes of everything signed. */
export interface SignerInfo {
  readonly raw: Buffer
  readonly version: number
  readonly identifier: SignerIdentifier
  readonly digestOid: string
  /** Undefined for an unknown algorithm. */
  readonly digest: DigestName | undefined
  /** Undefined: signed without attributes, directly over the content. */
  readonly signedAttributes: readonly Attribute[] | undefined
  /** The signed attributes as they were signed: a SET OF. */
  readonly toBeSigned: Buffer | undefined
  readonly signatureOid: string
  readonly signatureAlgorithm: SignatureAlgorithm | undefined
  readonly signature: Buffer
  readonly unsignedAttributes: readonly Attribute[]
  /** Version, identifier, digest algorithm, signed attributes, signature algorithm and signature: original bytes. */
  readonly signedPart: Buffer
}

/** A CMS SignedData (RFC 5652 §5.1), read in place. */
export interface SignedData {
  readonly version: number
  /** AlgorithmIdentifiers in their original bytes. */
  readonly digestAlgorithms: readonly Buffer[]
  readonly contentType: string
  /** EncapsulatedContentInfo in its original bytes. */
  readonly encapsulated: Buffer
  /** Null: detached. */
  readonly content: Buffer | null
  readonly certificates: readonly Certificate[]
  /** CertificateChoices in their original bytes, including those that are no X.509 certificate. */
  readonly certificateChoices: readonly Buffer[]
  /** RevocationInfoChoices in their original bytes. */
  readonly revocationChoices: readonly Buffer[]
  /** CertificateLists among them. */
  readonly crls: readonly Buffer[]
  /** OCSPResponses among them. */
  readonly ocsps: readonly Buffer[]
  readonly signers: readonly SignerInfo[]
  /** Whether the bytes were DER; PDF allows nothing else. */
  readonly isDer: boolean
}

/** Reads ContentInfo(SignedData). BER is accepted too; the signed bytes keep their encoding. */
export function readSignedData(bytes: Uint8Array): SignedData {
  try {
    const der = fromBer(bytes)
    return signedDataOf(contentInfo(readDer(der)), der === bytes)
  } catch (error) {
    throw malformed(error)
  }
}

/** Reads one SignerInfo by itself: a counter-signature is one. */
export function readSignerInfo(value: DerValue): SignerInfo {
  try {
    return signerInfo(value)
  } catch (error) {
    throw malformed(error)
  }
}

/** The attributes of one type. */
export const attributesOf = (attributes: readonly Attribute[] | undefined, oid: string): readonly Attribute[] =>
  (attributes ?? []).filter((attribute) => attribute.oid === oid)

/** Every value of every attribute of one type. */
export const valuesOf = (attributes: readonly Attribute[] | undefined, oid: string): readonly DerValue[] =>
  attributesOf(attributes, oid).flatMap(({ values }) => values)

/** The signer of this position. */
export function signerAt(signedData: SignedData, index: number): SignerInfo {
  const signer = signedData.signers[index]
  if (!signer) throw refuseCms('cms.no-such-signer', { index })
  return signer
}

/** Whether this is the certificate a SignerInfo names. */
export const identifies = (identifier: SignerIdentifier, certificate: Certificate): boolean =>
  'keyIdentifier' in identifier
    ? (certificate.extensions.subjectKeyIdentifier?.equals(identifier.keyIdentifier) ?? false)
    : certificate.serialNumber.equals(identifier.serialNumber) && certificate.issuer.equals(identifier.issuer)

// Errors of the DER reader contain an offset; here they get the name of the structure. Other refusals stay.
function malformed(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.code.startsWith('cms.')) return error
  return refuseCms('cms.malformed', { reason: error.message }, error)
}

function contentInfo(value: DerValue): DerValue {
  const fields = value.sequence()
  const type = fields.next().oid()
  if (type !== contentTypes.signedData) throw refuseCms('cms.not-signed-data', { type })
  const content = fields.next(contextConstructed(0)).unwrap()
  fields.end()
  return content
}

function signedDataOf(value: DerValue, isDer: boolean): SignedData {
  const fields = value.sequence()
  const version = fields.next().smallInteger()
  const digestAlgorithms = fields.next(tags.set).members()
  const encapsulated = fields.next(tags.sequence)
  const certificateChoices = bounded('certificates', fields.optional(contextConstructed(0))?.members() ?? [])
  const revocationChoices = bounded(
    'revocation lists and answers',
    fields.optional(contextConstructed(1))?.members() ?? [],
  )
  const signers = bounded('signers', fields.next(tags.set).members())
  fields.end()
  return {
    version,
    digestAlgorithms: digestAlgorithms.map(({ raw }) => raw),
    ...encapsulatedContent(encapsulated),
    certificates: certificateChoices.flatMap(certificateOf),
    certificateChoices: certificateChoices.map(({ raw }) => raw),
    revocationChoices: revocationChoices.map(({ raw }) => raw),
    crls: revocationChoices.filter(({ tag }) => tag === tags.sequence).map(({ raw }) => raw),
    ocsps: revocationChoices.flatMap(ocspOf),
    signers: signers.map(signerInfo),
    isDer,
  }
}

function encapsulatedContent(value: DerValue): Pick<SignedData, 'contentType' | 'encapsulated' | 'content'> {
  const fields = value.sequence()
  const contentType = fields.next().oid()
  const content = fields.optional(contextConstructed(0))?.unwrap().octets() ?? null
  fields.end()
  return { contentType, encapsulated: value.raw, content }
}

/** Empty for what is no X.509 certificate (attribute certificates), or cannot be parsed: it proves nothing. */
function certificateOf(choice: DerValue): Certificate[] {
  if (choice.tag !== tags.sequence) return []
  try {
    return [Certificate.read(choice.raw)]
  } catch (error) {
    if (error instanceof EngineError) return []
    throw error
  }
}

/** RFC 5940 §2.1: `[1] { id-ri-ocsp-response, OCSPResponse }`. */
function ocspOf(choice: DerValue): Buffer[] {
  if (choice.tag !== contextConstructed(1)) return []
  const fields = choice.inside()
  return fields.next().oid() === OCSP_RESPONSE_FORMAT ? [fields.next().raw] : []
}

function signerInfo(value: DerValue): SignerInfo {
  const fields = value.sequence()
  const version = fields.next(tags.integer)
  const identifier = fields.next()
  const digestIdentifier = fields.next()
  const digest = readDigestIdentifier(digestIdentifier)
  const signed = fields.optional(contextConstructed(0))
  const algorithm = fields.next(tags.sequence)
  const signatureOid = algorithm.sequence().next().oid()
  const signature = fields.next(tags.octetString)
  const unsigned = fields.optional(contextConstructed(1))
  fields.end()
  return {
    raw: value.raw,
    version: version.smallInteger(),
    identifier: signerIdentifier(identifier),
    digestOid: digestIdentifier.sequence().next().oid(),
    digest,
    signedAttributes: signed && readAttributes(signed),
    toBeSigned: signed && asSet(signed.raw),
    signatureOid,
    // rsaEncryption names no digest: the SignerInfo's counts. PSS names its own.
    signatureAlgorithm: readSignatureIdentifier(algorithm, digest),
    signature: signature.octets(),
    unsignedAttributes: unsigned ? readAttributes(unsigned) : [],
    signedPart: value.raw.subarray(version.start - value.start, signature.end - value.start),
  }
}

function signerIdentifier(value: DerValue): SignerIdentifier {
  if (value.tag === contextPrimitive(0)) return { keyIdentifier: value.content }
  const fields = value.sequence()
  const issuer = new DistinguishedName(fields.next(tags.sequence).raw)
  const serialNumber = fields.next().integer()
  fields.end()
  return { issuer, serialNumber }
}

function readAttributes(set: DerValue): Attribute[] {
  return bounded('attributes', set.members()).map((value) => {
    const fields = value.sequence()
    const oid = fields.next().oid()
    const values = fields.next(tags.set).members()
    fields.end()
    return { oid, values: bounded('attributes', values), raw: value.raw }
  })
}

/** RFC 5652 §5.4: stored under [0], signed as SET OF. */
function asSet(tagged: Buffer): Buffer {
  const set = Buffer.from(tagged)
  set[0] = tags.set
  return set
}

function bounded<T>(what: keyof typeof limits, values: T[]): T[] {
  if (values.length > limits[what]) throw refuseCms('cms.too-many', { what, limit: limits[what] })
  return values
}
