import type { Random } from '../random.ts'
import { anyBytes } from './any-bytes.ts'
import { derDamage } from './der.ts'
import { type Mutators, replaced } from './mutator.ts'
import { editNumber, inOneMatch, insertText } from './text.ts'

/** Mutators for XML: names, references, nesting, base64 content. */
export const xmlDamage: Mutators = {
  'edit a number': editNumber,
  'edit an Id': inOneMatch(/\bId="[^"]*"/g, (_, random) => `Id="${random.pick(['', '#', 'x', 'id-1', '" a="'])}"`),
  'edit a reference': inOneMatch(/URI="[^"]*"/g, (_, random) =>
    random.pick(['URI=""', 'URI="#x"', 'URI="#"', 'URI="http://127.0.0.1:9/"', 'URI="file:///etc/hostname"', '']),
  ),
  'edit an algorithm': inOneMatch(/Algorithm="[^"]*"/g, (_, random) => `Algorithm="${random.pick(algorithms)}"`),
  'repeat an element': inOneMatch(/<(\w+:)?(\w+)[^<>]*>[^<>]*<\/\1?\2>/g, (element, random) =>
    element.repeat(random.pick([2, 3, 500])),
  ),
  'move an element': (bytes, random) => {
    // Searching for ends is quadratic: a file that another mutation has blown up is skipped, and elements are short.
    const text = bytes.length > 100_000 ? '' : bytes.toString('latin1')
    const elements = [...text.matchAll(/<((?:\w+:)?\w+)(?:\s[^<>]*)?>[\s\S]{0,2000}?<\/\1>/g)]
    const places = [...text.matchAll(/>/g)]
    if (elements.length === 0 || places.length === 0) return bytes
    const at = random.pick(places).index + 1
    return replaced(bytes, at, at, Buffer.from(random.pick(elements)[0], 'latin1'))
  },
  'insert markup': insertText([
    '<',
    '>',
    '&',
    '"',
    '<!--x-->',
    '<![CDATA[x]]>',
    '<?x y?>',
    '&#0;',
    '&#x10FFFF;',
    '&lt;',
    ']]>',
    '\r',
    ' xmlns="urn:x"',
    ' xmlns:ds="urn:x"',
    '\u00e7',
    '\u0000',
  ]),
  'document type': (bytes, random) =>
    replaced(bytes, insideProlog(bytes), insideProlog(bytes), Buffer.from(random.pick(documentTypes))),
  'deep nesting': (bytes, random) => {
    const at = bytes.indexOf('>', bytes.indexOf('<', insideProlog(bytes))) + 1
    const depth = random.pick([50, 300, 100_000])
    return replaced(bytes, at, at, Buffer.from(random.chance(0.5) ? '<a>'.repeat(depth) : balanced(depth)))
  },
  'many attributes': (bytes, random) => {
    const at = bytes.indexOf('>', insideProlog(bytes))
    const count = random.pick([10, 300, 20_000])
    const attributes = Array.from({ length: count }, (_, i) => ` ${random.chance(0.5) ? 'xmlns:' : ''}a${i}="${i}"`)
    return at < 0 ? bytes : replaced(bytes, at, at, Buffer.from(attributes.join('')))
  },
  'inside base64': inBase64,
}

const algorithms = [
  '',
  'http://www.w3.org/TR/1999/REC-xslt-19991116',
  'http://www.w3.org/TR/1999/REC-xpath-19991116',
  'http://www.w3.org/2000/09/xmldsig#base64',
  'http://www.w3.org/2000/09/xmldsig#sha1',
  'http://www.w3.org/2000/09/xmldsig#hmac-sha1',
  'http://www.w3.org/2001/04/xmlenc#sha256',
  'http://www.w3.org/2006/12/xml-c14n11',
  'http://www.w3.org/2001/10/xml-exc-c14n#WithComments',
  'urn:unknown',
]

const documentTypes = [
  '<!DOCTYPE a [<!ENTITY x "y">]>',
  '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>',
  '<!DOCTYPE a SYSTEM "file:///etc/hostname">',
  '<!DOCTYPE a [<!ATTLIST a Id ID #IMPLIED>]>',
]

const balanced = (depth: number): string => '<a>'.repeat(depth) + '</a>'.repeat(depth)

/** After the declaration, if there is one. */
const insideProlog = (bytes: Buffer): number => Math.max(0, bytes.indexOf('?>') + (bytes.includes('?>') ? 2 : 0))

/** Certificates, revocation data and tokens of an XML signature stand in base64. */
function inBase64(bytes: Buffer, random: Random, other: Buffer): Buffer {
  const values = [...bytes.toString('latin1').matchAll(/>([A-Za-z0-9+/=\s]{24,})</g)]
  if (values.length === 0) return bytes
  const value = random.pick(values)
  const damage = random.pick([...Object.values(derDamage), ...Object.values(anyBytes)])
  const broken = damage(Buffer.from(value[1]!, 'base64'), random, other).toString('base64')
  return replaced(bytes, value.index + 1, value.index + 1 + value[1]!.length, Buffer.from(broken))
}
