import type { TObject, TSchema } from 'typebox'
import { acceptedTypes } from './accepted-values.ts'
import type { Input, Parts } from './input.ts'
import { JsonProblem, parseJson } from './json-document.ts'
import { nearestName } from './nearest-name.ts'
import type { Problem, ProblemKind } from './problems.ts'
import { readSecretFile, secretFileOf } from './secret-file.ts'
import { isSection, keyOf, keywords, settingsOf } from './setting-schema.ts'
import { type Source, sourceText } from './source.ts'
import { COMMON } from './variable-name.ts'

/** A value given for a setting, and its source; undefined when it could not be parsed, which was then reported. */
export interface Given {
  readonly value: unknown
  /** The name it was written under: the service's, or `common`. */
  readonly label: string
  /** The key it was written under; another one where a section takes what `common` says of another. */
  readonly key: string
  readonly source: Source
  /** Where parts of the value were written, by key (`Storage:Inputs:0:Path`). */
  readonly places: ReadonlyMap<string, Source>
}

/** The values of one source for one service. */
export interface Layer {
  /** The name it was written under: the service's, or `common`. */
  readonly label: string
  readonly input: Parts
}

/** The settings a layer gives, by key, and its problems. */
export interface Reading {
  readonly given: ReadonlyMap<string, Given>
  readonly problems: readonly Problem[]
}

/** Reads one layer against a service's schema. Values are not checked here: a later layer may replace a wrong one. */
export function readLayer(schema: TObject, layer: Layer): Reading {
  const reader = new LayerReader(schema, layer.label)
  reader.section(schema, layer.input, [])
  const { given, problems } = reader
  return layer.label === COMMON ? { given: new Map([...sharedValues(schema, given), ...given]), problems } : reader
}

/** What sections take of a layer that is written for another one; their own values there are stronger. */
function sharedValues(schema: TObject, given: ReadonlyMap<string, Given>): [string, Given][] {
  return settingsOf(schema).flatMap(({ key, path: [section, ...rest], schema: setting }) => {
    const from = keywords(schema.properties[section!]!).commonOf
    const value = from === undefined || keywords(setting).ownOnly ? undefined : given.get(keyOf([from, ...rest]))
    return value ? [[key, value] as [string, Given]] : []
  })
}

class LayerReader implements Reading {
  readonly given = new Map<string, Given>()
  readonly problems: Problem[] = []
  readonly #places = new Map<string, Source>()
  readonly #root: TObject
  readonly #label: string

  constructor(root: TObject, label: string) {
    this.#root = root
    this.#label = label
  }

  section(schema: TObject, input: Parts, path: readonly string[]): void {
    for (const [written, part] of input.parts) {
      const name = nameIn(schema, written, input.source)
      if (name === undefined) this.#unknown(schema, [...path, written], part)
      else this.#entry(schema.properties[name]!, part, [...path, name])
    }
  }

  #entry(schema: TSchema, input: Input, path: readonly string[]): void {
    if (!isSection(schema)) this.#give(schema, input, path)
    else if (input.kind === 'parts') this.section(schema, input, path)
    else
      this.#problem(
        'invalid',
        path,
        input,
        `is a section, not a value; it has ${Object.keys(schema.properties).join(', ')}`,
      )
  }

  #give(schema: TSchema, input: Input, path: readonly string[]): void {
    const value = this.#value(schema, input, path)
    const key = keyOf(path)
    this.given.set(key, { value, label: this.#label, key, source: input.source, places: this.#places })
  }

  #value(schema: TSchema, input: Input, path: readonly string[]): unknown {
    this.#places.set(keyOf(path), input.source)
    const file = keywords(schema).secret ? secretFileOf(input) : undefined
    if (file !== undefined) return this.#secret(file, input, path)
    if (input.kind === 'scalar') return input.value
    if (input.kind === 'text') return this.#text(schema, input, path)
    return input.kind === 'list' ? this.#list(schema, input.items, path) : this.#parts(schema, input, path)
  }

  #secret(file: string, input: Input, path: readonly string[]): string | undefined {
    const read = readSecretFile(file)
    if ('text' in read) return read.text
    this.#problem('unreadable', path, input, read.unreadable)
    return undefined
  }

  /** A variable has no types: the schema says whether `8080` is a number or a text. */
  #text(schema: TSchema, input: Extract<Input, { kind: 'text' }>, path: readonly string[]): unknown {
    const types = acceptedTypes(schema)
    const text = input.text.trim()
    if (types.has('array') || types.has('object')) return this.#json(schema, input, path)
    if (types.has('boolean') && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
    const takesNumbers = types.has('integer') || types.has('number')
    return takesNumbers && NUMBER.test(text) ? Number(text) : input.text
  }

  #json(schema: TSchema, input: Extract<Input, { kind: 'text' }>, path: readonly string[]): unknown {
    try {
      const parsed = parseJson(input.text, () => input.source)
      return this.#value(schema, parsed, path)
    } catch (error) {
      if (!(error instanceof JsonProblem)) throw error
      // The text stays as the value: no list accepts a text, so the check that follows reports what is accepted.
      return input.text
    }
  }

  #list(schema: TSchema, items: readonly Input[], path: readonly string[]): unknown[] {
    return items.map((item, index) => this.#value(keywords(schema).items ?? {}, item, [...path, String(index)]))
  }

  #parts(schema: TSchema, input: Parts, path: readonly string[]): unknown {
    const [isVariable, types] = [input.source.kind === 'environment', acceptedTypes(schema)]
    if (isVariable && types.has('array')) return this.#indexed(schema, input, path)
    if (isVariable && !types.has('object')) return this.#partless(input, path)
    return Object.fromEntries([...input.parts].flatMap(([written, part]) => this.#member(schema, written, part, path)))
  }

  /** Elements given as `…__0`, `…__1` replace the whole list: a list of a lower source can be shortened that way. */
  #indexed(schema: TSchema, input: Parts, path: readonly string[]): unknown[] | undefined {
    const items = Array.from({ length: input.parts.size }, (_, index) => input.parts.get(String(index)))
    if (items.every((item) => item !== undefined)) return this.#list(schema, items, path)
    this.#problem('invalid', path, input, 'the elements must count up from 0 without gaps')
    return undefined
  }

  /** A variable whose name continues below a setting, such as `…__Port__Min`. */
  #partless(input: Parts, path: readonly string[]): undefined {
    for (const [written, part] of input.parts) {
      this.#problem('unknown', [...path, written], part, `there is no such setting; ${keyOf(path)} has no parts`)
    }
  }

  #member(schema: TSchema, written: string, part: Input, path: readonly string[]): [string, unknown][] {
    if (!isSection(schema)) return [[written, this.#value(recordValue(schema), part, [...path, written])]]
    const name = nameIn(schema, written, part.source)
    if (name === undefined) this.#unknown(schema, [...path, written], part)
    return name === undefined ? [] : [[name, this.#value(schema.properties[name]!, part, [...path, name])]]
  }

  #unknown(schema: TObject, path: readonly string[], input: Input): void {
    // An unknown section has as many variables as settings in it: each is reported, because each must be fixed.
    if (input.kind === 'parts' && input.source.kind === 'environment') {
      for (const [written, part] of input.parts) this.#unknown(schema, [...path, written], part)
      return
    }
    const meant = this.#meant(schema, path)
    this.#problem('unknown', path, input, `there is no such setting${meant ? `; did you mean ${meant}?` : ''}`)
  }

  /** A neighbour spelt alike, another setting spelt alike, or the same name in another section. */
  #meant(schema: TObject, path: readonly string[]): string | undefined {
    const name = path.at(-1)!.toLowerCase()
    const neighbour = nearestName(name, Object.keys(schema.properties))
    if (neighbour) return keyOf([...path.slice(0, -1), neighbour])
    const settings = settingsOf(this.#root)
    const keys = settings.map(({ key }) => key)
    return (
      nearestName(keyOf(path), keys) ?? settings.find((setting) => setting.path.at(-1)!.toLowerCase() === name)?.key
    )
  }

  #problem(kind: ProblemKind, path: readonly string[], input: Input, sentence: string): void {
    this.problems.push({ kind, key: `${this.#label} ${keyOf(path)}`, source: sourceText(input.source), sentence })
  }
}

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i

/** The schema of a record's values; `unknown` where there is none, which the check that follows refuses. */
const recordValue = (schema: TSchema): TSchema => Object.values(keywords(schema).patternProperties ?? {})[0] ?? {}

/** The schema's spelling of a name. Files spell it exactly; variables in any letters, as platforms upper-case them. */
function nameIn(schema: TObject, written: string, source: Source): string | undefined {
  if (source.kind !== 'environment') return Object.hasOwn(schema.properties, written) ? written : undefined
  return Object.keys(schema.properties).find((name) => name.toLowerCase() === written.toLowerCase())
}
