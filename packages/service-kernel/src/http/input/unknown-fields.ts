import type { TSchema } from 'typebox'
import { branchesOf, keywordsOf, propertiesOf } from './json-schema.ts'

/** Finds the fields of a value that its schema does not name: `flowActions[].colour`, each once. */
export type UnknownFields = (value: unknown) => readonly string[]

// Enough to see what a client means; without a limit a hostile body would become a header of megabytes.
const MOST_NAMES = 16

/** Nothing for a schema that takes any name. */
export function unknownFields(schema: TSchema): UnknownFields | undefined {
  const walk = walkOf(schema)
  if (!walk) return undefined
  return (value) => {
    // Nearly every body is known, and costs no names.
    if (walk.knows(value)) return NONE
    const found = new Set<string>()
    walk.collect(value, '', found)
    return [...found]
  }
}

const NONE: readonly string[] = []

interface Walk {
  knows(value: unknown): boolean
  collect(value: unknown, path: string, found: Set<string>): void
}

function walkOf(schema: TSchema): Walk | undefined {
  const branches = branchesOf(schema)
  if (branches.some(takesAnyName)) return undefined
  const items = branches.flatMap((branch) => keywordsOf(branch).items ?? [])
  const item = items[0] && walkOf(items[0])
  const isObject = branches.some((branch) => keywordsOf(branch).properties !== undefined)
  const fields = isObject ? objectWalk(schema) : undefined
  if (!fields && !item) return undefined
  return {
    knows(value) {
      if (typeof value !== 'object' || value === null) return true
      if (Array.isArray(value)) return !item || value.every((each) => item.knows(each))
      return !fields || fields.knows(value)
    },
    collect(value, path, found) {
      if (typeof value !== 'object' || value === null) return
      if (!Array.isArray(value)) fields?.collect(value, path, found)
      else if (item) for (const each of value) item.collect(each, `${path}[]`, found)
    },
  }
}

function objectWalk(schema: TSchema): Walk {
  const fields = new Map(propertiesOf(schema).map(([name, property]) => [name, walkOf(property)]))
  return {
    knows(value) {
      // A body was parsed from JSON: it has no names but its own.
      for (const name in value as Record<string, unknown>) {
        const inner = fields.get(name)
        if (inner ? !inner.knows((value as Record<string, unknown>)[name]) : !fields.has(name)) return false
      }
      return true
    },
    collect(value, path, found) {
      for (const [name, inner] of Object.entries(value as Record<string, unknown>)) {
        const at = path === '' ? '' : `${path}.`
        if (fields.has(name)) fields.get(name)?.collect(inner, at + name, found)
        else if (found.size < MOST_NAMES) found.add(at + shown(name))
      }
    },
  }
}

/** A map of the caller's own names, or a value nothing is said of. */
function takesAnyName(schema: TSchema): boolean {
  const { type, const: only, enum: values, properties, patternProperties, additionalProperties } = keywordsOf(schema)
  if (patternProperties !== undefined || (additionalProperties !== undefined && additionalProperties !== false))
    return true
  if (type === 'object') return properties === undefined
  return type === undefined && only === undefined && values === undefined
}

const LONGEST_NAME = 80

/** A name comes from the caller and goes into a header and a log line. */
const shown = (name: string): string => name.slice(0, LONGEST_NAME).replaceAll(/[^\w.$@:-]/g, '?')
