import { createHash, randomUUID } from 'node:crypto'
import type { SignatureAlgorithm } from '../crypto/algorithms.ts'
import { base64Digest } from '../crypto/digest.ts'
import { ecdsaToFixedWidth } from '../crypto/ecdsa-encoding.ts'
import { type SigningDigest, signingAlgorithm } from '../crypto/signing-algorithm.ts'
import { requireArguments } from '../errors/arguments.ts'
import { type SigningPolicy, selectPolicy } from '../policies/policies.ts'
import { requireAllowed } from '../policies/policy-algorithms.ts'
import type { SignatureLevel } from '../report/report.ts'
import {
  type ContentTimestampOptions,
  contentTimestampsOf,
  requireContentTimestamp,
} from '../signing/content-timestamp.ts'
import { requireClaims, type SignerClaims } from '../signing/signer-claims.ts'
import {
  type Prepared,
  prepared,
  requireFormat,
  requireSignature,
  type SigningState,
} from '../signing/signing-state.ts'
import type { Certificate } from '../x509/certificate.ts'
import { encodeXml, ownOffset, type XmlEncoding } from '../xml/encodings.ts'
import { withInherited } from '../xml/inherited-attributes.ts'
import { canonicalValue, compareCodePoints, isPlainName } from '../xml/xml-characters.ts'
import { NO_ELEMENT, type XmlIndex } from '../xml/xml-index.ts'
import { refuseXades } from './errors.ts'
import type { Insertion, Place } from './place.ts'
import {
  type CanonicalAdditions,
  IN_DOCUMENT,
  keyInfoText,
  qualifyingObjectText,
  type ReferenceText,
  signedInfoContent,
  signedInfoStart,
  signedPropertiesText,
  wholeSeconds,
} from './signature-text.ts'
import { type ContentOptions, type ContentTerms, type SignedContents, signedContents } from './signed-contents.ts'
import { type Canonicalisation, canonicalisations, DS, SIGNED_PROPERTIES_TYPE, XADES } from './vocabulary.ts'

export interface PrepareXadesOptions<P = Place> extends ContentOptions<P> {
  /** Level to reach; when preparing only AD-* matters, because it determines the policy. Default B-B. */
  readonly level?: Exclude<SignatureLevel, 'none'>
  /** Default SHA-256. */
  readonly digest?: SigningDigest
  /** Signing time. */
  readonly now: Date
  /** Default for AD-*: the newest policy that lists the root at the end of `chain`. */
  readonly policy?: SigningPolicy
  /** Issuers to include with the signer's certificate, nearest first. */
  readonly chain?: readonly Certificate[]
  /** Default exclusive, the form that survives moving the signature. */
  readonly canonicalisation?: Canonicalisation
  /**
   * `none`: a plain XMLDSig signature, for verifiers that know no XAdES; it protects neither its certificate nor its
   * time, and no level can be built on it. Default `xades`.
   */
  readonly properties?: 'xades' | 'none'
  /** Identifies the signature: preparing again with the same value gives the same bytes. Default: a new one. */
  readonly uuid?: string
  /** Roles, commitments and place that the signer states. Default none. */
  readonly claims?: SignerClaims
}

/** What `completeXades` needs besides the document: text around the signature value, and its position. */
export type XadesData = {
  /** Id of the signature. */
  readonly id: string
  /** Up to and including the start tag of ds:SignedInfo. */
  readonly before: string
  /** Offset, in what the key signs, of the content of ds:SignedInfo: in the document it is the same. */
  readonly signedInfo: number
  /** ds:KeyInfo; separate because it is long and always the same. ASCII. */
  readonly keyInfo: string
  readonly behind: string
  readonly at: number
  readonly resume: number
  /** Of the document, where that is not UTF-8: everything above is text in UTF-8 and is written in this encoding. */
  readonly encoding?: XmlEncoding
}

/** What determines a signature. */
export interface Terms extends ContentTerms {
  readonly algorithm: SignatureAlgorithm
  readonly certificate: Certificate
  readonly options: PrepareXadesOptions
}

/** First phase: lays the signature out and returns what the key must sign. */
export function prepareXades(
  document: Uint8Array,
  certificate: Certificate,
  options: PrepareXadesOptions,
): Prepared<XadesData> {
  requireArguments(
    'prepareXades',
    { document: [document, 'bytes'], certificate: [certificate, 'certificate'] },
    options,
    ['now'],
  )
  const terms = termsOf(certificate, options)
  const contents = signedContents(document, terms)
  const answer = assembled(terms, contents, [])
  contents.index?.release()
  return answer
}

/** The same with a timestamp over all that is signed, which is signed with it (`contentTimestamp`). */
export async function prepareStampedXades(
  document: Uint8Array,
  certificate: Certificate,
  options: PrepareXadesOptions & ContentTimestampOptions,
): Promise<Prepared<XadesData>> {
  if (!options?.contentTimestamp) return prepareXades(document, certificate, options)
  requireContentTimestamp(options)
  if (options.properties === 'none') throw refuseXades('xades.claims-need-properties')
  const terms = termsOf(certificate, options)
  const contents = signedContents(document, terms)
  const imprint = createHash('sha256')
  for (const content of contents.contents) imprint.update(content.bytes())
  const { contentTimestamps = [] } = await contentTimestampsOf('sha256', () => imprint.digest(), options)
  const answer = assembled(terms, contents, contentTimestamps)
  contents.index?.release()
  return answer
}

/** Second phase: inserts the key's signature, after verifying it. */
export function completeXades(state: SigningState<unknown>, signature: Uint8Array): Buffer {
  requireArguments('completeXades', { state: [state, 'state'], signature: [signature, 'bytes'] })
  const { data, document, certificate, toSign } = requireFormat<XadesData>(state, 'xades')
  requireSignature(state, signature)
  const value = certificate.keyType === 'ec' ? ecdsaToFixedWidth(certificate.publicKey, signature) : signature
  const base64 = Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')
  return inserted(document ?? NO_DOCUMENT, data, toSign.subarray(data.signedInfo), base64)
}

const NO_DOCUMENT = new Uint8Array(0)

/** The document with the signature inserted, written piece by piece: joining the texts first would copy them twice. */
function inserted(document: Uint8Array, data: XadesData, signedInfo: Uint8Array, base64: string): Buffer {
  const { id, before, keyInfo, behind, at, resume, encoding } = data
  const value = `<ds:SignatureValue Id="${id}-sigvalue">${base64}</ds:SignatureValue>`
  if (encoding !== undefined) {
    const text = `${before}${Buffer.from(signedInfo).toString('utf8')}${value}${keyInfo}${behind}`
    return Buffer.concat([document.subarray(0, at), encodeXml(text, encoding), document.subarray(resume)])
  }
  const texts = Buffer.byteLength(before) + Buffer.byteLength(value) + Buffer.byteLength(behind)
  const result = Buffer.allocUnsafe(document.length + at - resume + texts + keyInfo.length + signedInfo.length)
  result.set(document.subarray(0, at))
  let end = at + result.write(before, at, 'utf8')
  result.set(signedInfo, end)
  end += signedInfo.length
  end += result.write(value, end, 'utf8')
  end += result.write(keyInfo, end, 'latin1')
  end += result.write(behind, end, 'utf8')
  result.set(document.subarray(resume), end)
  return result
}

export function termsOf(certificate: Certificate, options: PrepareXadesOptions): Terms {
  if (!certificate.keyType) throw refuseXades('xades.key-unsupported', { key: certificate.publicKey.asymmetricKeyType })
  const { uri, form } = canonicalisations[options.canonicalisation ?? 'exclusive']
  if (options.parallel && (options.packaging ?? 'enveloped') !== 'enveloped')
    throw refuseXades('xades.parallel-needs-enveloped')
  const algorithm = signingAlgorithm(certificate.publicKey, options.digest)
  const { digest } = algorithm
  if (options.claims) requireClaims(options.claims)
  const { manifest, level = 'B-B' } = options
  if (manifest && isArchive(level)) throw refuseXades('xades.manifest-no-archive', { level })
  if (options.claims && options.properties === 'none') throw refuseXades('xades.claims-need-properties')
  if (options.id !== undefined && !isPlainName(options.id)) throw refuseXades('xades.id-unusable', { id: options.id })
  // A random id: two signatures of one document must never share an Id.
  return {
    id: options.id ?? `xmldsig-${options.uuid ?? randomUUID()}`,
    certificate,
    options,
    algorithm,
    digest: digest === 'shake256' ? 'sha512' : digest,
    uri,
    form,
  }
}

const isArchive = (level: NonNullable<PrepareXadesOptions['level']>): boolean => level === 'B-LTA' || level === 'AD-RA'

export function assembled(
  terms: Terms,
  { contents, listed = [], object, document, insertion, index }: SignedContents,
  contentTimestamps: readonly Uint8Array[],
): Prepared<XadesData> {
  const { id, certificate, options, algorithm, digest: name } = terms
  const context = contextOf(terms, index, insertion)
  const policy = policyOf(options)
  requireAllowed('XAdES', algorithm, policy)
  const properties = {
    id: `${id}-signedprops`,
    signingTime: wholeSeconds(options.now),
    certificate,
    digest: name,
    certificateForm: policy === undefined ? 'SigningCertificateV2' : 'SigningCertificate',
    policy,
    claims: options.claims ?? {},
    formats: [...contents.flatMap(({ format }) => format ?? []), ...listed],
    contentTimestamps,
  } as const
  const isPlain = options.properties === 'none'
  const ofProperties: ReferenceText = {
    id: `${id}-ref${contents.length}`,
    uri: `#${properties.id}`,
    type: SIGNED_PROPERTIES_TYPE,
    transforms: [terms.uri],
    digest: name,
    value: base64Digest(name, signedPropertiesText(properties, context.signedProperties)),
  }
  const references = contents.map(({ reference }) => reference)
  const signedInfo = signedInfoContent(terms.uri, algorithm, isPlain ? references : [...references, ofProperties])
  const qualifying = isPlain ? '' : qualifyingObjectText(id, signedPropertiesText(properties, IN_DOCUMENT))
  const { at, resume, before, behind } = insertion ?? NO_INSERTION
  const startTag = signedInfoStart(context.signedInfo)
  return prepared({
    format: 'xades',
    certificate,
    algorithm,
    toSign: Buffer.from(`${startTag}${signedInfo}`, 'utf8'),
    document,
    data: {
      id,
      before: `${before}<ds:Signature xmlns:ds="${DS}" Id="${id}">${signedInfoStart(IN_DOCUMENT)}`,
      signedInfo: Buffer.byteLength(startTag, 'utf8'),
      keyInfo: keyInfoText(certificate, options.chain ?? []),
      behind: `${object}${qualifying}</ds:Signature>${behind}`,
      ...offsetsIn(index, at, resume),
    },
  })
}

/** Where the signature goes in the document's own bytes. */
function offsetsIn(index: XmlIndex | null, at: number, resume: number): Pick<XadesData, 'at' | 'resume' | 'encoding'> {
  if (index === null || index.tables.encoding === 'UTF-8') return { at, resume }
  const { bytes, encoding } = index.tables
  return { at: ownOffset(bytes, encoding, at), resume: ownOffset(bytes, encoding, resume), encoding }
}

const NO_INSERTION = { at: 0, resume: 0, before: '', behind: '' } as const

function policyOf({ level, policy, chain, now }: PrepareXadesOptions): SigningPolicy | undefined {
  if (policy !== undefined || level === undefined || !level.startsWith('AD-')) return policy
  return selectPolicy({ format: 'XAdES', name: level as SigningPolicy['name'], root: chain?.at(-1), now })
}

interface SignatureContext {
  readonly signedInfo: CanonicalAdditions
  readonly signedProperties: CanonicalAdditions
}

/** What the signature's position adds to the canonical forms of its pieces. */
function contextOf({ form }: Terms, index: XmlIndex | null, insertion: Insertion | null): SignatureContext {
  if (form.family === 'exclusive') return EXCLUSIVE_CONTEXT
  const parent = insertion?.parent ?? NO_ELEMENT
  const scope = index === null ? new Map<string, string>() : index.namespacesInScope(parent)
  const inherited = index === null ? [] : withInherited(index, parent, form.family, [])
  const attributes = inherited
    .toSorted((a, b) => compareCodePoints(a.local, b.local))
    .map(({ name, value }) => ` ${name}="${canonicalValue(value)}"`)
    .join('')
  scope.set('ds', DS)
  const signedInfo = { declarations: declarations(scope), attributes, ds: '' }
  scope.set('xades', XADES)
  return { signedInfo, signedProperties: { declarations: declarations(scope), attributes, ds: '' } }
}

const declarations = (scope: ReadonlyMap<string, string>): string =>
  [...scope]
    .toSorted(([a], [b]) => compareCodePoints(a, b))
    .map(([prefix, uri]) => declaration(prefix, uri))
    .join('')

const declaration = (prefix: string, uri: string): string =>
  ` xmlns${prefix === '' ? '' : `:${prefix}`}="${canonicalValue(uri)}"`

/** Exclusive forms declare what a piece uses, at any position. */
const EXCLUSIVE_CONTEXT: SignatureContext = {
  signedInfo: { declarations: declaration('ds', DS), attributes: '', ds: '' },
  signedProperties: { declarations: declaration('xades', XADES), attributes: '', ds: declaration('ds', DS) },
}
