import { ATTRIBUTE, ELEMENT, ROOT, scanXml, type XmlIndex } from '@chancela/signature-engine/xml'
import { elementsOf } from '../judging/particles.ts'
import { written } from '../kinds.ts'
import type { Complex, ElementType } from '../language/content.ts'
import type { Simple } from '../language/simple.ts'
import { bytesOf, type Sample } from './all-samples.ts'
import { fixed } from './mutant-values.ts'
import type { Mutant } from './mutants.ts'

/** A value of the document, where it is and of which type. */
interface Leaf {
  readonly type: Simple<unknown>
  readonly start: number
  readonly end: number
  readonly where: string
}

/** For each type of values that was not told yet, every value of the list in the place of one of that type. */
export function facetMutants(sample: Sample, told: Set<unknown>): Mutant[] {
  const bytes = bytesOf(sample, { placeholderSignatures: true })
  return leavesOf(scanXml(bytes), sample).flatMap((leaf) => {
    if (told.has(leaf.type)) return []
    told.add(leaf.type)
    return fixed.map((value) => ({ how: `${leaf.where}: ${value}`, bytes: replaced(bytes, leaf, value) }))
  })
}

function replaced(bytes: Buffer, { start, end, where }: Leaf, value: string): Buffer {
  // Markup in an attribute would be no XML, and a quote would end it.
  const safe = where.includes('@') ? value.replace(/<[^>]*>|"/g, '') : value
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(safe), bytes.subarray(end)])
}

function leavesOf(index: XmlIndex, { kind }: Sample): Leaf[] {
  const root = written[kind].find(({ name }) => name === index.localName(ROOT))!
  return leavesIn(index, ROOT, root.type)
}

function leavesIn(index: XmlIndex, element: number, type: ElementType): Leaf[] {
  const range = { start: index.cell(element, ELEMENT.tagEnd), end: index.cell(element, ELEMENT.close) }
  if (type.is === 'simple') return [{ type, ...range, where: index.path(element) }]
  const own = type.valued === undefined ? [] : [{ type: type.valued, ...range, where: index.path(element) }]
  return [...own, ...attributesIn(index, element, type), ...childrenIn(index, element, type)]
}

function attributesIn(index: XmlIndex, element: number, { attributes }: Complex): Leaf[] {
  return index.attributeRows(element).flatMap((row) => {
    const name = index.attributeLocalName(row)
    const declared = attributes[name]
    const start = index.attributeCell(row, ATTRIBUTE.value)
    const end = index.attributeCell(row, ATTRIBUTE.valueEnd)
    return declared === undefined ? [] : [{ type: declared.type, start, end, where: `${index.path(element)}/@${name}` }]
  })
}

function childrenIn(index: XmlIndex, element: number, type: Complex): Leaf[] {
  return index.children(element).flatMap((child) => {
    const declared = elementsOf(type).get(index.localName(child))
    return declared === undefined ? [] : leavesIn(index, child, declared.type)
  })
}
