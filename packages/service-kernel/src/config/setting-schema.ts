import Type, { type TObject, type TSchema } from 'typebox'

/**
 * The keywords this folder reads of a setting's schema. Four are ours, not JSON Schema's:
 * `secret` keeps the value out of everything printed (`true`: all of it; `'url-password'`: the password inside the URL)
 * and lets it come from a file; `accepts` says in words what a pattern or a refinement takes; `commonOf` of a section
 * names the one whose values under `common` hold for it, too, but for those of its settings that are `ownOnly`.
 */
export interface SettingKeywords {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly TSchema[]
  readonly items?: TSchema
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: unknown
  readonly description?: string
  readonly secret?: true | 'url-password'
  readonly accepts?: string
  readonly commonOf?: string
  readonly ownOnly?: boolean
}

export const keywords = (schema: TSchema): SettingKeywords => schema as SettingKeywords

/** One setting of a service: `Http:Port` with what it takes. */
export interface Setting {
  /** `Http:Port` */
  readonly key: string
  readonly path: readonly string[]
  readonly schema: TSchema
  /** Must be given when it has no default; inside an optional section only once the section is used. */
  readonly required: boolean
  /** Keys of the optional sections around it, outermost first. */
  readonly optionalSections: readonly string[]
}

/** A section holds named settings; a record (free names) is a setting by itself. */
export const isSection = (schema: TSchema): schema is TObject => Type.IsObject(schema)

/** The schema of a service, which is always one object of sections. */
export function sectionsOf(schema: TSchema): TObject {
  if (!isSection(schema)) throw new Error('The settings of a service are one object of sections.')
  return schema
}

/** Every setting of a service's schema, in the order it was declared. */
export function settingsOf(schema: TObject, path: readonly string[] = [], optional: readonly string[] = []): Setting[] {
  return Object.entries(schema.properties).flatMap(([name, child]) => {
    const here = [...path, checkedName(name)]
    const required = !Type.IsOptional(child)
    if (isSection(child)) return settingsOf(child, here, required ? optional : [...optional, keyOf(here)])
    return [described({ key: keyOf(here), path: here, schema: child, required, optionalSections: optional })]
  })
}

export const keyOf = (path: readonly string[]): string => path.join(':')

// `__` separates the parts of a variable's name, so a name that contains or borders on it could not be overridden.
function checkedName(name: string): string {
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) throw new Error(`A setting's name is PascalCase without separators: ${name}`)
  return name
}

// The reference is generated from these sentences: a setting without one would be an empty row.
function described(setting: Setting): Setting {
  if (!keywords(setting.schema).description) throw new Error(`The setting ${setting.key} has no description.`)
  return setting
}
