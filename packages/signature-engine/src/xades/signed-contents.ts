import type { DigestName } from '../crypto/algorithms.ts'
import { base64Digest } from '../crypto/digest.ts'
import { EngineError } from '../errors/engine-error.ts'
import { requireText } from '../signing/signer-claims.ts'
import { type CanonicalForm, canonicalBytes, canonicalDigest } from '../xml/canonical-form.ts'
import { encodeXml, ownOffset } from '../xml/encodings.ts'
import { canonicalText, canonicalValue, isPlainName } from '../xml/xml-characters.ts'
import { ELEMENT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { refuseXades } from './errors.ts'
import { elementAt, type Insertion, insertionAt, type Place, type Position } from './place.ts'
import { type ContentFormatText, type ReferenceText, referenceText } from './signature-text.ts'
import { DS, MANIFEST_TYPE, OBJECT_TYPE, TRANSFORM } from './vocabulary.ts'

/** What a content is said to be; the signature tells it of each. */
export interface ContentFormat {
  /** Default text/xml for XML, application/octet-stream otherwise. */
  readonly mimeType?: string
  /** What it is, in words; default unsaid. */
  readonly description?: string
  /** URI of the encoding it is in, such as one for base64; default unsaid. */
  readonly contentEncoding?: string
}

/** A further content of the same signature: an element of the document, or bytes that stay outside under a name. */
export type FurtherContent<P = Place> = ContentFormat &
  ({ readonly target: P } | { readonly uri: string; readonly content: Uint8Array })

/** How contents are put together with their signature. */
export interface ContentOptions<P = Place> extends ContentFormat {
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
  /** Excludes every signature from what is covered, so that others can sign the same content later. Default false. */
  readonly parallel?: boolean
  /** Detached: the name of the content. */
  readonly uri?: string
  /** Enveloping: how the content is carried. Default xml where the content is XML in UTF-8, base64 otherwise. */
  readonly embed?: 'xml' | 'base64'
  /** Id of the signature; one that the document has already is refused. Default: a new one. */
  readonly id?: string
  /** What the same signature signs besides: further elements of an enveloped document, further detached contents. */
  readonly also?: readonly FurtherContent<P>[]
  /**
   * Detached: the contents are listed in a ds:Manifest, and the signature is over the list. Other programs may check
   * the signature alone, without them; this one asks for all of them. Not for archive levels. Default false.
   */
  readonly manifest?: boolean
}

/** What determines the references of a signature. */
export interface ContentTerms {
  /** Of the signature. */
  readonly id: string
  readonly options: ContentOptions
  /** Of references: that of the algorithm, but SHAKE256 has no name in XML. */
  readonly digest: XmlDigest
  /** Canonicalisation of contents that are XML. */
  readonly uri: string
  readonly form: CanonicalForm
}

type XmlDigest = Exclude<DigestName, 'shake256'>

/** One reference of the signature, and what is said of its content. */
export interface SignedContent {
  readonly reference: ReferenceText
  /** Undefined for the value of another signature, which has none. */
  readonly format: ContentFormatText | undefined
  /** What its digest is made of. */
  bytes(): Uint8Array
}

/** The contents of a signature in their packaging. */
export interface SignedContents {
  readonly contents: readonly SignedContent[]
  /** What is said of contents in a manifest. */
  readonly listed?: readonly ContentFormatText[]
  /** Objects of the signature besides the properties. */
  readonly object: string
  readonly document: Uint8Array | null
  readonly insertion: Insertion | null
  readonly index: XmlIndex | null
}

/** One reference belongs to the signed properties, one to the first content; a reader accepts 256. */
const MOST_FURTHER = 254

/** Lays out what is signed. */
export function signedContents(document: Uint8Array, terms: ContentTerms): SignedContents {
  const { also = [], packaging = 'enveloped', uri } = terms.options
  if (also.length > MOST_FURTHER) throw refuseXades('xades.too-many-contents', { limit: MOST_FURTHER })
  const names = [...(packaging === 'detached' && uri !== undefined ? [uri] : []), ...also.flatMap(nameOf)]
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw refuseXades('xades.content-twice', { uri: twice })
  if (packaging !== 'enveloped' && also.some((further) => 'target' in further))
    throw refuseXades('xades.target-needs-enveloped')
  if (packaging !== 'detached' && terms.options.manifest) throw refuseXades('xades.manifest-needs-detached')
  return packagings[packaging](document, terms)
}

const nameOf = (further: FurtherContent): string[] => ('uri' in further ? [further.uri] : [])

const packagings: Readonly<
  Record<NonNullable<ContentOptions['packaging']>, (document: Uint8Array, terms: ContentTerms) => SignedContents>
> = { enveloped, enveloping, detached }

function enveloped(given: Uint8Array, terms: ContentTerms): SignedContents {
  const { options } = terms
  const { also = [] } = options
  const places = [options.target, ...also.flatMap((further) => ('target' in further ? [further.target] : []))]
  const { document, index, targets } = withTargets(given, places, terms)
  // Ids are looked up only for one that somebody chose: the lookup reads the whole document.
  if (options.id !== undefined && index.elementsWithId(options.id).length > 0)
    throw refuseXades('xades.id-taken', { id: options.id })
  const insertion = insertionAt(index, options.position ?? { at: 'last-child' })
  const [whole, ...further] = targets
  let next = 0
  const contents = [
    ofTarget(index, insertion, whole!, options, 0, terms),
    ...also.map((one, at) =>
      'target' in one
        ? ofTarget(index, insertion, further[next++]!, one, at + 1, terms)
        : ofBytes(one.uri, one.content, one, at + 1, terms),
    ),
  ]
  return { contents, object: '', document, insertion, index }
}

/** A reference to an element of the document, or to all of it. */
function ofTarget(
  index: XmlIndex,
  insertion: Insertion,
  { element, id }: Target,
  format: ContentFormat,
  number: number,
  { id: signatureId, form, uri, options, digest }: ContentTerms,
): SignedContent {
  const isInside = element === undefined || index.contains(element, insertion.parent)
  const filter = options.parallel ? TRANSFORM.xpath : isInside ? TRANSFORM.enveloped : undefined
  const exclude = options.parallel ? index.findAll(DS, 'Signature', element) : []
  const scope = element === undefined ? { exclude } : { exclude, apex: element }
  return content(signatureId, number, format, 'text/xml', {
    uri: sameDocumentUri(id, form.withComments),
    type: undefined,
    transforms: filter === undefined ? [uri] : [filter, uri],
    digest,
    value: canonicalDigest(index, form, scope, digest).toString('base64'),
    bytes: () => canonicalBytes(index, form, scope),
  })
}

/** A reference to bytes that are not in the document. */
function ofBytes(
  uri: string | undefined,
  bytes: Uint8Array,
  format: ContentFormat,
  number: number,
  { id, digest }: ContentTerms,
): SignedContent {
  if (uri === undefined || uri === '') throw refuseXades('xades.uri-missing')
  if (uri.startsWith('#')) throw refuseXades('xades.uri-unusable', { uri })
  return content(id, number, format, 'application/octet-stream', {
    uri: canonicalValue(uri),
    type: undefined,
    transforms: [],
    digest,
    value: base64Digest(digest, bytes),
    bytes: () => bytes,
  })
}

function content(
  signatureId: string,
  number: number,
  { mimeType, description, contentEncoding }: ContentFormat,
  usual: string,
  { bytes, ...reference }: Omit<ReferenceText, 'id'> & Pick<SignedContent, 'bytes'>,
): SignedContent {
  const id = `${signatureId}-ref${number}`
  const format = {
    reference: id,
    mimeType: mimeType === undefined ? usual : said('mimeType', mimeType),
    ...(description !== undefined && { description: said('description', description) }),
    ...(contentEncoding !== undefined && { encoding: said('contentEncoding', contentEncoding) }),
  }
  return { reference: { id, ...reference }, format, bytes }
}

function said(what: string, text: string): string {
  requireText(what, text)
  return canonicalText(text)
}

/** XMLDSig §4.4.3.3: a plain fragment leaves comments out before any transform sees them; an XPointer keeps them. */
function sameDocumentUri(id: string | undefined, withComments: boolean): string {
  if (id === undefined) return withComments ? '#xpointer(/)' : ''
  return withComments ? `#xpointer(id('${id}'))` : `#${id}`
}

interface Target {
  /** Both undefined: the whole document. */
  readonly element: number | undefined
  readonly id: string | undefined
}

interface Targets {
  readonly document: Uint8Array
  readonly index: XmlIndex
  readonly targets: readonly Target[]
}

/** The places in the document, after each that has no Id was given one. Ordinals of elements stay what they were. */
function withTargets(
  given: Uint8Array,
  places: readonly (Place | undefined)[],
  { id: signatureId, options }: ContentTerms,
): Targets {
  let document = given
  let index = options.scanned ?? scanXml(given)
  const targets: Target[] = []
  for (const [at, place] of places.entries()) {
    const element = place === undefined ? undefined : elementAt(index, place)
    let id = element === undefined || place === undefined ? undefined : 'id' in place ? place.id : ownId(index, element)
    if (element !== undefined && id === undefined) {
      id = `${signatureId}-content${at === 0 ? '' : `-${at}`}`
      document = named(document, index, element, id)
      index = scanXml(document)
    }
    if (id !== undefined && !isPlainName(id)) throw refuseXades('xades.id-unusable', { id })
    targets.push({ element, id })
  }
  return { document, index, targets }
}

/** A reference needs a target: the element gets an Id, the only byte change signing ever makes. */
function named(document: Uint8Array, index: XmlIndex, element: number, id: string): Buffer {
  const { bytes, encoding } = index.tables
  const at = ownOffset(bytes, encoding, index.cell(element, ELEMENT.nameEnd))
  return Buffer.concat([document.subarray(0, at), encodeXml(` Id="${id}"`, encoding), document.subarray(at)])
}

function ownId(index: XmlIndex, element: number): string | undefined {
  for (const name of ['Id', 'ID', 'id']) {
    const id = index.attribute(element, name)
    if (id !== undefined && index.elementsWithId(id).length === 1) return id
  }
  return undefined
}

function enveloping(document: Uint8Array, terms: ContentTerms): SignedContents {
  const { options } = terms
  const xml = options.embed === 'base64' ? undefined : embeddable(document, options.embed === 'xml')
  const [first, object] = xml === undefined ? inBase64(document, terms) : asXml(xml, terms)
  return { contents: [first, ...outside(terms)], object, document: null, insertion: null, index: null }
}

function inBase64(document: Uint8Array, { id, options, digest }: ContentTerms): [SignedContent, string] {
  const objectId = `${id}-object`
  const base64 = Buffer.from(document.buffer, document.byteOffset, document.length).toString('base64')
  const first = content(id, 0, options, 'application/octet-stream', {
    uri: `#${objectId}`,
    type: OBJECT_TYPE,
    transforms: [TRANSFORM.base64],
    digest,
    value: base64Digest(digest, document),
    bytes: () => document,
  })
  return [first, `<ds:Object Encoding="${TRANSFORM.base64}" Id="${objectId}">${base64}</ds:Object>`]
}

function asXml(xml: string, { id, form, uri, options, digest }: ContentTerms): [SignedContent, string] {
  const objectId = `${id}-object`
  const object = `<ds:Object Id="${objectId}">${xml}</ds:Object>`
  // The object is canonicalised inside a signature, whose namespace is in its scope.
  const index = scanXml(Buffer.from(`<ds:Signature xmlns:ds="${DS}">${object}</ds:Signature>`, 'utf8'))
  const first = content(id, 0, options, 'text/xml', {
    uri: sameDocumentUri(objectId, form.withComments),
    type: OBJECT_TYPE,
    transforms: [uri],
    digest,
    value: canonicalDigest(index, form, { apex: 1 }, digest).toString('base64'),
    bytes: () => canonicalBytes(index, form, { apex: 1 }),
  })
  return [first, object]
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

function detached(document: Uint8Array, terms: ContentTerms): SignedContents {
  const { uri, manifest } = terms.options
  if (manifest) return inManifest(document, terms)
  const first = ofBytes(uri, document, terms.options, 0, terms)
  return { contents: [first, ...outside(terms)], object: '', document: null, insertion: null, index: null }
}

/** The further contents of a signature that is a document of its own. */
const outside = (terms: ContentTerms, before = 1): SignedContent[] =>
  (terms.options.also ?? []).flatMap((one, at) =>
    'uri' in one ? [ofBytes(one.uri, one.content, one, at + before, terms)] : [],
  )

/** XMLDSig §5.1: a list of references, of which the signature has the one to the list. */
function inManifest(document: Uint8Array, terms: ContentTerms): SignedContents {
  const { id, form, uri, digest, options } = terms
  // The numbers before are those of the references to the list and to the properties.
  const listed = [ofBytes(options.uri, document, options, 2, terms), ...outside(terms, 3)]
  const manifestId = `${id}-manifest`
  const references = listed.map(({ reference }) => referenceText(reference)).join('')
  const object = `<ds:Object><ds:Manifest Id="${manifestId}">${references}</ds:Manifest></ds:Object>`
  const index = scanXml(Buffer.from(`<ds:Signature xmlns:ds="${DS}">${object}</ds:Signature>`, 'utf8'))
  const list = content(id, 0, {}, 'text/xml', {
    uri: sameDocumentUri(manifestId, form.withComments),
    type: MANIFEST_TYPE,
    transforms: [uri],
    digest,
    value: canonicalDigest(index, form, { apex: MANIFEST_AT }, digest).toString('base64'),
    bytes: () => canonicalBytes(index, form, { apex: MANIFEST_AT }),
  })
  const formats = listed.flatMap(({ format }) => format ?? [])
  return { contents: [list], listed: formats, object, document: null, insertion: null, index: null }
}

/** Behind ds:Signature and ds:Object. */
const MANIFEST_AT = 2
