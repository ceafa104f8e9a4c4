// The input of a kind as JSON Schema (draft 2020-12), for the contracts of services and for whoever maps data to it. It
// says less than the generator checks: dates that exist, Base64, fields that exclude each other.
import type { DocumentKind } from '../kinds.ts'
import { type AlternativeField, type Field, formOf, type ValueField } from './fields.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** The schema of the input of a kind. */
export function schemaOf(kind: DocumentKind): JsonSchema {
  const roots = formOf(kind)
  return roots.length === 1 ? objectOf(roots) : { anyOf: roots.map((root) => objectOf([root])) }
}

type OwnField = Exclude<Field, AlternativeField>

/** Alternatives add their fields as optional ones; the options say which of them belong together. */
function objectOf(fields: readonly Field[]): JsonSchema {
  const own = ownFields(fields)
  const required = fields.flatMap((field) => (field.kind !== 'oneOf' && field.required ? [field.name] : []))
  const alternatives = fields.flatMap((field) => (field.kind === 'oneOf' && field.required ? [optionsOf(field)] : []))
  return {
    type: 'object',
    properties: Object.fromEntries(own.map((field) => [field.name, fieldSchema(field)])),
    ...(required.length > 0 && { required }),
    ...(alternatives.length > 0 && { allOf: alternatives }),
    additionalProperties: false,
  }
}

const ownFields = (fields: readonly Field[]): OwnField[] =>
  fields.flatMap((field) => (field.kind === 'oneOf' ? field.options.flatMap(ownFields) : [field]))

function optionsOf({ options }: AlternativeField): JsonSchema {
  const needs = options.map((fields) =>
    ownFields(fields.filter((field) => field.kind !== 'oneOf' && field.required)).map(({ name }) => name),
  )
  return { anyOf: needs.map((names) => ({ required: names })) }
}

function fieldSchema(field: OwnField): JsonSchema {
  const described = { title: field.label, ...(field.help !== undefined && { description: field.help }) }
  const schema = { ...described, ...shapeOf(field) }
  return field.repeated ? { type: 'array', ...(field.required && { minItems: 1 }), items: schema } : schema
}

function shapeOf(field: OwnField): JsonSchema {
  if (field.kind === 'flag') return { const: true }
  if (field.kind === 'group') return objectOf(field.fields)
  if (field.kind === 'value') return valueSchema(field)
  return {
    type: 'array',
    items: { anyOf: field.items.map((item) => objectOf([required(item)])) },
  }
}

const required = (field: Field): Field => ({ ...field, required: true })

const DATE = '^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}(?:Z|[+-][0-9]{2}:[0-9]{2})?$'

function valueSchema(field: ValueField): JsonSchema {
  if (field.options !== undefined) return { enum: field.options }
  const text = {
    type: 'string',
    ...(field.patterns.length === 1 && { pattern: field.patterns[0] }),
    ...(field.patterns.length > 1 && { allOf: field.patterns.map((pattern) => ({ pattern })) }),
    ...(field.minLength !== undefined && { minLength: field.minLength }),
    ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
    // `format: date` would refuse the time zone that the layouts allow behind a date.
    ...(field.input === 'date' && { pattern: DATE }),
  }
  return field.input === 'number' ? { anyOf: [text, numberSchema(field)] } : text
}

const numberSchema = ({ minimum, maximum }: ValueField): JsonSchema => ({
  type: 'number',
  ...(minimum !== undefined && { minimum }),
  ...(maximum !== undefined && { maximum }),
})
