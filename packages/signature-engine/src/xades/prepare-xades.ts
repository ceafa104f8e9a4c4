import { randomUUID } from 'node:crypto'
import type { DigestName, SignatureAlgorithm } from '../crypto/algorithms.ts'
import { base64Digest } from '../crypto/digest.ts'
import { ecdsaToFixedWidth } from '../crypto/ecdsa-encoding.ts'
import { type SigningDigest, signingAlgorithm } from '../crypto/signing-algorithm.ts'
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type SigningPolicy, selectPolicy } from '../policies/policies.ts'
import { requireAllowed } from '../policies/policy-algorithms.ts'
import type { SignatureLevel } from '../report/report.ts'
import {
  type Prepared,
  prepared,
  requireFormat,
  requireSignature,
  type SigningState,
} from '../signing/signing-state.ts'
import type { Certificate } from '../x509/certificate.ts'
import { type CanonicalForm, canonicalDigest } from '../xml/canonical-form.ts'
import { encodeXml, ownOffset, type XmlEncoding } from '../xml/encodings.ts'
import { withInherited } from '../xml/inherited-attributes.ts'
import { canonicalText, canonicalValue, compareCodePoints, isPlainName } from '../xml/xml-characters.ts'
import { ELEMENT, NO_ELEMENT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { refuseXades } from './errors.ts'
import { elementAt, type Insertion, insertionAt, type Place, type Position } from './place.ts'
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
import {
  type Canonicalisation,
  canonicalisations,
  DS,
  OBJECT_TYPE,
  SIGNED_PROPERTIES_TYPE,
  TRANSFORM,
  XADES,
} from './vocabulary.ts'

export interface PrepareXadesOptions<P = Place> {
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
  /**
   * enveloped: the signature goes into the document (default); enveloping: the document goes into the signature;
   * detached: the signature is a document of its own and names its content by `uri`.
   */
  readonly packaging?: 'enveloped' | 'enveloping' | 'detached'
  /** Enveloped: what is signed. Default the whole document. An element without Id is given one. */
  readonly target?: P
  /** Enveloped: where the signature goes. Default the last child of the root element. */
  readonly position?: Position<P>
  /** Enveloped: the document as the caller has scanned it already; it is released, and not to be read afterwards. */
  readonly scanned?: XmlIndex
  /** Default exclusive, the form that survives moving the signature. */
  readonly canonicalisation?: Canonicalisation
  /** Excludes every signature from what is covered, so that others can sign the same content later. Default false. */
  readonly parallel?: boolean
  /** Detached: the name of the content. */
  readonly uri?: string
  /** Detached: further contents, which the same signature is over. Default none. */
  readonly further?: readonly DetachedContent[]
  /** Enveloping: how the content is carried. Default xml where the content is XML in UTF-8, base64 otherwise. */
  readonly embed?: 'xml' | 'base64'
  /** Id of the signature; one that the document has already is refused. Default: a new one. */
  readonly id?: string
  /**
   * `none`: a plain XMLDSig signature, for verifiers that know no XAdES; it protects neither its certificate nor its
   * time, and no level can be built on it. Default `xades`.
   */
  readonly properties?: 'xades' | 'none'
  /** Identifies the signature: preparing again with the same value gives the same bytes. Default: a new one. */
  readonly uuid?: string
  /** Of the content. Default text/xml for XML, application/octet-stream otherwise. */
  readonly mimeType?: string
}

/** A content outside of the signature. */
export interface DetachedContent {
  readonly uri: string
  readonly content: Uint8Array
  /** Default application/octet-stream. */
  readonly mimeType?: string
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

/** Everything that is common to all packagings. */
interface Terms {
  readonly id: string
  readonly certificate: Certificate
  readonly options: PrepareXadesOptions
  readonly algorithm: SignatureAlgorithm
  /** Of references: that of the algorithm, but SHAKE256 has no name in XML. */
  readonly digest: XmlDigest
  readonly uri: string
  readonly form: CanonicalForm
}

type XmlDigest = Exclude<DigestName, 'shake256'>

/** What depends on the packaging. */
interface Content {
  readonly reference: ReferenceText
  /** As canonical text. */
  readonly mimeType: string
  /** What else is signed, with its type. */
  readonly further?: readonly { readonly reference: ReferenceText; readonly mimeType: string }[]
  /** Objects of the signature besides the properties. */
  readonly object: string
  readonly document: Uint8Array | null
  readonly insertion: Insertion | null
  readonly index: XmlIndex | null
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
  const content = packagings[options.packaging ?? 'enveloped'](document, terms)
  const answer = assembled(terms, content)
  content.index?.release()
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

function termsOf(certificate: Certificate, options: PrepareXadesOptions): Terms {
  if (!certificate.keyType) throw refuseXades('xades.key-unsupported', { key: certificate.publicKey.asymmetricKeyType })
  const { uri, form } = canonicalisations[options.canonicalisation ?? 'exclusive']
  if (options.parallel && (options.packaging ?? 'enveloped') !== 'enveloped')
    throw refuseXades('xades.parallel-needs-enveloped')
  const algorithm = signingAlgorithm(certificate.publicKey, options.digest)
  const { digest } = algorithm
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

const packagings: Readonly<
  Record<NonNullable<PrepareXadesOptions['packaging']>, (document: Uint8Array, terms: Terms) => Content>
> = { enveloped, enveloping, detached }

function enveloped(given: Uint8Array, terms: Terms): Content {
  const { options, form } = terms
  const { document, index, target, id } = targetOf(given, terms)
  // Ids are looked up only for one that somebody chose: the lookup reads the whole document.
  if (options.id !== undefined && index.elementsWithId(options.id).length > 0)
    throw refuseXades('xades.id-taken', { id: options.id })
  const insertion = insertionAt(index, options.position ?? { at: 'last-child' })
  const isInside = target === undefined || index.contains(target, insertion.parent)
  const filter = options.parallel ? TRANSFORM.xpath : isInside ? TRANSFORM.enveloped : undefined
  const exclude = options.parallel ? index.findAll(DS, 'Signature', target) : []
  const scope = target === undefined ? { exclude } : { exclude, apex: target }
  return {
    reference: {
      id: contentReferenceId(terms),
      uri: sameDocumentUri(id, form.withComments),
      type: undefined,
      transforms: filter === undefined ? [terms.uri] : [filter, terms.uri],
      digest: terms.digest,
      value: canonicalDigest(index, form, scope, terms.digest).toString('base64'),
    },
    mimeType: mimeTypeOf(options, 'text/xml'),
    object: '',
    document,
    insertion,
    index,
  }
}

const contentReferenceId = ({ id }: Terms): string => `${id}-ref0`

const mimeTypeOf = ({ mimeType }: PrepareXadesOptions, usual: string): string =>
  mimeType === undefined ? usual : canonicalText(mimeType)

/** XMLDSig §4.4.3.3: a plain fragment leaves comments out before any transform sees them; an XPointer keeps them. */
function sameDocumentUri(id: string | undefined, withComments: boolean): string {
  if (id === undefined) return withComments ? '#xpointer(/)' : ''
  return withComments ? `#xpointer(id('${id}'))` : `#${id}`
}

interface Target {
  readonly document: Uint8Array
  readonly index: XmlIndex
  readonly target: number | undefined
  readonly id: string | undefined
}

function targetOf(document: Uint8Array, { id: signatureId, options }: Terms): Target {
  const index = options.scanned ?? scanXml(document)
  if (options.target === undefined) return { document, index, target: undefined, id: undefined }
  const target = elementAt(index, options.target)
  const id = 'id' in options.target ? options.target.id : ownId(index, target)
  if (id !== undefined) {
    if (!isPlainName(id)) throw refuseXades('xades.id-unusable', { id })
    return { document, index, target, id }
  }
  // A reference needs a target: the element gets an Id, the only byte change signing ever makes.
  const given = `${signatureId}-content`
  const { bytes, encoding } = index.tables
  const at = ownOffset(bytes, encoding, index.cell(target, ELEMENT.nameEnd))
  const attribute = encodeXml(` Id="${given}"`, encoding)
  const named = Buffer.concat([document.subarray(0, at), attribute, document.subarray(at)])
  return { document: named, index: scanXml(named), target, id: given }
}

function ownId(index: XmlIndex, element: number): string | undefined {
  for (const name of ['Id', 'ID', 'id']) {
    const id = index.attribute(element, name)
    if (id !== undefined && index.elementsWithId(id).length === 1) return id
  }
  return undefined
}

function enveloping(document: Uint8Array, terms: Terms): Content {
  const { id, form, options, digest: name } = terms
  const objectId = `${id}-object`
  const xml = options.embed === 'base64' ? undefined : embeddable(document, options.embed === 'xml')
  if (xml === undefined) {
    const base64 = Buffer.from(document.buffer, document.byteOffset, document.length).toString('base64')
    return {
      reference: {
        id: contentReferenceId(terms),
        uri: `#${objectId}`,
        type: OBJECT_TYPE,
        transforms: [TRANSFORM.base64],
        digest: name,
        value: base64Digest(name, document),
      },
      mimeType: mimeTypeOf(options, 'application/octet-stream'),
      object: `<ds:Object Encoding="${TRANSFORM.base64}" Id="${objectId}">${base64}</ds:Object>`,
      document: null,
      insertion: null,
      index: null,
    }
  }
  const object = `<ds:Object Id="${objectId}">${xml}</ds:Object>`
  // The object is canonicalised inside a signature, whose namespace is in its scope.
  const index = scanXml(Buffer.from(`<ds:Signature xmlns:ds="${DS}">${object}</ds:Signature>`, 'utf8'))
  return {
    reference: {
      id: contentReferenceId(terms),
      uri: sameDocumentUri(objectId, form.withComments),
      type: OBJECT_TYPE,
      transforms: [terms.uri],
      digest: name,
      value: canonicalDigest(index, form, { apex: 1 }, name).toString('base64'),
    },
    mimeType: mimeTypeOf(options, 'text/xml'),
    object,
    document: null,
    insertion: null,
    index: null,
  }
}

/**
 * The document without byte order mark and XML declaration, which are not allowed inside another. The signature is a
 * document in UTF-8: one in another encoding keeps its characters there, and its bytes only in base64.
 */
function embeddable(document: Uint8Array, isRequired: boolean): string | undefined {
  try {
    const index = scanXml(document)
    const { bytes, start, transcoded } = index.tables
    if (isRequired || !transcoded) return index.slice(start, bytes.length)
  } catch (error) {
    // Not XML: it is included as bytes, unless the caller requires XML.
    if (isRequired || !(error instanceof EngineError)) throw error
  }
  return undefined
}

function detached(document: Uint8Array, terms: Terms): Content {
  const { uri = '', mimeType, further = [] } = terms.options
  const [first, ...others] = [{ uri, content: document, ...(mimeType !== undefined && { mimeType }) }, ...further]
  return {
    ...detachedReference(first!, terms, contentReferenceId(terms)),
    further: others.map((one, at) => detachedReference(one, terms, `${terms.id}-ref${at + 2}`)),
    object: '',
    document: null,
    insertion: null,
    index: null,
  }
}

function detachedReference(
  { uri, content, mimeType }: DetachedContent,
  { digest: name }: Terms,
  id: string,
): Pick<Content, 'reference' | 'mimeType'> {
  if (uri === '') throw refuseXades('xades.uri-missing')
  if (uri.startsWith('#')) throw refuseXades('xades.uri-unusable', { uri })
  return {
    reference: {
      id,
      uri: canonicalValue(uri),
      type: undefined,
      transforms: [],
      digest: name,
      value: base64Digest(name, content),
    },
    mimeType: mimeType === undefined ? 'application/octet-stream' : canonicalText(mimeType),
  }
}

function assembled(terms: Terms, content: Content): Prepared<XadesData> {
  const { id, certificate, options, algorithm, digest: name } = terms
  const context = contextOf(terms, content)
  const policy = policyOf(options)
  requireAllowed('XAdES', algorithm, policy)
  const contents = [content, ...(content.further ?? [])]
  const properties = {
    id: `${id}-signedprops`,
    signingTime: wholeSeconds(options.now),
    certificate,
    digest: name,
    certificateForm: policy === undefined ? 'SigningCertificateV2' : 'SigningCertificate',
    policy,
    formats: contents.map(({ reference, mimeType }) => ({ reference: reference.id, mimeType })),
  } as const
  const isPlain = options.properties === 'none'
  const ofProperties: ReferenceText = {
    id: `${id}-ref1`,
    uri: `#${properties.id}`,
    type: SIGNED_PROPERTIES_TYPE,
    transforms: [terms.uri],
    digest: name,
    value: base64Digest(name, signedPropertiesText(properties, context.signedProperties)),
  }
  const ofContents = contents.map(({ reference }) => reference)
  const references = isPlain ? ofContents : [...ofContents, ofProperties]
  const signedInfo = signedInfoContent(terms.uri, algorithm, references)
  const qualifying = isPlain ? '' : qualifyingObjectText(id, signedPropertiesText(properties, IN_DOCUMENT))
  const { at, resume, before, behind } = content.insertion ?? NO_INSERTION
  const startTag = signedInfoStart(context.signedInfo)
  return prepared({
    format: 'xades',
    certificate,
    algorithm,
    toSign: Buffer.from(`${startTag}${signedInfo}`, 'utf8'),
    document: content.document,
    data: {
      id,
      before: `${before}<ds:Signature xmlns:ds="${DS}" Id="${id}">${signedInfoStart(IN_DOCUMENT)}`,
      signedInfo: Buffer.byteLength(startTag, 'utf8'),
      keyInfo: keyInfoText(certificate, options.chain ?? []),
      behind: `${content.object}${qualifying}</ds:Signature>${behind}`,
      ...offsetsIn(content.index, at, resume),
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
function contextOf({ form }: Terms, { index, insertion }: Content): SignatureContext {
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
