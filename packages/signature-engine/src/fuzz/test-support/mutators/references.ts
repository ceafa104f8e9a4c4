import type { Random } from '../random.ts'
import { type Mutator, type Mutators, replaced } from './mutator.ts'
import { inOneMatch } from './text.ts'

const expressions = [
  ...['//*', '/*', '/', '//o:texto', '/*/o:texto[1]', '//o:texto[2]', '//*[@Id="t1"]', 'id("t1")', '//ds:Signature'],
  ...['//ds:Signature | //o:texto', '/*/*', '//comment()', 'here()/ancestor::ds:Signature[1]', 'self::o:texto'],
  ...['not(ancestor-or-self::o:texto)', 'not(ancestor-or-self::ds:Signature)', 'true()', 'false()', '1=2', '//@*', ''],
]
const transforms = [
  'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  'http://www.w3.org/2000/09/xmldsig#base64',
  'http://www.w3.org/TR/1999/REC-xpath-19991116',
  'http://www.w3.org/TR/1999/REC-xslt-19991116',
  'http://www.w3.org/2002/06/xmldsig-filter2',
]

const ELEMENT = /<o:texto[^>]*>[^<]*<\/o:texto>/g
const SIGNATURE = /<(\w+:)?Signature[\s>][\s\S]*<\/\1?Signature>/
const evil = (random: Random) => `<o:texto Id="${random.pick(['t1', 't2', 't3'])}">O valor total soma um real</o:texto>`

/** Puts an element where a match ends, or begins. */
const beside = (pattern: RegExp, made: (found: string, random: Random) => string): Mutator =>
  inOneMatch(pattern, (found, random) =>
    random.chance(0.5) ? found + made(found, random) : made(found, random) + found,
  )

/** Mutators for what a signature refers to: wrapping, filters, more and fewer references. */
export const referenceDamage: Mutators = {
  'a forged element': beside(ELEMENT, (_, random) => evil(random)),
  'the original in an object': (bytes, random) => {
    const found = bytes.toString('latin1').match(ELEMENT)
    const end = bytes.lastIndexOf('Signature>') - 2
    if (!found || end < 0) return bytes
    const at = bytes.lastIndexOf('<', end + 2)
    const hidden = Buffer.from(
      `<ds:Object xmlns:ds="http://www.w3.org/2000/09/xmldsig#">${found[0]}</ds:Object>`,
      'latin1',
    )
    return swapped(replaced(bytes, at, at, hidden), found[0], evil(random))
  },
  'the document in another one': (bytes, random) => {
    const text = bytes.toString('latin1').replace(/<\?xml[^>]*>/, '')
    return Buffer.from(`<contrato xmlns:o="urn:o">${evil(random)}${text}</contrato>`, 'latin1')
  },
  'the signature elsewhere': (bytes) => {
    const text = bytes.toString('latin1')
    const signature = SIGNATURE.exec(text)?.[0] ?? ''
    return Buffer.from(
      text.replace(signature, '').replace(/<o:texto/, `${signature.replaceAll('$', '$$$$')}<o:texto`),
      'latin1',
    )
  },
  'the signature alone with the forged': (bytes, random) => {
    const signature = SIGNATURE.exec(bytes.toString('latin1'))?.[0] ?? ''
    return Buffer.from(`<contrato xmlns:o="urn:o" Id="c1">${evil(random)}${signature}</contrato>`, 'latin1')
  },
  'an expression': inOneMatch(
    /(<(?:\w+:)?XPath[^>]*>)[^<]*/g,
    (found, random) => found.slice(0, found.indexOf('>') + 1) + random.pick(expressions),
  ),
  'what a filter does': inOneMatch(
    /Filter="\w*"/g,
    (_, random) => `Filter="${random.pick(['union', 'intersect', 'subtract', ''])}"`,
  ),
  'a prefix': inOneMatch(/xmlns:ds="[^"]*"/g, () => 'xmlns:ds="urn:other"'),
  'a transform': inOneMatch(
    /<(\w+:)?Transform Algorithm="[^"]*"/g,
    (found, random) => `${found.slice(0, found.indexOf('"'))}"${random.pick(transforms)}"`,
  ),
  'one transform more': inOneMatch(
    /<(?:\w+:)?Transforms>/g,
    (found, random) => `${found}${found.replace('Transforms>', 'Transform')} Algorithm="${random.pick(transforms)}"/>`,
  ),
  'one reference less': inOneMatch(/<(\w+:)?Reference[\s\S]*?<\/\1?Reference>/g, () => ''),
  'one reference twice': inOneMatch(/<(\w+:)?Reference[\s\S]*?<\/\1?Reference>/g, (found) => found + found),
  'to another element': inOneMatch(
    /URI="#?\w*"/g,
    (_, random) => `URI="${random.pick(['', '#t1', '#t2', '#c1', '#m1', '#xpointer(/)', "#xpointer(id('t1'))"])}"`,
  ),
  'as of a manifest': inOneMatch(
    /URI="#\w*"/g,
    (found) => `${found} Type="http://www.w3.org/2000/09/xmldsig#Manifest"`,
  ),
}

const swapped = (bytes: Buffer, from: string, to: string): Buffer =>
  Buffer.from(bytes.toString('latin1').replace(from, to.replaceAll('$', '$$$$')), 'latin1')
