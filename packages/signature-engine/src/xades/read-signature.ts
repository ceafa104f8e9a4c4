import {
  type DigestName,
  digestByXmlUri,
  type SignatureAlgorithm,
  signatureAlgorithmByXmlUri,
  XML_RSA_PSS,
} from '../crypto/algorithms.ts'
import type { CanonicalForm } from '../xml/canonical-form.ts'
import type { XmlIndex } from '../xml/xml-index.ts'
import { refuseXades } from './errors.ts'
import { readPssMethod } from './rsa-pss-method.ts'
import { canonicalFormByUri, DS, EXCLUSIVE_C14N, XADES } from './vocabulary.ts'

export interface XmlTransform {
  readonly element: number
  readonly algorithm: string
}

export interface XmlReference {
  readonly element: number
  readonly id: string | undefined
  readonly uri: string | undefined
  readonly type: string | undefined
  readonly transforms: readonly XmlTransform[]
  readonly digestUri: string
  readonly digest: DigestName | undefined
  readonly value: Buffer
}

/** A parsed ds:Signature, not yet validated. Elements are ordinals of the index. */
export interface XmlSignature {
  readonly element: number
  readonly id: string | undefined
  readonly signedInfo: number
  /** Undefined when the engine does not know the algorithm. */
  readonly form: CanonicalForm | undefined
  readonly algorithmUri: string
  readonly algorithm: SignatureAlgorithm | undefined
  readonly references: readonly XmlReference[]
  readonly signatureValue: number
  readonly value: Buffer
  readonly keyInfo: number | undefined
  readonly objects: readonly number[]
  /** xades:QualifyingProperties, and the object it stands in. */
  readonly qualifying: number | undefined
  readonly qualifyingObject: number | undefined
  readonly signedProperties: number | undefined
  /** xades:UnsignedSignatureProperties. */
  readonly unsigned: number | undefined
}

/** More references than any legitimate signature has; each may cost a pass over the document. */
const MAX_REFERENCES = 256

/** Reads the structure of XMLDSig §4 strictly: wrong order or missing elements are refused as malformed. */
export function readSignature(index: XmlIndex, element: number): XmlSignature {
  const [signedInfo, signatureValue, ...rest] = index.children(element)
  if (signedInfo === undefined || !index.is(signedInfo, DS, 'SignedInfo')) throw malformed('SignedInfo is missing')
  if (signatureValue === undefined || !index.is(signatureValue, DS, 'SignatureValue'))
    throw malformed('SignatureValue is missing')
  const keyInfo = rest[0] !== undefined && index.is(rest[0], DS, 'KeyInfo') ? rest[0] : undefined
  const objects = keyInfo === undefined ? rest : rest.slice(1)
  for (const object of objects) if (!index.is(object, DS, 'Object')) throw malformed('an element is out of place')
  if (index.hasStrayText(element) || index.hasStrayText(signedInfo)) throw malformed('there is text between elements')
  return {
    element,
    id: index.attribute(element, 'Id'),
    signedInfo,
    ...readSignedInfo(index, signedInfo),
    signatureValue,
    value: base64(index, signatureValue),
    keyInfo,
    objects,
    ...readQualifying(index, objects),
  }
}

function readSignedInfo(index: XmlIndex, signedInfo: number) {
  const [canonicalisation, method, ...references] = index.children(signedInfo)
  if (canonicalisation === undefined || !index.is(canonicalisation, DS, 'CanonicalizationMethod'))
    throw malformed('CanonicalizationMethod is missing')
  if (method === undefined || !index.is(method, DS, 'SignatureMethod')) throw malformed('SignatureMethod is missing')
  if (references.length === 0) throw malformed('there is no reference')
  if (references.length > MAX_REFERENCES) throw malformed('there are too many references')
  const algorithmUri = index.attribute(method, 'Algorithm') ?? ''
  return {
    form: canonicalFormAt(index, canonicalisation),
    algorithmUri,
    algorithm: algorithmUri === XML_RSA_PSS ? readPssMethod(index, method) : signatureAlgorithmByXmlUri(algorithmUri),
    references: references.map((reference) => readReference(index, reference)),
  }
}

/** The canonical form an element with `Algorithm` asks for, with its list of inclusive prefixes if it has one. */
export function canonicalFormAt(index: XmlIndex, element: number): CanonicalForm | undefined {
  const form = canonicalFormByUri(index.attribute(element, 'Algorithm') ?? '')
  const [parameter, ...others] = index.children(element)
  if (form === undefined || parameter === undefined) return form
  if (form.family !== 'exclusive' || others.length > 0) return undefined
  if (!index.is(parameter, EXCLUSIVE_C14N, 'InclusiveNamespaces')) return undefined
  const prefixes = (index.attribute(parameter, 'PrefixList') ?? '').split(/[ \t\r\n]+/).filter((name) => name !== '')
  return { ...form, inclusivePrefixes: prefixes }
}

/** The references of a ds:Manifest (XMLDSig §5.1). */
export function readManifest(index: XmlIndex, manifest: number): XmlReference[] {
  const references = index.children(manifest)
  if (references.length > MAX_REFERENCES) throw malformed('there are too many references')
  return references.map((reference) => readReference(index, reference))
}

function readReference(index: XmlIndex, element: number): XmlReference {
  if (!index.is(element, DS, 'Reference') || index.hasStrayText(element)) throw malformed('a reference is out of place')
  const children = index.children(element)
  const hasTransforms = children[0] !== undefined && index.is(children[0], DS, 'Transforms')
  const [method, value, ...others] = hasTransforms ? children.slice(1) : children
  const isComplete =
    method !== undefined &&
    value !== undefined &&
    index.is(method, DS, 'DigestMethod') &&
    index.is(value, DS, 'DigestValue')
  if (!isComplete || others.length > 0) throw malformed('a reference is incomplete')
  const digestUri = index.attribute(method, 'Algorithm') ?? ''
  return {
    element,
    id: index.attribute(element, 'Id'),
    uri: index.attribute(element, 'URI'),
    type: index.attribute(element, 'Type'),
    transforms: hasTransforms ? readTransforms(index, children[0]!) : [],
    digestUri,
    digest: digestByXmlUri(digestUri),
    value: base64(index, value),
  }
}

const readTransforms = (index: XmlIndex, transforms: number): XmlTransform[] =>
  index.children(transforms).map((element) => {
    if (!index.is(element, DS, 'Transform')) throw malformed('a transform is out of place')
    return { element, algorithm: index.attribute(element, 'Algorithm') ?? '' }
  })

function readQualifying(index: XmlIndex, objects: readonly number[]) {
  const found = objects.flatMap((object) =>
    index.childrenNamed(object, XADES, 'QualifyingProperties').map((qualifying) => ({ object, qualifying })),
  )
  if (found.length > 1) throw malformed('there are two sets of qualifying properties')
  const [only] = found
  if (only === undefined)
    return { qualifying: undefined, qualifyingObject: undefined, signedProperties: undefined, unsigned: undefined }
  const unsignedProperties = atMostOne(index, only.qualifying, 'UnsignedProperties')
  return {
    qualifying: only.qualifying,
    qualifyingObject: only.object,
    signedProperties: atMostOne(index, only.qualifying, 'SignedProperties'),
    unsigned:
      unsignedProperties === undefined
        ? undefined
        : atMostOne(index, unsignedProperties, 'UnsignedSignatureProperties'),
  }
}

/** The only XAdES child of this name; two of them are malformed. */
export function atMostOne(index: XmlIndex, parent: number, local: string): number | undefined {
  const found = index.childrenNamed(parent, XADES, local)
  if (found.length > 1) throw malformed(`there are two elements ${local}`)
  return found[0]
}

/** The bytes of an element's base64; only the canonical encoding is accepted, white space aside. */
export function base64(index: XmlIndex, element: number): Buffer {
  const text = index.text(element)?.replace(/[ \t\r\n]/g, '')
  const bytes = text === undefined ? undefined : Buffer.from(text, 'base64')
  if (bytes === undefined || bytes.toString('base64') !== text) throw malformed('something is not base64')
  return bytes
}

export const malformed = (reason: string) => refuseXades('xades.signature-malformed', { reason })
