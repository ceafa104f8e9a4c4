import Type, { type TSchema } from 'typebox'
import { isSection, keywords, type SettingKeywords } from './setting-schema.ts'

/** The values a setting accepts, in words that complete "must be …": `an integer from 1 to 65535`. */
export function acceptedValues(schema: TSchema): string {
  const words = keywords(schema)
  if (words.accepts) return words.accepts
  if (Type.IsRecord(schema)) return 'an object of names and values'
  if (isSection(schema)) return `an object with ${Object.keys(schema.properties).join(', ')}`
  if (words.items)
    return `a list${counted(words.minItems, words.maxItems, 'elements')}, each ${acceptedValues(words.items)}`
  return oneOf(words) ?? (words.anyOf ? words.anyOf.map(acceptedValues).join(' or ') : plain(words))
}

/** The JSON types a setting accepts; they decide how the text of an environment variable is parsed. */
export function acceptedTypes(schema: TSchema): ReadonlySet<string> {
  const { type, enum: values, const: value, anyOf } = keywords(schema)
  if (anyOf) return new Set(anyOf.flatMap((choice) => [...acceptedTypes(choice)]))
  if (type) return new Set([type])
  return new Set((values ?? [value]).map((choice) => (choice === null ? 'null' : typeof choice)))
}

/** The values of an enumeration, or undefined for a range. */
function oneOf(words: SettingKeywords): string | undefined {
  const values = words.enum ?? words.anyOf?.map((choice) => keywords(choice).const)
  if (words.const !== undefined) return JSON.stringify(words.const)
  if (!values || values.includes(undefined)) return undefined
  return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`
}

const plainTypes: Record<string, (words: SettingKeywords) => string> = {
  boolean: () => 'true or false',
  integer: (words) => `an integer${ranged(words)}`,
  number: (words) => `a number${ranged(words)}`,
  string: (words) => (isJustNotEmpty(words) ? 'a text that is not empty' : `a text${lengthOf(words)}`),
  null: () => 'null',
}

const plain = (words: SettingKeywords): string => plainTypes[words.type ?? '']?.(words) ?? 'another value'

const isJustNotEmpty = ({ minLength, maxLength }: SettingKeywords): boolean =>
  minLength === 1 && maxLength === undefined

const lengthOf = ({ minLength, maxLength }: SettingKeywords): string => counted(minLength, maxLength, 'characters')

function ranged({ minimum, maximum }: SettingKeywords): string {
  if (minimum === undefined) return maximum === undefined ? '' : ` of at most ${maximum}`
  return maximum === undefined ? ` of at least ${minimum}` : ` from ${minimum} to ${maximum}`
}

function counted(least: number | undefined, most: number | undefined, unit: string): string {
  if (least === undefined) return most === undefined ? '' : ` of at most ${most} ${unit}`
  return most === undefined ? ` of at least ${least} ${unit}` : ` of ${least} to ${most} ${unit}`
}
