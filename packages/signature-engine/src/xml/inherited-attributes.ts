import { joinXmlBase } from './xml-base.ts'
import { ATTRIBUTE, NO_ELEMENT, XML_NAMESPACE, type XmlIndex } from './xml-index.ts'

/** An attribute outside its tag, for inherited ones. */
export type RenderedAttribute = {
  readonly name: string
  readonly uri: string
  readonly local: string
  readonly value: string
}

/** The attributes of an element, without its namespace declarations. */
export function renderedAttributes(index: XmlIndex, element: number): RenderedAttribute[] {
  return index.attributeRows(element).map((row) => ({
    name: index.slice(index.attributeCell(row, ATTRIBUTE.name), index.attributeCell(row, ATTRIBUTE.nameEnd)),
    uri: index.tables.uriNames[index.attributeCell(row, ATTRIBUTE.uri)]!,
    local: index.attributeLocalName(row),
    value: index.attributeText(row),
  }))
}

/**
 * The attributes an inclusive canonical form gives to an apex below `parent`: its own and the `xml:` ones of its
 * ancestors, nearest first. 1.1 does not inherit `xml:id` and joins `xml:base`. The same array when nothing is added.
 */
export function withInherited(
  index: XmlIndex,
  parent: number,
  family: 'inclusive' | 'inclusive11',
  own: RenderedAttribute[],
): RenderedAttribute[] {
  const xml = index.tables.uriNames[XML_NAMESPACE]!
  const inherited = new Map<string, RenderedAttribute>()
  const bases: string[] = []
  for (let at = parent; at !== NO_ELEMENT; at = index.parent(at))
    for (const attribute of renderedAttributes(index, at)) {
      if (attribute.uri !== xml || (family === 'inclusive11' && attribute.local === 'id')) continue
      if (family === 'inclusive11' && attribute.local === 'base') bases.unshift(attribute.value)
      else if (!inherited.has(attribute.local)) inherited.set(attribute.local, attribute)
    }
  const isOwn = ({ local }: RenderedAttribute) => own.some((mine) => mine.uri === xml && mine.local === local)
  const added = [...inherited.values()].filter((attribute) => !isOwn(attribute))
  if (bases.length > 0) return withJoinedBase([...own, ...added], bases, xml)
  return added.length === 0 ? own : [...own, ...added]
}

function withJoinedBase(attributes: RenderedAttribute[], bases: string[], xml: string): RenderedAttribute[] {
  const own = attributes.find(({ uri, local }) => uri === xml && local === 'base')
  const value = [...bases, ...(own === undefined ? [] : [own.value])].reduce(joinXmlBase)
  const others = attributes.filter((attribute) => attribute !== own)
  return value === '' ? others : [...others, { name: 'xml:base', uri: xml, local: 'base', value }]
}
