import { encodeDocument } from '../xml/encodings.ts'
import { ELEMENT, type XmlIndex } from '../xml/xml-index.ts'
import type { Insertion } from './place.ts'
import { atMostOne, type XmlSignature } from './read-signature.ts'
import { DS, XADES, XADES_141 } from './vocabulary.ts'

const PREFIXES: readonly (readonly [prefix: string, uri: string])[] = [
  ['ds', DS],
  ['xades', XADES],
  ['xades141', XADES_141],
]

/** Adds properties after the existing unsigned ones, and declares the prefixes a foreign signature lacks. */
export function insertUnsigned(index: XmlIndex, signature: XmlSignature, properties: string): Buffer {
  const { parent, wrappers } = gap(index, signature)
  const text = wrappers.reduceRight((inner, name) => `<${name}>${inner}</${name}>`, properties)
  return spliced(index, parent, declared(index, parent, text))
}

/** Where a new unsigned property of this name begins and ends, for content that is not known yet. */
export function unsignedGap(index: XmlIndex, signature: XmlSignature, property: string): Insertion {
  const { parent, wrappers } = gap(index, signature)
  const text = [...wrappers, property].reduceRight((inner, name) => `<${name}>${inner}</${name}>`, CONTENT)
  const [before, behind] = declared(index, parent, text).split(CONTENT) as [string, string]
  const { at, resume, name } = endOf(index, parent)
  const isEmpty = at !== resume
  return {
    parent,
    at,
    resume,
    before: isEmpty ? `>${before}` : before,
    behind: isEmpty ? `${behind}</${name}>` : behind,
  }
}

/** Stands for what is not known yet; no property has such a character. */
const CONTENT = '\u0000'

/** The innermost element that is there, and those that have to be put into it. */
function gap(index: XmlIndex, signature: XmlSignature): { parent: number; wrappers: readonly string[] } {
  const qualifying = signature.qualifying!
  if (signature.unsigned !== undefined) return { parent: signature.unsigned, wrappers: [] }
  const unsignedProperties = atMostOne(index, qualifying, 'UnsignedProperties')
  return unsignedProperties !== undefined
    ? { parent: unsignedProperties, wrappers: ['xades:UnsignedSignatureProperties'] }
    : { parent: qualifying, wrappers: ['xades:UnsignedProperties', 'xades:UnsignedSignatureProperties'] }
}

/** Adds the missing declarations to each outermost element of the text. */
function declared(index: XmlIndex, parent: number, text: string): string {
  const scope = index.namespacesInScope(parent)
  const missing = PREFIXES.filter(([prefix, uri]) => scope.get(prefix) !== uri && text.includes(`<${prefix}:`))
  const declarations = missing.map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`).join('')
  if (declarations === '') return text
  return outermostTags(text).reduceRight((rest, at) => rest.slice(0, at) + declarations + rest.slice(at), text)
}

/** Offsets after the names of the outermost start tags. The text is ours: no comments, no empty-element tags. */
function outermostTags(text: string): number[] {
  const found: number[] = []
  let depth = 0
  for (const tag of text.matchAll(/<(\/?)([\w:]+)/g)) {
    if (tag[1] === '/') depth--
    else if (depth++ === 0) found.push(tag.index + tag[0].length)
  }
  return found
}

function spliced(index: XmlIndex, parent: number, text: string): Buffer {
  const { bytes, encoding } = index.tables
  const { at, resume, name } = endOf(index, parent)
  const inserted = at === resume ? text : `>${text}</${name}>`
  const whole = Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted, 'utf8'), bytes.subarray(resume)])
  return encodeDocument(whole, encoding)
}

/** Where the content of an element ends; an empty-element tag is opened up, hence `resume` behind it. */
function endOf(index: XmlIndex, parent: number): { at: number; resume: number; name: string } {
  const close = index.cell(parent, ELEMENT.close)
  const isEmpty = close === index.cell(parent, ELEMENT.end)
  const name = index.slice(index.cell(parent, ELEMENT.start) + 1, index.cell(parent, ELEMENT.nameEnd))
  return { at: isEmpty ? close - '/>'.length : close, resume: close, name }
}
