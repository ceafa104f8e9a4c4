import { type CanonicalForm, canonicalBytes } from '../xml/canonical-form.ts'
import type { XmlIndex } from '../xml/xml-index.ts'
import type { XmlSignature } from './read-signature.ts'
import { type ExternalContents, resolveReference } from './resolve-reference.ts'
import { SIGNED_PROPERTIES_TYPE, XADES } from './vocabulary.ts'

/** EN 319 132-1 §5.3: a signature timestamp protects the canonical SignatureValue. */
export const signatureTimestampInput = (index: XmlIndex, signature: XmlSignature, form: CanonicalForm): Buffer =>
  canonicalBytes(index, form, { apex: signature.signatureValue })

const REFERENCED_PROPERTIES = [
  'SignatureTimeStamp',
  'CompleteCertificateRefs',
  'CompleteRevocationRefs',
  'AttributeCertificateRefs',
  'AttributeRevocationRefs',
]

/** TS 101 903 §7.5.1: SignatureValue, then the timestamps and references before this property, in document order. */
export function referencesTimestampInput(
  index: XmlIndex,
  signature: XmlSignature,
  form: CanonicalForm,
  before: number,
): Buffer {
  const properties = unsignedBefore(index, signature, before).filter(
    (property) => index.namespaceName(property) === XADES && REFERENCED_PROPERTIES.includes(index.localName(property)),
  )
  return concatenated(index, form, [signature.signatureValue, ...properties])
}

/**
 * EN 319 132-1 §5.5.2: the data of all references, SignedInfo, SignatureValue, KeyInfo, the unsigned properties before
 * this one, and the objects without the qualifying properties. Undefined when a reference cannot be resolved, or
 * only the digest of what it names is known.
 */
export function archiveTimestampInput(
  index: XmlIndex,
  signature: XmlSignature,
  form: CanonicalForm,
  before: number,
  contents: ExternalContents,
): Buffer | undefined {
  const parts: Buffer[] = []
  for (const reference of signature.references) {
    const resolution = resolveReference(index, reference, contents)
    if (!('resolved' in resolution)) return undefined
    const bytes = resolution.resolved.bytes(form)
    if (!bytes) return undefined
    parts.push(bytes)
  }
  const keyInfo = signature.keyInfo === undefined ? [] : [signature.keyInfo]
  const objects = signature.objects.filter((object) => object !== signature.qualifyingObject)
  parts.push(
    concatenated(index, form, [
      signature.signedInfo,
      signature.signatureValue,
      ...keyInfo,
      ...unsignedBefore(index, signature, before),
      ...objects,
    ]),
  )
  return Buffer.concat(parts)
}

/**
 * EN 319 132-1 §5.2.8: the data of the references to contents, all or those that are included. Undefined when one cannot
 * be resolved, or an inclusion is none of a content.
 */
export function contentTimestampInput(
  index: XmlIndex,
  signature: XmlSignature,
  form: CanonicalForm,
  includes: readonly string[] | undefined,
  contents: ExternalContents,
): Buffer | undefined {
  const parts: Buffer[] = []
  const ofContents = signature.references.filter(({ type }) => type !== SIGNED_PROPERTIES_TYPE)
  const byUri = (uri: string) => ofContents.find(({ id }) => id !== undefined && uri === `#${id}`)
  for (const reference of includes === undefined ? ofContents : includes.map(byUri)) {
    const resolution = reference && resolveReference(index, reference, contents)
    const bytes = resolution && 'resolved' in resolution ? resolution.resolved.bytes(form) : undefined
    if (bytes === undefined) return undefined
    parts.push(bytes)
  }
  return Buffer.concat(parts)
}

const unsignedBefore = (index: XmlIndex, { unsigned }: XmlSignature, before: number): number[] =>
  unsigned === undefined ? [] : index.children(unsigned).filter((property) => property < before)

const concatenated = (index: XmlIndex, form: CanonicalForm, elements: readonly number[]): Buffer =>
  Buffer.concat(elements.map((apex) => canonicalBytes(index, form, { apex })))
