import { type DigestName, digestAlgorithms, type SignatureAlgorithm, XML_RSA_PSS } from '../crypto/algorithms.ts'
import type { SigningPolicy } from '../policies/policies.ts'
import { commitmentIdentifier, type SignerClaims } from '../signing/signer-claims.ts'
import type { Certificate } from '../x509/certificate.ts'
import { canonicalText } from '../xml/xml-characters.ts'
import { certificateText } from './certificate-text.ts'
import { canonicalisations, EXCLUSIVE_C14N, PSS, PSS_MGF1, TRANSFORM, XADES } from './vocabulary.ts'

// The pieces of a signature are written as text that is canonical already, so no parser is needed to sign. The only
// differences between a piece in the document and its canonical form are namespace declarations (and, for inclusive
// forms, inherited `xml:` attributes) on its outermost tags: these are parameters.

/** What the canonical form of a piece adds to its tags. */
export interface CanonicalAdditions {
  /** On the outermost tag, before its attributes. */
  readonly declarations: string
  /** On the outermost tag, behind its attributes. */
  readonly attributes: string
  /** On each outermost `ds:` element inside a `xades:` one. */
  readonly ds: string
}

/** A piece in the document: everything is declared further out. */
export const IN_DOCUMENT: CanonicalAdditions = { declarations: '', attributes: '', ds: '' }

export interface ReferenceText {
  readonly id: string
  /** As it stands in a canonical attribute value. */
  readonly uri: string
  readonly type: string | undefined
  /** Algorithms in order; the XPath transform brings its fixed expression. */
  readonly transforms: readonly string[]
  readonly digest: DigestName
  /** In base64. */
  readonly value: string
}

/** Excludes every signature, so that parallel signatures do not cover each other. */
const NOT_IN_A_SIGNATURE = 'not(ancestor-or-self::ds:Signature)'

/** The start tag of ds:SignedInfo. */
export const signedInfoStart = ({ declarations, attributes }: CanonicalAdditions): string =>
  `<ds:SignedInfo${declarations}${attributes}>`

/** What follows on the start tag of ds:SignedInfo, up to its end: the same in the document and in its canonical form. */
export function signedInfoContent(
  canonicalisation: string,
  algorithm: SignatureAlgorithm,
  references: readonly ReferenceText[],
): string {
  let content =
    `<ds:CanonicalizationMethod Algorithm="${canonicalisation}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${algorithm.xml}">${pssText(algorithm)}</ds:SignatureMethod>`
  for (const reference of references) content += referenceText(reference)
  return `${content}</ds:SignedInfo>`
}

/** RFC 9231 §2.3.9; the algorithms of §2.3.10 have no parameters. */
function pssText({ xml, digest, pss }: SignatureAlgorithm): string {
  if (!pss || xml !== XML_RSA_PSS) return ''
  const method = (name: DigestName) => `<ds:DigestMethod Algorithm="${digestAlgorithms[name].xml}"></ds:DigestMethod>`
  return (
    `<pss:RSAPSSParams xmlns:pss="${PSS}">${method(digest)}` +
    `<pss:MaskGenerationFunction Algorithm="${PSS_MGF1}">${method(pss.mgf)}</pss:MaskGenerationFunction>` +
    `<pss:SaltLength>${pss.saltLength}</pss:SaltLength><pss:TrailerField>1</pss:TrailerField></pss:RSAPSSParams>`
  )
}

/** One ds:Reference; its transforms are those of XMLDSig. */
export function referenceText({ id, uri, type, transforms, digest, value }: ReferenceText): string {
  let steps = ''
  for (const transform of transforms) steps += transformText(transform)
  return (
    `<ds:Reference Id="${id}"${type === undefined ? '' : ` Type="${type}"`} URI="${uri}">` +
    `${steps === '' ? '' : `<ds:Transforms>${steps}</ds:Transforms>`}${digestText(digest, value, '')}</ds:Reference>`
  )
}

const transformText = (algorithm: string): string =>
  algorithm === TRANSFORM.xpath
    ? `<ds:Transform Algorithm="${algorithm}"><ds:XPath>${NOT_IN_A_SIGNATURE}</ds:XPath></ds:Transform>`
    : `<ds:Transform Algorithm="${algorithm}"></ds:Transform>`

/** DigestMethod and DigestValue. */
export const digestText = (digest: DigestName, base64: string, ds: string): string =>
  `<ds:DigestMethod${ds} Algorithm="${digestAlgorithms[digest].xml}"></ds:DigestMethod>` +
  `<ds:DigestValue${ds}>${base64}</ds:DigestValue>`

export interface SignedPropertiesText {
  readonly id: string
  /** xsd:dateTime. */
  readonly signingTime: string
  readonly certificate: Certificate
  readonly digest: DigestName
  /** ICP-Brasil policies name the first form of the element; ETSI baseline writes the second. */
  readonly certificateForm: 'SigningCertificate' | 'SigningCertificateV2'
  readonly policy: SigningPolicy | undefined
  readonly claims: SignerClaims
  readonly formats: readonly ContentFormatText[]
  /** Tokens over the contents. */
  readonly contentTimestamps: readonly Uint8Array[]
}

/** What is said of one content, as canonical text. */
export interface ContentFormatText {
  /** Id of the reference to it. */
  readonly reference: string
  readonly mimeType: string
  readonly description?: string
  readonly encoding?: string
}

export function signedPropertiesText(properties: SignedPropertiesText, additions: CanonicalAdditions): string {
  const { id, signingTime, policy, claims } = properties
  const { declarations, attributes, ds } = additions
  return (
    `<xades:SignedProperties${declarations} Id="${id}"${attributes}><xades:SignedSignatureProperties>` +
    `<xades:SigningTime>${signingTime}</xades:SigningTime>${signingCertificateText(properties, ds)}` +
    `${policy === undefined ? '' : policyText(policy, ds)}${placeText(claims, policy)}${roleText(claims, policy)}` +
    `</xades:SignedSignatureProperties>${ofContentsText(properties, ds)}</xades:SignedProperties>`
  )
}

/** What is said of the contents; an element without any of it is left out, as in counter-signatures. */
function ofContentsText({ formats, claims, contentTimestamps }: SignedPropertiesText, ds: string): string {
  const stamps = contentTimestamps.map((token) => timestampText('xades:AllDataObjectsTimeStamp', token, ds))
  const text = `${formats.map(formatText).join('')}${commitmentText(claims)}${stamps.join('')}`
  return text === '' ? '' : element('SignedDataObjectProperties', text)
}

/** EN 319 132-1 §5.2.4: DataObjectFormat. */
const formatText = ({ reference, mimeType, description, encoding }: ContentFormatText): string =>
  `<xades:DataObjectFormat ObjectReference="#${reference}">${element('Description', description)}` +
  `<xades:MimeType>${mimeType}</xades:MimeType>${element('Encoding', encoding)}</xades:DataObjectFormat>`

const element = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<xades:${name}>${text}</xades:${name}>`

const claimElement = (name: string, claim: string | undefined): string =>
  element(name, claim === undefined ? undefined : canonicalText(claim))

/** EN 319 132-1 §5.2.5. Policies of ICP-Brasil name the first form, which has no street. */
function placeText({ place }: SignerClaims, policy: SigningPolicy | undefined): string {
  if (place === undefined) return ''
  const { city, street, state, postalCode, country } = place
  const name = policy !== undefined && street === undefined ? 'SignatureProductionPlace' : 'SignatureProductionPlaceV2'
  return element(
    name,
    claimElement('City', city) +
      claimElement('StreetAddress', street) +
      claimElement('StateOrProvince', state) +
      claimElement('PostalCode', postalCode) +
      claimElement('CountryName', country),
  )
}

/** EN 319 132-1 §5.2.6. */
function roleText({ roles = [] }: SignerClaims, policy: SigningPolicy | undefined): string {
  if (roles.length === 0) return ''
  const claimed = roles.map((role) => claimElement('ClaimedRole', role)).join('')
  return element(policy === undefined ? 'SignerRoleV2' : 'SignerRole', element('ClaimedRoles', claimed))
}

/** EN 319 132-1 §5.2.3: each commitment is to all that is signed. */
const commitmentText = ({ commitments = [] }: SignerClaims): string =>
  commitments
    .map((commitment) => {
      const { uri } = commitmentIdentifier(commitment)
      const qualifier = uri.startsWith('urn:oid:') ? ' Qualifier="OIDAsURN"' : ''
      return (
        '<xades:CommitmentTypeIndication><xades:CommitmentTypeId>' +
        `<xades:Identifier${qualifier}>${uri}</xades:Identifier></xades:CommitmentTypeId>` +
        '<xades:AllSignedDataObjects></xades:AllSignedDataObjects></xades:CommitmentTypeIndication>'
      )
    })
    .join('')

/** xsd:dateTime in UTC. */
export const wholeSeconds = (time: Date): string => `${time.toISOString().slice(0, -MILLISECONDS.length)}Z`

const MILLISECONDS = '.000Z'

interface SigningCertificateText {
  readonly form: SignedPropertiesText['certificateForm']
  readonly digest: DigestName
  readonly ds: string
  readonly text: string
}

// The same few certificates sign everything, in one or two forms each: these are built once.
const signingCertificateTexts = new WeakMap<Certificate, SigningCertificateText[]>()

function signingCertificateText({ certificate, digest, certificateForm }: SignedPropertiesText, ds: string): string {
  let known = signingCertificateTexts.get(certificate)
  if (known === undefined) {
    known = []
    signingCertificateTexts.set(certificate, known)
  }
  for (const one of known) if (one.ds === ds && one.digest === digest && one.form === certificateForm) return one.text
  const cert =
    certificateForm === 'SigningCertificate'
      ? certificateReferenceText(certificate, digest, ds)
      : certificateReferenceV2Text(certificate, digest, ds)
  const text = `<xades:${certificateForm}>${cert}</xades:${certificateForm}>`
  known.push({ form: certificateForm, digest, ds, text })
  return text
}

/** `xades:Cert` with the digest, and issuer and serial number as text. */
export function certificateReferenceText(certificate: Certificate, digest: DigestName, ds: string): string {
  const text = certificateText(certificate)
  return (
    `<xades:Cert><xades:CertDigest>${digestText(digest, text.digest(digest), ds)}</xades:CertDigest>` +
    `<xades:IssuerSerial><ds:X509IssuerName${ds}>${canonicalText(text.issuer)}</ds:X509IssuerName>` +
    `<ds:X509SerialNumber${ds}>${text.serialNumber}</ds:X509SerialNumber></xades:IssuerSerial></xades:Cert>`
  )
}

function certificateReferenceV2Text(certificate: Certificate, digest: DigestName, ds: string): string {
  const text = certificateText(certificate)
  return (
    `<xades:Cert><xades:CertDigest>${digestText(digest, text.digest(digest), ds)}</xades:CertDigest>` +
    `<xades:IssuerSerialV2>${text.issuerSerial}</xades:IssuerSerialV2></xades:Cert>`
  )
}

/** DOC-ICP-15.03: the digest is inside the policy and was made over its exclusive canonical form with comments. */
function policyText({ oid, uri, hash, digest }: SigningPolicy, ds: string): string {
  const withComments = canonicalisations['exclusive-with-comments'].uri
  return (
    '<xades:SignaturePolicyIdentifier><xades:SignaturePolicyId><xades:SigPolicyId>' +
    `<xades:Identifier Qualifier="OIDAsURN">urn:oid:${oid}</xades:Identifier></xades:SigPolicyId>` +
    `<ds:Transforms${ds}><ds:Transform Algorithm="${withComments}"></ds:Transform></ds:Transforms>` +
    `<xades:SigPolicyHash>${digestText(digest, hash.toString('base64'), ds)}</xades:SigPolicyHash>` +
    `<xades:SigPolicyQualifiers><xades:SigPolicyQualifier><xades:SPURI>${canonicalText(uri)}</xades:SPURI>` +
    '</xades:SigPolicyQualifier></xades:SigPolicyQualifiers></xades:SignaturePolicyId></xades:SignaturePolicyIdentifier>'
  )
}

// A signer's chain is the same every time, and 8 KB of text.
const keyInfos = new WeakMap<Certificate, { readonly chain: readonly Certificate[]; readonly text: string }>()

/** The signer's certificate first, then the known issuers. ASCII. */
export function keyInfoText(certificate: Certificate, chain: readonly Certificate[]): string {
  const known = keyInfos.get(certificate)
  if (known !== undefined && isSameChain(known.chain, chain)) return known.text
  const certificates = [certificate, ...chain.filter((issuer) => issuer !== certificate)]
  const texts = certificates.map((one) => `<ds:X509Certificate>${certificateText(one).base64}</ds:X509Certificate>`)
  const text = `<ds:KeyInfo><ds:X509Data>${texts.join('')}</ds:X509Data></ds:KeyInfo>`
  keyInfos.set(certificate, { chain: [...chain], text })
  return text
}

function isSameChain(left: readonly Certificate[], right: readonly Certificate[]): boolean {
  if (left.length !== right.length) return false
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false
  return true
}

/** The object with the qualifying properties. */
export const qualifyingObjectText = (signatureId: string, signedProperties: string): string =>
  `<ds:Object><xades:QualifyingProperties xmlns:xades="${XADES}" Target="#${signatureId}">${signedProperties}` +
  '</xades:QualifyingProperties></ds:Object>'

/** A timestamp property; the engine's timestamps use exclusive canonicalisation. */
export const timestampText = (name: string, token: Uint8Array, ds = ''): string =>
  `<${name}><ds:CanonicalizationMethod${ds} Algorithm="${EXCLUSIVE_C14N}"></ds:CanonicalizationMethod>` +
  `<xades:EncapsulatedTimeStamp>${Buffer.from(token).toString('base64')}</xades:EncapsulatedTimeStamp></${name}>`
