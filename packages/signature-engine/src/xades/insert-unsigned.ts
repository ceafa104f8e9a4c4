import { encodeDocument } from '../xml/encodings.ts'
import { ELEMENT, type XmlIndex } from '../xml/xml-index.ts'
import { atMostOne, type XmlSignature } from './read-signature.ts'
import { DS, XADES, XADES_141 } from './vocabulary.ts'

const PREFIXES: readonly (readonly [prefix: string, uri: string])[] = [
  ['ds', DS],
  ['xades', XADES],
  ['xades141', XADES_141],
]

/** Adds properties after the existing unsigned ones, and declares the prefixes a foreign signature lacks. */
export function insertUnsigned(index: XmlIndex, signature: XmlSignature, properties: string): Buffer {
  const qualifying = signature.qualifying!
  const unsignedProperties = atMostOne(index, qualifying, 'UnsignedProperties')
  const [parent, wrappers] =
    signature.unsigned !== undefined
      ? [signature.unsigned, []]
      : unsignedProperties !== undefined
        ? [unsignedProperties, ['xades:UnsignedSignatureProperties']]
        : [qualifying, ['xades:UnsignedProperties', 'xades:UnsignedSignatureProperties']]
  const text = wrappers.reduceRight((inner, name) => `<${name}>${inner}</${name}>`, properties)
  return spliced(index, parent, declared(index, parent, text))
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
  const isEmpty = index.cell(parent, ELEMENT.close) === index.cell(parent, ELEMENT.end)
  const close = index.cell(parent, ELEMENT.close)
  const name = index.slice(index.cell(parent, ELEMENT.start) + 1, index.cell(parent, ELEMENT.nameEnd))
  const at = isEmpty ? close - '/>'.length : close
  const inserted = isEmpty ? `>${text}</${name}>` : text
  const whole = Buffer.concat([bytes.subarray(0, at), Buffer.from(inserted, 'utf8'), bytes.subarray(close)])
  return encodeDocument(whole, encoding)
}
