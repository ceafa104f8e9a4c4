import Type, { type TObject, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { type KernelSettings, kernelSettings } from './kernel-settings.ts'
import { isSection, keyOf } from './setting-schema.ts'

/** A service's own defaults for kernel settings; the three without a common default are required. */
export type ServiceDefaults = PartialSections<KernelSettings> & {
  readonly Http: { readonly Port: number }
  readonly Database: { readonly Url: string }
  readonly Secrets: { readonly MasterKeyFile: string }
}

/** The settings of a service that keeps no state of its own. */
export type StatelessSettings = Omit<KernelSettings, 'Database' | 'Secrets'>

/** The same for a service without state. */
export type StatelessDefaults = PartialSections<StatelessSettings> & { readonly Http: { readonly Port: number } }

type PartialSections<T> = { readonly [K in keyof T]?: T[K] extends object ? Partial<T[K]> : T[K] }

type Sections = Readonly<Record<string, TSchema>>
type KernelSections = (typeof kernelSettings)['properties']
type StatelessSections = Omit<KernelSections, 'Database' | 'Secrets'>

/** The kernel's sections and the service's; a section that both have contains the settings of both. */
type Together<Kernel, Own extends Sections> = {
  [Name in keyof Kernel | keyof Own]: Name extends keyof Kernel
    ? Name extends keyof Own
      ? Joined<Kernel[Name], Own[Name]>
      : Kernel[Name]
    : Name extends keyof Own
      ? Own[Name]
      : never
}

type Joined<A, B> =
  A extends TObject<infer Kernel> ? (B extends TObject<infer Own> ? TObject<Kernel & Own> : never) : never

/** The complete schema of a service: the kernel's settings with the service's defaults, and its own sections. */
export function serviceSettings<const Own extends Sections>(
  defaults: ServiceDefaults,
  own: Own,
): TObject<Together<KernelSections, Own>> {
  return together(kernelSettings, defaults, own)
}

/** The complete schema of a service without database and sealed secrets. */
export function statelessSettings<const Own extends Sections>(
  defaults: StatelessDefaults,
  own: Own,
): TObject<Together<StatelessSections, Own>> {
  const { Database: _, Secrets: __, ...sections } = kernelSettings.properties
  return together(Type.Object(sections), defaults, own)
}

/**
 * A section like the kernel's `Http`, for a further base URL of a service. What `common` says of `Http` holds for it,
 * too: whoever names the proxies of the suite means those of its consoles as well.
 */
export function httpSection(defaults: ServiceDefaults['Http']): KernelSections['Http'] {
  const { properties } = withDefaults(kernelSettings.properties.Http, defaults)
  return Type.Object(properties, { commonOf: 'Http' }) as KernelSections['Http']
}

/** The schema of both; the compiler cannot follow names through a loop. */
function together<Kernel extends Sections, Own extends Sections>(
  kernelSchema: TObject<Kernel>,
  defaults: object,
  own: Own,
): TObject<Together<Kernel, Own>> {
  const kernel: Sections = withDefaults(kernelSchema, defaults).properties
  const names = new Set([...Object.keys(kernel), ...Object.keys(own)])
  const sections = [...names].map((name) => [name, join(name, kernel[name], own[name])])
  return Type.Object(Object.fromEntries(sections)) as TObject as TObject<Together<Kernel, Own>>
}

function join(name: string, kernel: TSchema | undefined, own: TSchema | undefined): TSchema {
  if (!kernel || !own) return (kernel ?? own)!
  if (!isSection(kernel) || !isSection(own))
    throw new Error(`${name} is a setting of the kernel, not a section to add to.`)
  return Type.Object({ ...kernel.properties, ...own.properties })
}

function withDefaults<Schema extends TObject>(schema: Schema, defaults: object, path: readonly string[] = []): Schema {
  const properties = Object.entries(schema.properties).map(([name, child]) => {
    const value = (defaults as Record<string, unknown>)[name]
    const here = [...path, name]
    if (value === undefined) return [name, child]
    return [name, isSection(child) ? withDefaults(child, value as object, here) : withDefault(child, value, here)]
  })
  return Type.Object(Object.fromEntries(properties)) as TObject as Schema
}

/** A copy of the schema with another default; the type's hidden marks (optional, refined) are copied with it. */
function withDefault(schema: TSchema, value: unknown, path: readonly string[]): TSchema {
  if (!Value.Check(schema, value)) throw new Error(`The default of ${keyOf(path)} is not one of its values.`)
  const marks = Object.getOwnPropertyDescriptors(schema)
  return Object.defineProperties({}, { ...marks, default: { value, enumerable: true } })
}
