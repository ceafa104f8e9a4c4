// Valid input of any kind, made from the tables themselves: choices and occurrences at random, values at the limits.
import { checkValue, countingValue } from '../judging/check-value.ts'
import { type DocumentKind, written } from '../kinds.ts'
import { type Complex, choice, type ElementType, type Particle } from '../language/content.ts'
import { keyOf } from '../language/names.ts'
import type { Simple } from '../language/simple.ts'
import { isList } from '../writing/field-keys.ts'
import type { Seeded } from './seeded.ts'

/** Input for a document of a kind. Numbers are given as text, so that reading gives the same again. */
export const randomInput = (kind: DocumentKind, random: Seeded): Record<string, unknown> =>
  new Maker(random).fields(choice(...written[kind]))

class Maker {
  readonly #random: Seeded
  #ids = 0

  constructor(random: Seeded) {
    this.#random = random
  }

  fields(part: Particle): Record<string, unknown> {
    if (part.min === 0 && part.is !== 'element' && this.#random.next() < 0.5) return {}
    if (part.is === 'choice') return this.fields(this.#random.pick(part.parts))
    if (part.is === 'sequence') return Object.assign({}, ...part.parts.map((inner) => this.fields(inner)))
    if (part.is !== 'element') return {}
    const count = this.#count(part)
    if (count === 0) return {}
    const values = Array.from({ length: count }, () => this.#value(part.type))
    return { [keyOf(part.name)]: part.max === 'many' ? values : values[0] }
  }

  #count({ min, max }: Particle): number {
    return min + this.#random.below(max === 'many' ? 3 : 2 - min)
  }

  #value(type: ElementType): unknown {
    if (type.is === 'simple') return this.#text(type)
    if (isList(type)) return this.#list(type)
    const attributes = this.#attributes(type)
    if (type.valued !== undefined) return { valor: this.#text(type.valued), ...attributes }
    if (type.model !== undefined) return { ...attributes, ...this.fields(type.model) }
    return Object.keys(type.attributes).length === 0 ? true : attributes
  }

  #list({ model }: Complex): unknown[] {
    const { parts } = model as Extract<Particle, { is: 'choice' }>
    return Array.from({ length: this.#count(model!) }, () => this.fields(this.#random.pick(parts)))
  }

  #attributes({ attributes }: Complex): Record<string, unknown> {
    const given = Object.entries(attributes).filter(
      ([, { fixed, min }]) => fixed === undefined && (min === 1 || this.#random.next() < 0.5),
    )
    return Object.fromEntries(given.map(([name, { type }]) => [keyOf(name), this.#text(type)]))
  }

  #text(type: Simple<unknown>): string {
    if (type.enumeration !== undefined) return this.#random.pick(type.enumeration)
    if (type.family === 'id') return type.expects.split(' ')[0]! + this.#digits(38) + String(1e5 + this.#ids++)
    const fitting = fittingTexts.get(type) ?? fittingOf(type)
    fittingTexts.set(type, fitting)
    return this.#random.pick(fitting)
  }

  #digits(count: number): string {
    return Array.from({ length: count }, () => this.#random.below(10)).join('')
  }
}

const texts = [
  ...[
    'Ana Flávia d’Ávila – “Nina”',
    'A & B <C> "D"',
    'x',
    'xy',
    'Z'.repeat(60),
    'é'.repeat(150),
    'ñ'.repeat(255),
    "it's >",
  ],
  ...['12345678901', '12345678901234', '60020181', '2304400', '1234', 'AB12cd', '2024', '2024-06', '23:59:59', 'S/N'],
  ...[
    '9/A_b-C',
    '4294967295',
    '1',
    '42',
    'PED-1.2',
    'Ação2',
    '1.2.0a1b2c3d4e5f',
    '12.00112233445566aa',
    'linha 1\nlinha 2\t',
  ],
  ...[
    '0801234-56.2025.4.05.8100',
    'http://lattes.cnpq.br/42',
    'https://a.example/b?c=d&e=%20',
    'https://a',
    ' com espaço ',
  ],
]

const fittingTexts = new WeakMap<Simple<unknown>, readonly string[]>()

const fittingOf = (type: Simple<unknown>): readonly string[] =>
  candidatesOf(type).filter((text) => checkValue(type, text, false) === undefined && countingValue(type, text) === text)

function candidatesOf({ family }: Simple<unknown>): readonly string[] {
  if (family === 'date') return ['2024-02-29', '1987-12-31', '2026-08-03-03:00']
  if (family === 'base64') return ['AQAB', 'AQ==', '']
  return family === 'decimal' ? ['0', '7.25', '10', '3'] : texts
}
