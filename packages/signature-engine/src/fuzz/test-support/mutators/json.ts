import type { Random } from '../random.ts'
import { anyBytes } from './any-bytes.ts'
import { derDamage } from './der.ts'
import type { Mutators } from './mutator.ts'
import { editNumber, inOneMatch, insertText } from './text.ts'

const inside: Mutators = { ...anyBytes, ...derDamage }

/** Mutators for JSON and what is in base64url inside of it. */
export const jsonDamage: Mutators = {
  'edit a number': editNumber,
  'edit a name': inOneMatch(/"\w+":/g, (_, random) =>
    random.pick(['"alg":', '"payload":', '"x":', '"crit":', '""', ':']),
  ),
  'repeat a member': inOneMatch(/"\w+":"[^"]*",?/g, (member, random) => member.repeat(random.pick([2, 3, 300]))),
  'insert JSON': insertText([
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    'null',
    '"a":1,',
    '\\',
    '\\u0000',
    '.',
    '=',
    '__proto__',
  ]),
  'deep nesting': (bytes, random) => {
    const depth = random.pick([50, 300, 100_000])
    return Buffer.from(`{"a":${'['.repeat(depth)}${']'.repeat(depth)},${bytes.toString('latin1').slice(1)}`, 'latin1')
  },
  'inside base64url': inOneMatch(/[\w-]{12,}/g, (text, random) => changed(text, random)),
  'inside a header': inOneMatch(/eyJ[\w-]+/g, (text, random) => {
    const header = Buffer.from(text, 'base64url')
    const damage = random.pick([...Object.values(headerDamage)])
    return damage(header, random, header).toString('base64url')
  }),
}

function changed(text: string, random: Random): string {
  const bytes = Buffer.from(text, 'base64url')
  return inside[random.pick(Object.keys(inside))]!(bytes, random, bytes).toString('base64url')
}

const algorithms = ['none', 'HS256', 'RS256', 'RS384', 'PS256', 'ES256', 'ES256K', 'EdDSA', 'Ed448', '', 'x']

const headerDamage: Mutators = {
  'an algorithm': inOneMatch(/"alg":"[^"]*"/g, (_, random) => `"alg":"${random.pick(algorithms)}"`),
  'a number': editNumber,
  'a member': insertText(['"b64":false,', '"crit":["b64"],', '"crit":["x"],"x":1,', '"sigD":{},', '"b64":true,']),
  bits: anyBytes['flip bits']!,
}
