import type { TSchema } from 'typebox'
import { branchesOf, keywordsOf, propertiesOf, typesOf } from './json-schema.ts'

type Reading = (value: unknown) => unknown

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const booleans: Readonly<Record<string, boolean>> = { true: true, false: false }

// Only unambiguous text is converted; anything else stays text and the schema reports what is wrong with it.
const readings: Readonly<Record<string, (text: string) => unknown>> = {
  integer: (text) => (NUMBER.test(text) ? Number(text) : text),
  number: (text) => (NUMBER.test(text) ? Number(text) : text),
  boolean: (text) => booleans[text.toLowerCase()] ?? text,
}

/**
 * Query strings, path parameters and headers arrive as text: converts what the schema declares as number, boolean or
 * list. Undefined when the schema has text only, so that such routes pay nothing.
 */
export function readText(schema: TSchema): ((values: Record<string, unknown>) => void) | undefined {
  const columns = propertiesOf(schema).flatMap(([name, property]) => {
    const reading = readingOf(property)
    return reading ? [{ name, reading }] : []
  })
  if (columns.length === 0) return undefined
  return (values) => {
    for (const { name, reading } of columns) {
      if (values[name] !== undefined) values[name] = reading(values[name])
    }
  }
}

function readingOf(schema: TSchema): Reading | undefined {
  const list = branchesOf(schema).find((branch) => typesOf(branch).includes('array'))
  if (list) return listReading(keywordsOf(list).items)
  const types = branchesOf(schema).flatMap(scalarTypes)
  const read = types.flatMap((type) => readings[type] ?? [])
  if (read.length === 0) return undefined
  return (value) => (typeof value === 'string' ? read.reduce<unknown>(unlessRead, value) : value)
}

// The first conversion that succeeds wins.
const unlessRead = (value: unknown, reading: (text: string) => unknown): unknown =>
  typeof value === 'string' ? reading(value) : value

// A list parameter with one value arrives as a text, several as a list.
function listReading(items: TSchema | undefined): Reading {
  const reading = items ? readingOf(items) : undefined
  return (value) => {
    const list = Array.isArray(value) ? value : [value]
    return reading ? list.map(reading) : list
  }
}

const scalarTypes = (schema: TSchema): readonly string[] => {
  const { const: only, enum: values = only === undefined ? [] : [only] } = keywordsOf(schema)
  return [...typesOf(schema), ...values.map((value) => typeof value)]
}
