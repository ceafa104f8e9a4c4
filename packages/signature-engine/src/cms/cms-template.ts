import {
  type DigestName,
  digestAlgorithms,
  type KeyType,
  type SignatureAlgorithm,
  signatureAlgorithms,
} from '../crypto/algorithms.ts'
import { ecdsaToDer } from '../crypto/ecdsa-encoding.ts'
import { type SigningDigest, signingAlgorithm } from '../crypto/signing-algorithm.ts'
import { type Der, implicit, integer, oid, sequence, setOf } from '../der/der-writer.ts'
import type { Certificate } from '../x509/certificate.ts'
import { digestIdentifiers, signatureIdentifier } from './algorithm-identifiers.ts'
import { derHeader, encapsulatedHeader, headerLength } from './der-header.ts'
import { refuseCms } from './errors.ts'
import { contentTypes } from './oids.ts'
import {
  contentTypeAttribute,
  messageDigestAttribute,
  type PolicyReference,
  policyAttribute,
  serialNumber,
  signingCertificateAttribute,
  signingTimeAttribute,
} from './signed-attributes.ts'

/** What determines a CMS signature apart from its content. */
export interface CmsSigner {
  readonly certificate: Certificate
  /** Issuers to include, nearest first; a root among them is left out of the signature. */
  readonly chain: readonly Certificate[]
  /** Default SHA-256; Ed25519 always goes with SHA-512 and Ed448 with SHAKE256 (RFC 8419 §3.1). */
  readonly digest?: SigningDigest | undefined
  readonly policy?: PolicyReference | undefined
  /** The time the signer claims, for CAdES; a PDF has it in the signature dictionary, and it is forbidden here. */
  readonly signingTime?: Date | undefined
  /** A counter-signature signs a signature value, and RFC 5652 §11.4 forbids it a content type. Default false. */
  readonly counterSignature?: boolean
  /** Further signed attributes, such as claims; each of a type that the engine does not write by itself. */
  readonly furtherAttributes?: readonly Der[] | undefined
}

export interface CmsSigningOptions extends CmsSigner {
  /** Digest of the content, by `contentDigestName`. */
  readonly contentDigest: Uint8Array
}

/** A signature that lacks only the signature value. Its parts are plain bytes, so that a signing state can hold it. */
export interface PreparedCms {
  readonly certificate: Certificate
  readonly algorithm: SignatureAlgorithm
  /** The signed attributes as SET OF: what the key signs (RFC 5652 §5.4). */
  readonly toSign: Buffer
  /** SignedData.certificates, `[0]`-tagged. */
  readonly certificates: Uint8Array
}

// Everything that depends only on certificate, chain, digest and policy is encoded once; a signature then costs one
// copy of the attributes with digest and time patched in, and one concatenation. A schema-driven encoder costs more per
// signature than the RSA operation (design/performance.md 2.2).

/** The digest the content must be hashed with for this signer. */
export const contentDigestName = ({ certificate, digest }: Pick<CmsSigner, 'certificate' | 'digest'>): DigestName =>
  algorithmFor(certificate, digest).digest

/** The signed attributes of a new signature over content of this digest. */
export function prepareCms(options: CmsSigningOptions): PreparedCms {
  const { certificate, contentDigest, signingTime } = options
  const algorithm = algorithmFor(certificate, options.digest)
  const expected = digestAlgorithms[algorithm.digest].bytes
  if (contentDigest.length !== expected) {
    throw refuseCms('cms.wrong-digest-length', { digest: algorithm.digest, expected, found: contentDigest.length })
  }
  const template = options.furtherAttributes?.length
    ? encodeAttributes(options, algorithm.digest)
    : attributesTemplate(options, algorithm.digest)
  const toSign = Buffer.from(template.bytes)
  toSign.set(contentDigest, template.digestAt)
  if (signingTime) toSign.write(timeDigits(signingTime, timeLengthOf(signingTime)), template.timeAt, 'latin1')
  return { certificate, algorithm, toSign, certificates: certificatesBlock(certificate, options.chain) }
}

/** ContentInfo of a SignedData with this one signature: detached, or around its content. */
export function completeCms(prepared: PreparedCms, signature: Uint8Array, content?: Uint8Array): Buffer {
  const { head, tail } = signedDataAround(prepared, signerInfoParts(prepared, signature), content?.length)
  const { certificates } = prepared
  return Buffer.concat(content ? [...head, content, certificates, ...tail] : [...head, certificates, ...tail])
}

/** The detached CMS in pieces, for callers that write them elsewhere: the parts before and after the certificates. */
export function detachedCms(prepared: PreparedCms, signature: Uint8Array): [Buffer, Uint8Array, Buffer] {
  const { head, tail } = signedDataAround(prepared, signerInfoParts(prepared, signature), undefined)
  return [Buffer.concat(head), prepared.certificates, Buffer.concat(tail)]
}

/** The SignerInfo alone: what a co-signature or counter-signature adds to an existing CMS. */
export const completeSignerInfo = (prepared: PreparedCms, signature: Uint8Array): Buffer =>
  Buffer.concat(signerInfoParts(prepared, signature))

/** Upper bound of the size of this signer's CMS, detached and without timestamp. */
export function cmsSizeBound(signer: CmsSigner): number {
  const { certificate } = signer
  const algorithm = algorithmFor(certificate, signer.digest)
  const contentDigest = Buffer.alloc(digestAlgorithms[algorithm.digest].bytes)
  const signature = Buffer.alloc(longestSignature(certificate, algorithm))
  return completeCms(prepareCms({ ...signer, contentDigest }), signature).length
}

/** Whether every signature of this key has the same length, so that a length can be written before it is made. */
export const hasFixedLength = (algorithm: SignatureAlgorithm): boolean =>
  algorithm.key !== 'ec' && algorithm.key !== 'dsa'

/** The longest signature value of this key, as CMS encodes it. */
export function longestSignature(certificate: Certificate, algorithm: SignatureAlgorithm): number {
  return longest[algorithm.key](Math.ceil((certificate.keyBits ?? 0) / 8))
}

const longest: Readonly<Record<KeyType, (bytes: number) => number>> = {
  rsa: (bytes) => bytes,
  // SEQUENCE { r, s }: each may take a leading zero; two bytes of header each, three for the SEQUENCE.
  ec: (bytes) => 2 * (bytes + 3) + 3,
  // The same pair, of numbers far shorter than the key.
  dsa: (bytes) => bytes,
  ed25519: () => 64,
  ed448: () => 114,
}

/** Header and trailer of a SignedData: between them are a content of this length, if any, and the certificates. */
function signedDataAround(
  { algorithm, certificates }: Pick<PreparedCms, 'algorithm' | 'certificates'>,
  signerInfo: readonly Uint8Array[],
  contentLength: number | undefined,
): { head: Uint8Array[]; tail: Uint8Array[] } {
  const signerLength = lengthOf(signerInfo)
  const content = contentLength === undefined ? DETACHED : encapsulatedHeader(contentLength)
  const digests = digestSets[algorithm.digest]
  const bodyLength =
    VERSION_1.length +
    digests.length +
    content.length +
    (contentLength ?? 0) +
    certificates.length +
    tlvLength(signerLength)
  const body = derHeader(0x30, bodyLength)
  const tagged = derHeader(0xa0, body.length + bodyLength)
  const outer = derHeader(0x30, SIGNED_DATA.length + tagged.length + body.length + bodyLength)
  return {
    head: [outer, SIGNED_DATA, tagged, body, VERSION_1, digests, content],
    tail: [derHeader(0x31, signerLength), ...signerInfo],
  }
}

function algorithmFor(certificate: Certificate, digest?: SigningDigest): SignatureAlgorithm {
  if (!certificate.keyType) throw refuseCms('cms.key-unsupported')
  return signingAlgorithm(certificate.publicKey, digest)
}

const VERSION_1 = integer(1)
const SIGNED_DATA = oid(contentTypes.signedData)
const DETACHED = sequence(oid(contentTypes.data))

const digestSets = Object.fromEntries(
  Object.entries(digestIdentifiers).map(([name, identifier]) => [name, setOf(identifier)]),
) as Readonly<Record<DigestName, Der>>

/** SignerInfo in pieces, its SEQUENCE header first. */
function signerInfoParts(prepared: PreparedCms, signature: Uint8Array): Uint8Array[] {
  const { certificate, algorithm, toSign } = prepared
  const value = algorithm.key === 'ec' ? ecdsaToDer(certificate.publicKey, signature) : signature
  const head = signerHead(certificate, algorithm.digest)
  const attributes = Buffer.from(toSign)
  // RFC 5652 §5.3: stored under [0], signed as SET OF.
  attributes[0] = 0xa0
  const identifier = signatureIdentifiers.get(algorithm.name) ?? signatureIdentifier(algorithm)
  const octets = derHeader(0x04, value.length)
  const length = head.length + attributes.length + identifier.length + octets.length + value.length
  return [derHeader(0x30, length), head, attributes, identifier, octets, value]
}

/** Encoded once for each algorithm that signs; only RSA-PSS with unusual parameters is not among them. */
const signatureIdentifiers = new Map(
  Object.values(signatureAlgorithms).map((algorithm) => [algorithm.name, signatureIdentifier(algorithm)]),
)

interface AttributesTemplate {
  readonly digest: DigestName
  readonly counterSignature: boolean
  /** All of the policy that is encoded; empty without one. */
  readonly policy: string
  readonly bytes: Buffer
  readonly digestAt: number
  readonly timeAt: number
  /** 13 for UTCTime, 15 for GeneralizedTime, 0 without. */
  readonly timeLength: number
}

/** The cached templates of one certificate. */
interface Templates {
  readonly attributes: AttributesTemplate[]
  readonly heads: Map<DigestName, Buffer>
  certificates: { readonly chain: readonly Certificate[]; readonly block: Buffer } | undefined
}

const templates = new WeakMap<Certificate, Templates>()

/** Policies and digests used with one certificate are few; beyond this the oldest is dropped. */
const MAX_TEMPLATES = 16

function templatesOf(certificate: Certificate): Templates {
  const known = templates.get(certificate)
  if (known) return known
  const fresh: Templates = { attributes: [], heads: new Map(), certificates: undefined }
  templates.set(certificate, fresh)
  return fresh
}

function attributesTemplate(signer: CmsSigner, digest: DigestName): AttributesTemplate {
  const { certificate, policy, signingTime, counterSignature = false } = signer
  const timeLength = signingTime === undefined ? 0 : timeLengthOf(signingTime)
  const key = policy ? policyKey(policy) : ''
  const known = templatesOf(certificate).attributes
  for (const template of known) {
    const isSame = template.digest === digest && template.timeLength === timeLength && template.policy === key
    if (isSame && template.counterSignature === counterSignature) return template
  }
  if (known.length >= MAX_TEMPLATES) known.shift()
  const template = { digest, counterSignature, policy: key, ...encodeAttributes(signer, digest), timeLength }
  known.push(template)
  return template
}

const policyKeys = new WeakMap<PolicyReference, string>()

function policyKey(policy: PolicyReference): string {
  const known = policyKeys.get(policy)
  if (known !== undefined) return known
  const key = `${policy.oid} ${Buffer.from(policy.hash).toString('latin1')} ${policy.uri}`
  policyKeys.set(policy, key)
  return key
}

// The order of the SET OF does not depend on the values patched in later: no two attributes have the same type, so the
// comparison ends before it reaches a value.
function encodeAttributes(
  { certificate, policy, signingTime, counterSignature, furtherAttributes = [] }: CmsSigner,
  name: DigestName,
): Pick<AttributesTemplate, 'bytes' | 'digestAt' | 'timeAt'> {
  const messageDigest = messageDigestAttribute(Buffer.alloc(digestAlgorithms[name].bytes))
  const time = signingTime && signingTimeAttribute(signingTime)
  const attributes = [
    counterSignature ? undefined : contentTypeAttribute,
    messageDigest,
    time,
    signingCertificateAttribute(certificate, name === 'shake256' ? 'sha512' : name),
    policy && policyAttribute(policy),
    ...furtherAttributes,
  ]
    .filter((present) => present !== undefined)
    .toSorted(Buffer.compare)
  const bytes = setOf(...attributes)
  const endOf = (attribute: Der) => bytes.length - lengthOf(attributes.slice(attributes.indexOf(attribute) + 1))
  return {
    bytes,
    digestAt: endOf(messageDigest) - digestAlgorithms[name].bytes,
    timeAt: time && signingTime ? endOf(time) - timeLengthOf(signingTime) : 0,
  }
}

/** Characters of UTCTime, and of the GeneralizedTime that follows it (RFC 5652 §11.3). */
const timeLengthOf = (time: Date): 13 | 15 => (time.getUTCFullYear() < 2050 ? 13 : 15)

/** Version, signer identifier and digest algorithm of the SignerInfo. */
function signerHead(certificate: Certificate, digest: DigestName): Buffer {
  const { heads } = templatesOf(certificate)
  const known = heads.get(digest)
  if (known) return known
  const identifier = sequence(certificate.issuer.der, serialNumber(certificate))
  const head = Buffer.concat([VERSION_1, identifier, digestIdentifiers[digest]])
  heads.set(digest, head)
  return head
}

/** Whether these are the same certificates in the same order. */
export function isSameChain(a: readonly Certificate[], b: readonly Certificate[]): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

function certificatesBlock(certificate: Certificate, chain: readonly Certificate[]): Buffer {
  const known = templatesOf(certificate)
  const cached = known.certificates
  if (cached && isSameChain(cached.chain, chain)) return cached.block
  // Roots are left out: a verifier that trusts one has it.
  const distinct = new Set([certificate, ...chain.filter(({ selfIssued }) => !selfIssued)])
  const block = implicit(0, setOf(...[...distinct].map(({ der }) => der)))
  known.certificates = { chain: [...chain], block }
  return block
}

// YYMMDDHHMMSSZ, or with the whole year.
function timeDigits(at: Date, length: number): string {
  const iso = at.toISOString()
  const digits = `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 10)}${iso.slice(11, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}Z`
  return digits.slice(15 - length)
}

const tlvLength = (length: number): number => headerLength(length) + length

function lengthOf(parts: readonly Uint8Array[]): number {
  let sum = 0
  for (const part of parts) sum += part.length
  return sum
}
