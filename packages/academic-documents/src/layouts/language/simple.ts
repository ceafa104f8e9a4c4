// Values: what may stand in an attribute, or in an element without children. The names of the facets are those of XML
// Schema, because the norm is written in it and both must be read side by side.

/** The families of values that XML Schema tells apart here. */
export type ValueFamily = 'text' | 'date' | 'decimal' | 'integer' | 'unsignedInt' | 'base64' | 'uri' | 'id'

export interface Facets {
  /** `collapse`: blanks around the value, and all but one inside it, do not count. */
  readonly blanks?: 'preserve' | 'collapse'
  readonly enumeration?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly fractionDigits?: number
  /** Every one must match the whole value. */
  readonly patterns?: readonly RegExp[]
  /** What replaces the patterns in documents of the `https` namespace, where the published files differ. */
  readonly patternsUnderHttps?: readonly RegExp[]
}

/** A type of values; `Value` is what TypeScript lets a caller give. */
export interface Simple<Value = string> extends Facets {
  readonly is: 'simple'
  readonly family: ValueFamily
  readonly blanks: 'preserve' | 'collapse'
  readonly patterns: readonly RegExp[]
  /** In Portuguese, to users: what is expected ("11 algarismos, sem pontos nem traço"). */
  readonly expects: string
  /** Only for the compiler. */
  readonly value?: Value
}

/** What a family brings along before any facet. Numbers may be given as such; they are written as JavaScript writes them. */
const collapsed: ReadonlySet<ValueFamily> = new Set([
  'date',
  'decimal',
  'integer',
  'unsignedInt',
  'base64',
  'uri',
  'id',
])

function simple<Value>(family: ValueFamily, expects: string, facets: Facets): Simple<Value> {
  const blanks = collapsed.has(family) ? 'collapse' : 'preserve'
  return { is: 'simple', family, blanks, patterns: [], expects, ...facets }
}

export const text = (expects: string, facets: Facets = {}): Simple => simple('text', expects, facets)
export const date = (expects: string): Simple => simple('date', expects, {})
export const base64 = (expects: string): Simple => simple('base64', expects, {})
export const uri = (expects: string, facets: Facets = {}): Simple => simple('uri', expects, facets)
export const id = (expects: string, pattern?: RegExp): Simple =>
  simple('id', expects, pattern === undefined ? {} : { patterns: [pattern] })
export const decimal = (expects: string, facets: Facets): Simple<string | number> => simple('decimal', expects, facets)
export const integer = (expects: string): Simple<string | number> => simple('integer', expects, {})
export const unsignedInt = (expects: string, pattern: RegExp): Simple<string | number> =>
  simple('unsignedInt', expects, { patterns: [pattern], minimum: 0, maximum: 4_294_967_295 })

/** One of a list of values. */
export const oneOf = <const Listed extends readonly string[]>(...listed: Listed): Simple<Listed[number]> =>
  simple('text', `um destes valores: ${listed.join('; ')}`, { enumeration: listed })

/** The same type with further facets; patterns add up, as restrictions of XML Schema do. */
export function narrowed<Value>(base: Simple<Value>, expects: string, facets: Facets): Simple<Value> {
  return { ...base, ...facets, expects, patterns: [...base.patterns, ...(facets.patterns ?? [])] }
}
