import type { Static, TSchema } from 'typebox'
import { type AssembledService, assembleService, type SettingsRule } from './assemble-service.ts'
import { gatherLayers, type LayerSources } from './gather-layers.ts'
import { ConfigurationProblems, type Problem } from './problems.ts'
import { sectionsOf } from './setting-schema.ts'
import type { Source } from './source.ts'

// `in out` below saves the compiler the comparison of whole schemas: it took five seconds in each package.

/** Service name → its settings, one TypeBox object of sections. */
export type SettingsSchemas = Readonly<Record<string, TSchema>>

export interface SettingsOptions<in out S extends SettingsSchemas> extends LayerSources {
  /** Every service the program knows, so that the section of one that is not started is still recognised. */
  readonly schemas: S
  readonly rules?: { readonly [Name in keyof S]?: readonly SettingsRule<Static<S[Name]>>[] }
  /** The services to load; all of them by default. The settings of the others are neither read nor checked. */
  readonly only?: readonly (keyof S & string)[]
}

/** Effective settings per service, frozen to the leaves, and where each came from by key (`Http:Port`). */
export interface LoadedSettings<in out S extends SettingsSchemas> {
  readonly settings: { readonly [Name in keyof S]: Readonly<Static<S[Name]>> }
  readonly sources: { readonly [Name in keyof S]: Readonly<Record<string, Source>> }
}

/** The same where the services do not matter. */
export interface AnyLoadedSettings {
  readonly settings: Readonly<Record<string, object>>
  readonly sources: Readonly<Record<string, Readonly<Record<string, Source>>>>
}

export type SettingsVerdict<S extends SettingsSchemas> =
  | ({ readonly ok: true } & LoadedSettings<S>)
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** The effective settings, or every problem at once as one `ConfigurationProblems`. */
export function loadSettings<const S extends SettingsSchemas>(options: SettingsOptions<S>): LoadedSettings<S> {
  const verdict = checkSettings(options)
  if (!verdict.ok) throw new ConfigurationProblems(verdict.problems)
  return { settings: verdict.settings, sources: verdict.sources }
}

/**
 * The same as data. Later wins: default, file `common`, file service, environment `COMMON`, environment service. A
 * value that a later source overrides is not checked; an unknown name is a problem in any source.
 */
export function checkSettings<const S extends SettingsSchemas>(options: SettingsOptions<S>): SettingsVerdict<S> {
  const names: readonly (keyof S & string)[] = options.only ?? Object.keys(options.schemas)
  const layers = gatherLayers(Object.keys(options.schemas), options)
  const services = names.map((name) =>
    assembleService({
      name,
      schema: sectionsOf(options.schemas[name]!),
      rules: options.rules?.[name] ?? [],
      layers: layers.of(name),
      complete: layers.complete,
    }),
  )
  const problems = distinct([...layers.problems, ...nobodys(services), ...services.flatMap((one) => one.problems)])
  return problems.length > 0 ? { ok: false, problems } : { ok: true, ...byService<S>(services) }
}

/** Keys under `common` that no service has. */
function nobodys([first, ...others]: readonly AssembledService[]): Problem[] {
  const isNotOf = ({ key, source }: Problem, { notMine }: AssembledService): boolean =>
    notMine.some((problem) => problem.key === key && problem.source === source)
  return first?.notMine.filter((problem) => others.every((other) => isNotOf(problem, other))) ?? []
}

/** A wrong value under `common` is wrong for many services; each of its faults is reported once. */
function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()]
}

function byService<S extends SettingsSchemas>(services: readonly AssembledService[]): LoadedSettings<S> {
  const settings = Object.fromEntries(services.map((one) => [one.name, one.settings]))
  const sources = Object.fromEntries(services.map((one) => [one.name, one.sources]))
  return freeze({ settings, sources }) as unknown as LoadedSettings<S>
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze)
  return value
}
