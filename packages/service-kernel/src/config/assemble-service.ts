import type { TObject } from 'typebox'
import { Value } from 'typebox/value'
import { faultsOf, mustBeGiven } from './check-value.ts'
import type { Problem, ProblemKind } from './problems.ts'
import { type Given, type Layer, readLayer } from './read-layer.ts'
import { isSection, keyOf, keywords, type Setting, settingsOf } from './setting-schema.ts'
import { DEFAULT_SOURCE, type Source, sourceText } from './source.ts'
import { COMMON, variableName } from './variable-name.ts'

/** A violation of a rule: `{ key: 'Cluster:StaleAfterSeconds', sentence: 'must be at least …' }`. */
export interface RuleBreach {
  readonly key: string
  readonly sentence: string
}

/** A condition over several settings; checked only when every setting of the service is valid by itself. */
export type SettingsRule<Settings> = (settings: Settings) => readonly RuleBreach[]

/** The settings of one service, merged from its layers. */
export interface AssembledService {
  readonly name: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly sources: Readonly<Record<string, Source>>
  readonly problems: readonly Problem[]
  /** Keys given under `common` that this service does not have; another one may, so by itself this is no problem. */
  readonly notMine: readonly Problem[]
}

export interface ServiceParts {
  readonly name: string
  readonly schema: TObject
  readonly rules: readonly SettingsRule<never>[]
  readonly layers: readonly Layer[]
  /** False when a source could not be read, so that nothing can be called missing. */
  readonly complete: boolean
}

/** Reads the layers, lets the later ones win, fills in defaults, checks every value and then the rules. */
export function assembleService({ name, schema, rules, layers, complete }: ServiceParts): AssembledService {
  const readings = layers.map((layer) => readLayer(schema, layer))
  const said = readings.flatMap((reading) => reading.problems)
  const notMine = said.filter((problem) => problem.kind === 'unknown' && problem.key.startsWith(`${COMMON} `))
  const given = new Map(readings.flatMap((reading) => [...reading.given]))
  const assembly = new Assembly(name, schema, given, complete)
  const wrong = [...said.filter((problem) => !notMine.includes(problem)), ...assembly.problems]
  const problems = wrong.length > 0 ? wrong : assembly.breaches(rules)
  return { name, settings: assembly.settings, sources: assembly.sources, problems, notMine }
}

class Assembly {
  readonly settings: Record<string, unknown> = {}
  readonly sources: Record<string, Source> = {}
  readonly problems: Problem[] = []
  readonly #service: string
  readonly #given: ReadonlyMap<string, Given>
  readonly #complete: boolean

  constructor(service: string, schema: TObject, given: ReadonlyMap<string, Given>, complete: boolean) {
    this.#service = service
    this.#given = given
    this.#complete = complete
    openSections(schema, this.settings)
    for (const setting of settingsOf(schema)) if (this.#isUsed(setting)) this.#settle(setting)
  }

  breaches(rules: readonly SettingsRule<never>[]): Problem[] {
    const found = rules.flatMap((rule) => rule(this.settings as never))
    return found.map(({ key, sentence }) => this.#problem('invalid', key.split(':'), sentence))
  }

  /** An optional section is all or nothing: its settings are required once one of them is given. */
  #isUsed({ optionalSections }: Setting): boolean {
    return optionalSections.every((section) => [...this.#given.keys()].some((key) => key.startsWith(`${section}:`)))
  }

  #settle(setting: Setting): void {
    const given = this.#given.get(setting.key)
    const value = given ? given.value : structuredClone(keywords(setting.schema).default)
    if (value !== undefined) this.#put(setting, Value.Default(setting.schema, value))
    // Given but undefined: the layer could not parse it and has reported that.
    else if (!given && setting.required && this.#complete) this.#missing(setting)
  }

  #missing({ schema, path }: Setting): void {
    const sentence = `${mustBeGiven(schema)}; in the settings file or as ${variableName(this.#service, path)}`
    this.problems.push({ kind: 'missing', key: `${this.#service} ${keyOf(path)}`, source: 'not given', sentence })
  }

  #put({ key, path, schema }: Setting, value: unknown): void {
    const faults = faultsOf(schema, value)
    this.problems.push(...faults.map((fault) => this.#problem(fault.kind, [...path, ...fault.path], fault.sentence)))
    this.sources[key] = this.#given.get(key)?.source ?? DEFAULT_SOURCE
    path.slice(0, -1).reduce(openSection, this.settings)[path.at(-1)!] = value
  }

  /** The problem of a setting, or of a place inside it, with the name and the source it was written under. */
  #problem(kind: ProblemKind, path: readonly string[], sentence: string): Problem {
    const keys = path.map((_, index) => keyOf(path.slice(0, index + 1)))
    const setting = keys.find((key) => this.#given.has(key))
    const given = setting === undefined ? undefined : this.#given.get(setting)
    const written = (key: string): string => (given ? `${given.key}${key.slice(setting!.length)}` : key)
    const place = keys.map(written).findLast((key) => given?.places.has(key)) ?? ''
    const source = sourceText(given?.places.get(place) ?? DEFAULT_SOURCE)
    return { kind, key: `${given?.label ?? this.#service} ${written(keyOf(path))}`, source, sentence }
  }
}

/** Sections that are not optional exist even when every setting in them is absent. */
function openSections(schema: TObject, into: Record<string, unknown>): void {
  for (const [name, child] of Object.entries(schema.properties)) {
    if (isSection(child) && schema.required?.includes(name)) openSections(child, openSection(into, name))
  }
}

function openSection(parent: Record<string, unknown>, name: string): Record<string, unknown> {
  parent[name] ??= {}
  return parent[name] as Record<string, unknown>
}
