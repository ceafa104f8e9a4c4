// Passwords that guessers try first: common ones, those made of who somebody is, patterns of a keyboard.
import { COMMON_WORDS } from './common-words.ts'

/** Why a password is guessed within moments. */
export type PasswordWeakness = 'common' | 'personal' | 'repeated' | 'sequence'

/**
 * Whether a password is one that guessers try first, and why. `about` is what they know of its owner: names, addresses,
 * the name of the organization.
 */
export function weaknessOf(password: string, about: readonly string[] = []): PasswordWeakness | undefined {
  const plain = plainOf(password)
  const personal = new Set(about.flatMap(wordsAbout))
  const forms = [plain, withoutNumber(plain)].flatMap((form) => [form, withoutLeet(form)])
  if (REPEATED.test(plain)) return 'repeated'
  if (isSequence(plain)) return 'sequence'
  if (forms.some((form) => isMadeOf(form, COMMON_WORDS))) return 'common'
  return forms.some((form) => isMadeOf(form, COMMON_WORDS, personal)) ? 'personal' : undefined
}

/** Letters and digits alone, without case and accents: signs between them stop nobody. */
const plainOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

const LEET: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }

/** Digits that stand for letters: `s3nh4`. */
const withoutLeet = (plain: string): string =>
  plain.replaceAll(/(?<=[a-z])[013457](?=[a-z]|$)/g, (digit) => LEET[digit]!)

/** Most digits that are taken for a number before or after a word: a year, a day. A longer one is a secret of its own. */
const withoutNumber = (plain: string): string => plain.replace(/^\d{0,6}/, '').replace(/\d{0,6}$/, '')

/** The same few letters over and over. */
const REPEATED = /^(.{1,6}?)\1+.{0,2}$/

const LINES = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'qazwsxedcrfvtgb',
]
const RUNS = LINES.flatMap((line) => [line, [...line].reverse().join('')])

const SHORTEST_RUN = 3

/** Whether a text is runs along the alphabet, the digits or the keyboard, and hardly anything after them. */
function isSequence(plain: string): boolean {
  for (let at = 0; at < plain.length; ) {
    const length = longestRun(plain.slice(at))
    if (length < SHORTEST_RUN) return at > 0 && plain.length - at < SHORTEST_RUN
    at += length
  }
  return plain.length > 0
}

function longestRun(text: string): number {
  let longest = 0
  while (longest < text.length && RUNS.some((run) => run.includes(text.slice(0, longest + 1)))) longest += 1
  return longest
}

const SHORTEST_WORD = 3

/** What is said of a person, as one word and word by word; of an address its parts, too. */
const wordsAbout = (text: string): readonly string[] =>
  [text, ...text.split(/[^\p{L}\p{N}\p{M}]+/u)].map(plainOf).filter((word) => word.length >= SHORTEST_WORD)

/** More words than this are a sentence, which nobody guesses although every word of it is common. */
const MOST_WORDS = 3

/** Whether a text can be cut into a few known words without a rest. */
function isMadeOf(text: string, ...known: readonly ReadonlySet<string>[]): boolean {
  const fewest = new Map([[0, 0]])
  for (let end = SHORTEST_WORD; end <= text.length; end += 1)
    for (const [begin, count] of [...fewest])
      if (known.some((words) => words.has(text.slice(begin, end))))
        fewest.set(end, Math.min(count + 1, fewest.get(end) ?? MOST_WORDS + 1))
  return text.length > 0 && (fewest.get(text.length) ?? MOST_WORDS + 1) <= MOST_WORDS
}
