import type { Random } from '../random.ts'
import { type Mutator, replaced } from './mutator.ts'

const numbers = ['0', '1', '-1', '2147483648', '4294967296', '99999999999999999999', '1e309', '0.5', '', '00000000000']

/** Replaces one of the matches; nothing changes where there is none. */
export function inOneMatch(pattern: RegExp, by: (match: string, random: Random) => string): Mutator {
  return (bytes, random) => {
    const matches = [...bytes.toString('latin1').matchAll(pattern)]
    if (matches.length === 0) return bytes
    const match = random.pick(matches)
    const text = Buffer.from(by(match[0], random), 'latin1')
    return replaced(bytes, match.index, match.index + match[0].length, text)
  }
}

/** Changes a number in a text to a boundary value, or to a neighbour. */
export const editNumber: Mutator = inOneMatch(/\d+/g, (match, random) =>
  random.chance(0.5) ? random.pick(numbers) : String(Number(match) + random.between(-20, 20)),
)

/** Puts a text at any place. */
export const insertText =
  (texts: readonly string[]): Mutator =>
  (bytes, random) => {
    const at = random.below(bytes.length + 1)
    return replaced(bytes, at, at, Buffer.from(random.pick(texts), 'latin1'))
  }
