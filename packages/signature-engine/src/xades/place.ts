import { requireArguments } from '../errors/arguments.ts'
import { ELEMENT, FLAG, NO_ELEMENT, ROOT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { selectByXPath } from '../xml/xpath-selection.ts'
import { refuseXades } from './errors.ts'
import { DS } from './vocabulary.ts'

/** An element of a document: by its Id, or as `locateElement` found it. */
export type Place = { readonly id: string } | { readonly ordinal: number }

/** An element given by an XPath expression, with the prefixes the expression uses. */
export type XPathPlace = { readonly xpath: string; readonly namespaces?: Readonly<Record<string, string>> }

/** Where the signature goes, relative to an element. */
export type Position<P = Place> = {
  readonly at: 'first-child' | 'last-child' | 'before' | 'after'
  /** Default the root element. */
  readonly of?: P
}

/** Finds the one element an XPath expression selects; separate from signing because libxml2 is loaded only for this. */
export async function locateElement(
  document: Uint8Array,
  xpath: string,
  namespaces: Readonly<Record<string, string>> = {},
): Promise<Place> {
  requireArguments('locateElement', { document: [document, 'bytes'], xpath: [xpath, 'text'] })
  return { ordinal: await selectByXPath(scanXml(document), xpath, namespaces) }
}

/** The element, for any kind of place. */
export function elementAt(index: XmlIndex, place: Place): number {
  if ('id' in place) return index.elementById(place.id)
  return Number.isInteger(place.ordinal) && place.ordinal >= 0 && place.ordinal < index.tables.elementCount
    ? place.ordinal
    : index.elementById(`element number ${place.ordinal}`)
}

/** A gap in the bytes for the signature. */
export interface Insertion {
  /** The element that becomes the signature's parent. */
  readonly parent: number
  readonly at: number
  /** Where the document continues: after `at` when an empty-element tag is opened up. */
  readonly resume: number
  readonly before: string
  readonly behind: string
}

/** Where the bytes of the signature go. */
export function insertionAt(index: XmlIndex, { at, of }: Position): Insertion {
  const element = of === undefined ? ROOT : elementAt(index, of)
  const insertion = at === 'before' || at === 'after' ? besides(index, element, at) : within(index, element, at)
  for (let outer = insertion.parent; outer !== NO_ELEMENT; outer = index.parent(outer))
    if (index.is(outer, DS, 'Signature')) throw refuseXades('xades.position-inside-signature')
  return insertion
}

function besides(index: XmlIndex, element: number, at: 'before' | 'after'): Insertion {
  const parent = index.parent(element)
  if (parent === NO_ELEMENT) throw refuseXades('xades.position-outside')
  const offset = index.cell(element, at === 'before' ? ELEMENT.start : ELEMENT.end)
  return { parent, at: offset, resume: offset, before: '', behind: '' }
}

function within(index: XmlIndex, parent: number, at: 'first-child' | 'last-child'): Insertion {
  if ((index.cell(parent, ELEMENT.flags) & FLAG.empty) === 0) {
    const offset = index.cell(parent, at === 'first-child' ? ELEMENT.tagEnd : ELEMENT.close)
    return { parent, at: offset, resume: offset, before: '', behind: '' }
  }
  const resume = index.cell(parent, ELEMENT.tagEnd)
  const name = index.slice(index.cell(parent, ELEMENT.start) + 1, index.cell(parent, ELEMENT.nameEnd))
  return { parent, at: resume - '/>'.length, resume, before: '>', behind: `</${name}>` }
}
