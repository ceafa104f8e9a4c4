import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'

/** A schema as the JSON it is. */
interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
}

/**
 * The first thing that is wrong, by its place and name. Of alternatives, the one whose kind the value has is meant: that a
 * value fits none of them helps nobody.
 */
export function explainProblem(schema: JsonSchema, value: unknown, place = ''): string | undefined {
  if (schema.anyOf) return explainAlternatives(schema, schema.anyOf, value, place)
  if (schema.properties && isRecord(value)) return explainObject(schema.properties, schema.required ?? [], value, place)
  if (schema.items && Array.isArray(value)) {
    const { items } = schema
    const inside = first(value.entries(), ([at, one]) => explainProblem(items, one, `${place}/${at}`))
    if (inside) return inside
  }
  const [error] = Value.Errors(schema as TSchema, value)
  return error && `${place}${error.instancePath || (place ? '' : 'it')} ${error.message}`
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function explainAlternatives(
  schema: JsonSchema,
  members: readonly JsonSchema[],
  value: unknown,
  place: string,
): string | undefined {
  const kinds = members.map((member) => member.properties?.kind?.const)
  if (kinds.every((kind) => kind === undefined)) {
    if (Value.Check(schema as TSchema, value)) return undefined
    return `${place} must be one of ${members.map((member) => String(member.const)).join(', ')}`
  }
  const meant = members.find((_, at) => isRecord(value) && kinds[at] === value.kind)
  return meant ? explainProblem(meant, value, place) : `${place}/kind must be one of ${kinds.join(', ')}`
}

function explainObject(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
  value: Readonly<Record<string, unknown>>,
  place: string,
): string | undefined {
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(properties, key))
  if (unknown !== undefined) return `${place}/${unknown} is unknown; known are ${Object.keys(properties).join(', ')}`
  const missing = required.find((key) => value[key] === undefined)
  if (missing !== undefined) return `${place}/${missing} is missing`
  return first(Object.entries(value), ([key, inner]) => explainProblem(properties[key]!, inner, `${place}/${key}`))
}

function first<Item>(items: Iterable<Item>, explain: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = explain(item)
    if (problem !== undefined) return problem
  }
  return undefined
}
