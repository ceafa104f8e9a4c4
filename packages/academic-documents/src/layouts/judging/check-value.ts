import type { Simple, ValueFamily } from '../language/simple.ts'
import { insideLatinLine, latinLine, plainName } from '../tables/character-sets.ts'
import { asNumber, decimalParts, isBase64, isDate, isInteger, isUri } from './lexical.ts'
import type { LayoutProblemCode, ProblemDetails } from './problems.ts'

export interface ValueFault {
  readonly code: LayoutProblemCode
  readonly details: ProblemDetails
}

/** Blanks as XML knows them; a hard space is a character like any other. */
const BLANKS = /[\t\n\r ]+/g
const AROUND = /^ | $/g

/** The value that counts: blanks as its type treats them. Dates keep theirs and are refused for them. */
export function countingValue(type: Simple<unknown>, raw: string): string {
  if (type.blanks === 'preserve' || type.family === 'date') return raw
  return raw.replace(BLANKS, ' ').replace(AROUND, '')
}

/**
 * Characters of a value that is judged by a pattern, at most. The published schemas know no such limit; a pattern may take
 * room for every character, and no name, number or address of a credential is near it.
 */
const LONGEST_PATTERNED = 1_000_000

/** What is wrong with a value, or `undefined`. `https`: the document is of the namespace that begins so. */
export function checkValue(type: Simple<unknown>, raw: string, https: boolean): ValueFault | undefined {
  const value = countingValue(type, raw)
  if (value.length > LONGEST_PATTERNED && isPatterned(type)) return fault('value-too-long', type, value)
  const code = families[type.family](value, type) ?? facetFault(type, value, https)
  if (code === undefined) return undefined
  return code === 'value-wrong' && type.patterns.includes(latinLine) ? lineFault(type, value) : fault(code, type, value)
}

const isPatterned = ({ family, patterns }: Simple<unknown>): boolean =>
  patterns.length > 0 || (family !== 'text' && family !== 'base64')

function fault(code: LayoutProblemCode, type: Simple<unknown>, value: string): ValueFault {
  return { code, details: { value, expects: type.expects } }
}

type Check = (value: string, type: Simple<unknown>) => LayoutProblemCode | undefined

const unless =
  (holds: (value: string) => boolean, code: LayoutProblemCode): Check =>
  (value) =>
    holds(value) ? undefined : code

const families: Readonly<Record<ValueFamily, Check>> = {
  text: () => undefined,
  date: unless(isDate, 'value-not-a-date'),
  base64: unless(isBase64, 'value-not-base64'),
  uri: unless(isUri, 'value-not-a-uri'),
  id: unless((value) => plainName.test(value), 'value-wrong'),
  integer: unless(isInteger, 'value-not-a-number'),
  decimal: checkDecimal,
  unsignedInt: (value, type) => (isInteger(value) ? checkDecimal(value, type) : 'value-not-a-number'),
}

function checkDecimal(value: string, type: Simple<unknown>): LayoutProblemCode | undefined {
  const parts = decimalParts(value)
  if (parts === undefined) return 'value-not-a-number'
  if (type.fractionDigits !== undefined && parts.fraction.length > type.fractionDigits) return 'value-too-precise'
  const number = asNumber(parts)
  const fits = number >= (type.minimum ?? -Infinity) && number <= (type.maximum ?? Infinity)
  return fits ? undefined : 'value-out-of-range'
}

function facetFault(type: Simple<unknown>, value: string, https: boolean): LayoutProblemCode | undefined {
  if (type.enumeration !== undefined && !type.enumeration.includes(value)) return 'value-not-listed'
  const patterns = https ? (type.patternsUnderHttps ?? type.patterns) : type.patterns
  if (!patterns.every((pattern) => pattern.test(value))) return 'value-wrong'
  if (type.minLength !== undefined && value.length < type.minLength * 2 && lengthOf(value) < type.minLength)
    return 'value-too-short'
  return type.maxLength !== undefined && value.length > type.maxLength && lengthOf(value) > type.maxLength
    ? 'value-too-long'
    : undefined
}

/** Characters, not halves of them. */
const lengthOf = (value: string): number => [...value].length

/** A line of text is refused for a reason that can be shown. */
function lineFault(type: Simple<unknown>, value: string): ValueFault {
  if (latinLine.test(value) || value === '') return fault('value-wrong', type, value)
  const strange = [...value].find((character) => !insideLatinLine.test(character))
  if (strange === undefined) return fault('value-blank-at-ends', type, value)
  return { code: 'value-character', details: { character: strange, code: codePoint(strange) } }
}

/** `U+20AC` */
export const codePoint = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
