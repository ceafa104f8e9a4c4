import Type, { type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { acceptedValues } from './accepted-values.ts'
import { isSection, keywords } from './setting-schema.ts'

/** A place inside a setting's value that its schema refuses. */
export interface Fault {
  readonly kind: 'invalid' | 'missing'
  /** Steps below the setting: empty for the value itself, `['0', 'Path']` inside a list of objects. */
  readonly path: readonly string[]
  readonly sentence: string
}

/** Every fault of a value, the innermost of each place: the validator stops after a few, and reports keywords. */
export function faultsOf(schema: TSchema, value: unknown, path: readonly string[] = []): Fault[] {
  const inside = faultsInside(schema, value, path)
  if (inside.length > 0 || Value.Check(schema, value)) return inside
  return [{ kind: 'invalid', path, sentence: `must be ${acceptedValues(schema)}${shown(schema, value)}` }]
}

function faultsInside(schema: TSchema, value: unknown, path: readonly string[]): Fault[] {
  const { items } = keywords(schema)
  if (items && Array.isArray(value))
    return value.flatMap((item, index) => faultsOf(items, item, [...path, String(index)]))
  if (!isSection(schema) || typeof value !== 'object' || value === null) return []
  return Object.entries(schema.properties).flatMap(([name, member]) => {
    if (Object.hasOwn(value, name)) return faultsOf(member, (value as Record<string, unknown>)[name], [...path, name])
    return Type.IsOptional(member)
      ? []
      : [{ kind: 'missing' as const, path: [...path, name], sentence: mustBeGiven(member) }]
  })
}

export const mustBeGiven = (schema: TSchema): string => `must be given: ${acceptedValues(schema)}`

const LONGEST_SHOWN = 60

function shown(schema: TSchema, value: unknown): string {
  if (keywords(schema).secret) return '; the value given is secret and not shown'
  if (Array.isArray(value)) return `, is a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return ', is an object'
  const text = JSON.stringify(value)
  return `, is ${text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text}`
}
