import { type CoverageReport, type Finding, finding } from '../report/report.ts'
import { ELEMENT, NO_ELEMENT, ROOT, type XmlIndex } from '../xml/xml-index.ts'
import type { XmlReference, XmlSignature } from './read-signature.ts'
import type { Resolved } from './resolve-reference.ts'
import { DS, XADES } from './vocabulary.ts'

/** A reference to content (not to the signed properties) and its target. */
export interface ContentReference {
  readonly reference: XmlReference
  readonly resolved: Resolved
}

/** What a signature covers, described so that a reader can check it against the document. */
export function coverageOf(
  index: XmlIndex,
  signature: XmlSignature,
  contents: readonly ContentReference[],
): CoverageReport {
  const inside = contents.filter(({ resolved }) => resolved.source === 'document')
  const outside = contents.filter(({ resolved }) => resolved.source === 'external')
  const coversRoot = inside.some(({ resolved }) => resolved.apex === undefined || resolved.apex === ROOT)
  const leftOut = leftOutOf(index, signature, inside)
  if (coversRoot) return { wholeDocument: true, description: index.path(ROOT), ...leftOut }
  const parts = [
    ...inside.map(({ resolved }) => index.path(resolved.apex!)),
    ...outside.map(({ reference }) => `detached content ${reference.uri}`),
  ]
  const wholeDocument = isOnlyItsContent(index, signature, inside, outside)
  return { wholeDocument, description: parts.join(', '), ...leftOut }
}

/** Enough to see it; a signature may leave out a thousand others. */
const MOST_LEFT_OUT = 20

function leftOutOf(
  index: XmlIndex,
  { element }: XmlSignature,
  inside: readonly ContentReference[],
): Pick<CoverageReport, 'leftOut'> {
  const others = new Set(inside.flatMap(({ resolved }) => resolved.exclude).filter((excluded) => excluded !== element))
  if (others.size === 0) return {}
  return { leftOut: [...others].slice(0, MOST_LEFT_OUT).map((excluded) => index.path(excluded)) }
}

/** Enveloping and detached signatures are documents of their own: they contain only what they sign. */
function isOnlyItsContent(
  index: XmlIndex,
  signature: XmlSignature,
  inside: readonly ContentReference[],
  outside: readonly ContentReference[],
): boolean {
  if (signature.element !== ROOT || inside.length + outside.length === 0) return false
  return signature.objects
    .filter((object) => object !== signature.qualifyingObject)
    .map((object) => manifestIn(index, object) ?? object)
    .every((part) => inside.some(({ resolved }) => index.contains(resolved.apex!, part)))
}

/** A reference to a manifest names the list itself (XMLDSig §5.1), and not the object that is only there to hold it. */
function manifestIn(index: XmlIndex, object: number): number | undefined {
  const [only, ...others] = index.children(object)
  const isHolder = only !== undefined && others.length === 0 && !index.hasStrayText(object)
  return isHolder && index.is(only, DS, 'Manifest') ? only : undefined
}

/** Whether an element is inside the covered part and not inside what was excluded from it. */
export const covers = (index: XmlIndex, contents: readonly ContentReference[], element: number): boolean =>
  contents.some(
    ({ resolved }) =>
      resolved.source === 'document' &&
      (resolved.apex === undefined || index.contains(resolved.apex, element)) &&
      !resolved.exclude.some((excluded) => index.contains(excluded, element)),
  )

/** Objects of an enveloped signature that it does not cover: the transform that removes the signature removes them too. */
export const strayObjects = (
  index: XmlIndex,
  signature: XmlSignature | undefined,
  contents: readonly ContentReference[],
): readonly number[] =>
  signature === undefined || signature.element === ROOT
    ? []
    : signature.objects.filter((object) => object !== signature.qualifyingObject && !covers(index, contents, object))

/** For every element, whether some signature of the document covers it (1) or none does (0). */
export function coverageMask(index: XmlIndex, contents: readonly ContentReference[]): Uint8Array {
  const mask = new Uint8Array(index.tables.elementCount)
  for (const { resolved } of contents)
    if (resolved.source === 'document')
      mask.fill(1, resolved.apex ?? ROOT, index.cell(resolved.apex ?? ROOT, ELEMENT.after))
  return mask
}

/**
 * Traces of wrapping (McIntosh and Austel): the signature is still valid, but over an element that was moved to where
 * no application reads it, while a forged one is in its place. The digest cannot show this; the structure can.
 */
export function wrappingFindings(
  index: XmlIndex,
  contents: readonly ContentReference[],
  covered: Uint8Array,
): Finding[] {
  return contents
    .flatMap(({ resolved: { source, apex } }) =>
      source === 'document' && apex !== undefined && apex !== ROOT ? [apex] : [],
    )
    .filter((apex) => isHidden(index, apex) || hasUncoveredTwin(index, apex, covered))
    .map((apex) => finding('xml.signature-wrapping', { path: index.path(apex) }))
}

/** A signed element of the application that is now inside a signature which is itself only a part of the document. */
function isHidden(index: XmlIndex, apex: number): boolean {
  const isOwnVocabulary = index.namespaceName(apex) === DS || index.namespaceName(apex) === XADES
  if (isOwnVocabulary) return false
  for (let at = index.parent(apex); at !== NO_ELEMENT; at = index.parent(at))
    if (at !== ROOT && index.is(at, DS, 'Signature')) return true
  return false
}

/**
 * An element of the same name, nearer to the root and unsigned: the signed one was pushed down. Siblings and cousins at
 * the same depth are normal in legitimate documents with several parts.
 */
function hasUncoveredTwin(index: XmlIndex, apex: number, covered: Uint8Array): boolean {
  const depth = depthOf(index, apex)
  return index
    .findAll(index.namespaceName(apex), index.localName(apex))
    .some((twin) => covered[twin] === 0 && depthOf(index, twin) < depth && !index.contains(twin, apex))
}

function depthOf(index: XmlIndex, element: number): number {
  let depth = 0
  for (let at = element; at !== NO_ELEMENT; at = index.cell(at, ELEMENT.parent)) depth++
  return depth
}
