import type { Random } from '../random.ts'
import { type Mutators, replaced } from './mutator.ts'
import { inOneMatch } from './text.ts'

/** Names of encodings, of the same bytes in other letters among them. */
const names = [
  ...['UTF-8', 'utf8', 'UTF-16', 'UTF-16LE', 'UTF-16BE', 'UTF-32', 'US-ASCII', 'ISO-8859-1', 'ISO-8859-2'],
  ...['ISO-8859-15', 'windows-1252', 'windows-1250', 'windows-1251', 'IBM850', 'UTF-7', 'EBCDIC-CP-US', ''],
]
const marks = [Buffer.of(0xef, 0xbb, 0xbf), Buffer.of(0xff, 0xfe), Buffer.of(0xfe, 0xff), Buffer.of(0, 0, 0xfe, 0xff)]

/** Letters of several bytes, of none in some encodings, lone surrogates, and bytes that UTF-8 forbids. */
const letters = [
  ...['é', '€', '\ufeff', '\u0085', '\u2028', '😀', '\ufffe'].map((letter) => Buffer.from(letter)),
  ...['é', '€', '😀', '\ud800', '\udc00'].map((letter) => Buffer.from(letter, 'utf16le')),
  ...['c0af', 'eda080', 'f4908080', 'fe', '80', '81', '9d', 'd800', '00'].map((bytes) => Buffer.from(bytes, 'hex')),
]

/** Mutators for the encoding of a text: what is declared, what marks it, and what is there. */
export const encodingDamage: Mutators = {
  'another declaration': declared((random) => random.pick(names)),
  'another version': declared(() => '', /version=(?:"|"\0)1/),
  'another mark': (bytes, random) => Buffer.concat([random.pick(marks), bytes]),
  'no mark': (bytes) => bytes.subarray(marks.find((mark) => bytes.subarray(0, mark.length).equals(mark))?.length ?? 0),
  'the other order of bytes': (bytes) => Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16(),
  'as UTF-8': (bytes) => Buffer.from(bytes.toString('latin1'), 'utf8'),
  'as UTF-16': (bytes) => Buffer.from(bytes.toString('utf8'), 'utf16le'),
  'from UTF-16': (bytes) => Buffer.from(bytes.toString('utf16le'), 'utf8'),
  'a letter': (bytes, random) => {
    const at = random.below(bytes.length + 1)
    return replaced(bytes, at, Math.min(bytes.length, at + random.below(3)), random.pick(letters))
  },
  'half a letter': (bytes, random) => {
    const at = random.below(bytes.length + 1)
    return replaced(bytes, at, Math.min(bytes.length, at + 1), Buffer.alloc(0))
  },
}

/** Changes the value of a pseudo-attribute, in single bytes or in pairs of them. */
function declared(by: (random: Random) => string, pattern = /encoding=["'][^"']*/) {
  return inOneMatch(
    new RegExp(pattern, 'g'),
    (found, random) => `${found.slice(0, found.search(/["']/) + 1)}${by(random)}`,
  )
}
