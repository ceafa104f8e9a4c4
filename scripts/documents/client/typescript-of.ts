import type { Schema } from './openapi.ts'

/** Keywords the generator supports or may ignore; any other would be lost silently. */
const known = new Set([
  ...['$ref', 'type', 'const', 'enum', 'format', 'description', 'properties', 'patternProperties', 'required'],
  ...['items', 'anyOf', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'contentEncoding'],
  ...['minItems', 'maxItems'],
])

const byType: Readonly<Record<string, (schema: Schema) => string>> = {
  string: ({ format }) => (format === 'binary' ? 'Blob' : 'string'),
  integer: () => 'number',
  number: () => 'number',
  boolean: () => 'boolean',
  null: () => 'null',
  array: ({ items = {} }) => `readonly (${typeScriptOf(items)})[]`,
  object: (schema) => (schema.properties ? objectOf(schema) : recordOf(schema)),
}

/** The TypeScript type of a schema, unformatted. */
export function typeScriptOf(schema: Schema): string {
  refuseUnknownKeywords(schema)
  if (schema.$ref) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.anyOf) return schema.anyOf.map(typeScriptOf).join(' | ')
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.type === undefined) return 'unknown'
  const make = byType[schema.type]
  if (!make) throw new Error(`No TypeScript type for "${schema.type}".`)
  return make(schema)
}

/** The members of an object type. */
export const membersOf = ({ properties = {}, required = [] }: Schema): string =>
  Object.entries(properties)
    .map(([name, schema]) => `${comment(schema.description)}${member(name, schema, required.includes(name))}`)
    .join('\n')

const COMMENT_WIDTH = 100

/** A comment for a description; empty without one. */
export function comment(text = ''): string {
  const lines = linesOf(text.replaceAll('*/', '* /'))
  if (lines.length > 1) return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`
  return text && `/** ${lines[0]} */\n`
}

const linesOf = (text: string): readonly string[] =>
  text.match(new RegExp(`\\S(?:.{0,${COMMENT_WIDTH - 1}}(?=\\s|$)|\\S*)`, 'g')) ?? []

// A caller may pass undefined, whatever its own compiler options for optional properties.
const member = (name: string, schema: Schema, isRequired: boolean): string =>
  `readonly ${propertyName(name)}${isRequired ? '' : '?'}: ${typeScriptOf(schema)}${isRequired ? '' : ' | undefined'}`

const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`)

// The line breaks keep a comment on its first member in place.
const objectOf = (schema: Schema): string =>
  Object.keys(schema.properties ?? {}).length > 0 ? `{\n${membersOf(schema)}\n}` : 'Record<never, never>'

const recordOf = ({ patternProperties = {} }: Schema): string =>
  `Readonly<Record<string, ${Object.values(patternProperties).map(typeScriptOf).join(' | ') || 'unknown'}>>`

function refuseUnknownKeywords(schema: Schema): void {
  const unknown = Object.keys(schema).filter((keyword) => !known.has(keyword))
  if (unknown.length > 0) throw new Error(`A schema has ${unknown.join(', ')}, which the generator does not know.`)
}
