import type { TSchema } from 'typebox'

/** The schema keywords that this folder reads; a TypeBox schema is a JSON Schema object. */
export interface SchemaKeywords {
  readonly $id?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly description?: string
  readonly format?: string
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly patternProperties?: Readonly<Record<string, TSchema>>
  readonly additionalProperties?: TSchema | boolean
  readonly required?: readonly string[]
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly oneOf?: readonly TSchema[]
  readonly allOf?: readonly TSchema[]
}

export const keywordsOf = (schema: TSchema): SchemaKeywords => schema as SchemaKeywords

/** The alternatives or parts of a schema; the schema itself if it has none. */
export function branchesOf(schema: TSchema): readonly TSchema[] {
  const { anyOf, oneOf, allOf } = keywordsOf(schema)
  const branches = anyOf ?? oneOf ?? allOf
  return branches ? branches.flatMap(branchesOf) : [schema]
}

/** The properties a schema names, over all its alternatives. */
export const propertiesOf = (schema: TSchema): readonly (readonly [string, TSchema])[] =>
  branchesOf(schema).flatMap((branch) => Object.entries(keywordsOf(branch).properties ?? {}))

export const typesOf = (schema: TSchema): readonly string[] => {
  const { type = [] } = keywordsOf(schema)
  return typeof type === 'string' ? [type] : type
}

/** A copy of a schema with every subschema passed through `change`, inner ones first. */
export function mapSchema(schema: unknown, change: (schema: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(schema)) return schema.map((part) => mapSchema(part, change))
  if (schema === null || typeof schema !== 'object') return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, mapSchema(part, change)]))
  return change(copy)
}
