import { checkValue, codePoint, countingValue } from '../judging/check-value.ts'
import { isCleanBase64 } from '../judging/lexical.ts'
import { factsOf } from '../judging/particles.ts'
import {
  type LayoutProblem,
  type LayoutProblemCode,
  PLACE_SEPARATOR,
  type ProblemDetails,
  problemAt,
} from '../judging/problems.ts'
import type { Attributes, Choice, Complex, Element, ElementType, Particle } from '../language/content.ts'
import { labelOf } from '../language/labels.ts'
import { keyOf } from '../language/names.ts'
import type { Simple } from '../language/simple.ts'
import { isList, keysOf, requiredKeysOf } from './field-keys.ts'
import { placeholderSignature } from './placeholder-signature.ts'
import { escapedText, escapedValue, impossibleCharacter } from './xml-text.ts'

export interface WriterContext {
  readonly namespace: string
  readonly https: boolean
  readonly placeholders: boolean
  readonly mostProblems: number
}

/** A place in the input: the names of the fields, and what users call them. */
interface Place {
  readonly path: string
  readonly place: string
}

type Fields = Readonly<Record<string, unknown>>

/** Writes one document from its input and collects what is wrong with it. */
export class DocumentWriter {
  readonly #context: WriterContext
  readonly problems: LayoutProblem[] = []

  constructor(context: WriterContext) {
    this.#context = context
  }

  /** One of several root elements, chosen by the field that is given. */
  document(roots: Choice<readonly Element[]>, input: unknown): string {
    const place = { path: '', place: 'Documento' }
    const fields = this.#fields(input, place)
    if (fields === undefined) return ''
    this.#refuseStrangers(fields, keysOf(roots), place)
    const content = this.#particle(roots, fields, place)
    return content.replace(/^<[^\s/>]+/, (tag) => `${tag} xmlns="${this.#context.namespace}"`)
  }

  #element(name: string, type: ElementType, value: unknown, place: Place): string {
    if (type.is === 'simple') return `<${name}>${this.#text(type, value, place, escapedText)}</${name}>`
    if (type.valued !== undefined) return this.#valued(name, type, type.valued, value, place)
    if (isList(type)) return `<${name}>${this.#list(type, value, place)}</${name}>`
    if (type.model === undefined && Object.keys(type.attributes).length === 0) return this.#flag(name, value, place)
    const fields = this.#fields(value, place)
    return fields === undefined ? '' : this.#complex(name, type, fields, place)
  }

  #complex(name: string, type: Complex, fields: Fields, place: Place): string {
    this.#refuseStrangers(fields, allKeys(type), place)
    const content = type.model === undefined ? '' : this.#particle(type.model, fields, place)
    const tag = `${name}${this.#attributes(type.attributes, fields, place)}`
    return content === '' ? `<${tag}/>` : `<${tag}>${content}</${name}>`
  }

  #flag(name: string, value: unknown, place: Place): string {
    if (value !== true) this.#tell('shape-wrong', place, { expects: 'true' })
    return `<${name}/>`
  }

  #valued(name: string, type: Complex, value: Simple<unknown>, given: unknown, place: Place): string {
    const fields = this.#fields(given, place)
    if (fields === undefined) return ''
    this.#refuseStrangers(fields, new Set(['valor', ...Object.keys(type.attributes).map(keyOf)]), place)
    const text = this.#text(value, fields.valor, within(place, 'valor', 'Valor'), escapedText)
    return `<${name}${this.#attributes(type.attributes, fields, place)}>${text}</${name}>`
  }

  #list({ model }: Complex, value: unknown, place: Place): string {
    if (!Array.isArray(value)) {
      this.#tell('shape-wrong', place, { expects: 'uma lista' })
      return ''
    }
    if (value.length === 0 && model!.min === 1) this.#missing(model!, place)
    return value.map((item, at) => this.#item(model as Choice, item, numbered(place, at))).join('')
  }

  #item(model: Choice, item: unknown, place: Place): string {
    const fields = this.#fields(item, place)
    if (fields === undefined) return ''
    this.#refuseStrangers(fields, keysOf(model), place)
    return this.#choice(model, fields, place)
  }

  #particle(part: Particle, fields: Fields, place: Place): string {
    if (part.is === 'element') return this.#occurrences(part, fields, place)
    if (part.is === 'choice') return this.#choice(part, fields, place)
    if (part.is === 'signatures') return this.#context.placeholders ? placeholderSignature : ''
    if (part.is === 'anything') return ''
    const isThere = part.min === 1 || [...keysOf(part)].some((key) => isGiven(fields, key))
    return isThere ? part.parts.map((inner) => this.#particle(inner, fields, place)).join('') : ''
  }

  #occurrences(part: Element, fields: Fields, place: Place): string {
    const key = keyOf(part.name)
    const inner = within(place, key, labelOf(part.name))
    if (!isGiven(fields, key)) {
      if (part.min === 1) this.#tell('element-missing', inner)
      return ''
    }
    const value = fields[key]
    return part.max === 1 ? this.#element(part.name, part.type, value, inner) : this.#repeated(part, value, inner)
  }

  #repeated(part: Element, value: unknown, place: Place): string {
    if (!Array.isArray(value)) {
      this.#tell('shape-wrong', place, { expects: 'uma lista' })
      return ''
    }
    if (value.length === 0 && part.min === 1) this.#tell('element-missing', place)
    return value.map((item, at) => this.#element(part.name, part.type, item, numbered(place, at))).join('')
  }

  #choice(part: Choice, fields: Fields, place: Place): string {
    const given = [...keysOf(part)].filter((key) => isGiven(fields, key))
    if (given.length === 0) {
      if (!factsOf(part).mayBeAbsent || isListItem(part)) this.#missing(part, place)
      return ''
    }
    const fitting = part.parts.filter((option) => given.every((key) => keysOf(option).has(key)))
    const complete = fitting.find((option) => requiredKeysOf(option).every((key) => isGiven(fields, key)))
    const chosen = complete ?? fitting[0]
    if (chosen !== undefined) return this.#particle(chosen, fields, place)
    this.#tell('choice-ambiguous', place, { options: optionsOf(part) })
    return ''
  }

  #missing(part: Particle, place: Place): void {
    this.#tell('choice-missing', place, { options: optionsOf(part) })
  }

  /** In the order of their names, as canonical XML has them. */
  #attributes(declared: Attributes, fields: Fields, place: Place): string {
    const names = Object.keys(declared).sort()
    return names.map((name) => this.#attribute(name, declared, fields, place)).join('')
  }

  #attribute(name: string, declared: Attributes, fields: Fields, place: Place): string {
    const { type, min, fixed } = declared[name]!
    if (fixed !== undefined) return ` ${name}="${fixed}"`
    const key = keyOf(name)
    const inner = within(place, key, labelOf(name))
    if (isGiven(fields, key)) return ` ${name}="${this.#text(type, fields[key], inner, escapedValue)}"`
    if (min === 1) this.#tell('attribute-missing', inner)
    return ''
  }

  #text(type: Simple<unknown>, value: unknown, place: Place, escaped: (text: string) => string): string {
    const isNumber = typeof value === 'number' && numeric.has(type.family)
    if (typeof value !== 'string' && !isNumber) {
      this.#tell(value === undefined ? 'element-missing' : 'shape-wrong', place, { expects: type.expects })
      return ''
    }
    const text = countingValue(type, String(value))
    this.#check(type, text, place)
    return escaped(text)
  }

  #check(type: Simple<unknown>, text: string, place: Place): void {
    const fault = checkValue(type, text, this.#context.https)
    const character = impossibleCharacter(text)
    if (fault !== undefined) this.#tell(fault.code, place, fault.details)
    else if (character !== undefined)
      this.#tell('value-character', place, { character: '', code: codePoint(character) })
    else if (type.family === 'base64' && !isCleanBase64(text)) this.#tell('value-not-base64', place)
  }

  #fields(value: unknown, place: Place): Fields | undefined {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields
    this.#tell('shape-wrong', place, { expects: 'um objeto com os seus campos' })
    return undefined
  }

  #refuseStrangers(fields: Fields, known: ReadonlySet<string>, place: Place): void {
    for (const key of Object.keys(fields))
      if (!known.has(key)) this.#tell('element-unknown', within(place, key, `"${key}"`))
  }

  /** Beyond the limit problems are only counted as one more. */
  #tell(code: LayoutProblemCode, place: Place, details: ProblemDetails = {}): void {
    const { length } = this.problems
    if (length < this.#context.mostProblems) this.problems.push(problemAt(code, place, details))
    else if (length === this.#context.mostProblems) this.problems.push(problemAt('too-many-problems', place))
  }
}

const numeric: ReadonlySet<string> = new Set(['decimal', 'integer', 'unsignedInt'])

const isGiven = (fields: Fields, key: string): boolean =>
  Object.hasOwn(fields, key) && fields[key] !== undefined && fields[key] !== null

/** The choice of a list has occurrences of its own; each item must choose. */
const isListItem = (part: Choice): boolean => part.max === 'many'

const optionsOf = (part: Particle): string => [...factsOf(part).first].map(labelOf).join(', ')

const remembered = new WeakMap<Complex, ReadonlySet<string>>()

function allKeys(type: Complex): ReadonlySet<string> {
  const known = remembered.get(type)
  if (known !== undefined) return known
  const given = Object.entries(type.attributes).filter(([, { fixed }]) => fixed === undefined)
  const keys = new Set([...(type.model === undefined ? [] : keysOf(type.model)), ...given.map(([name]) => keyOf(name))])
  remembered.set(type, keys)
  return keys
}

function within({ path, place }: Place, key: string, label: string): Place {
  return { path: path === '' ? key : `${path}.${key}`, place: path === '' ? label : place + PLACE_SEPARATOR + label }
}

const numbered = ({ path, place }: Place, at: number): Place => ({
  path: `${path}[${at}]`,
  place: `${place} ${at + 1}`,
})
