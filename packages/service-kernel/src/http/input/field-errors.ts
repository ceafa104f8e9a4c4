import type { TSchema } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Locale } from 'typebox/system'
import { branchesOf, keywordsOf, typesOf } from './json-schema.ts'
import { ONE_LINE } from './text-formats.ts'

/** An error of the validator: where in the value, against which part of the schema. */
type SchemaError = TLocalizedValidationError

interface Language {
  readonly required: string
  readonly oneOf: string
  readonly noForm: string
  readonly unknown: string
  readonly oneLine: string
  readonly other: (error: SchemaError) => string
}

// Texts for people follow Accept-Language (pki-core facts 1, rule 12); codes and messages of errors never do.
const languages: Readonly<Record<string, Language>> = {
  en: {
    required: 'is required',
    oneOf: 'must be one of',
    noForm: 'has no accepted form',
    unknown: 'is not known here',
    oneLine: 'must be one line, without control characters and marks of direction',
    other: Locale.en_US,
  },
  pt: {
    required: 'é obrigatório',
    oneOf: 'deve ser um de',
    noForm: 'não tem forma aceita',
    unknown: 'não é conhecido aqui',
    oneLine: 'deve ser uma linha, sem caracteres de controle nem marcas de direção',
    other: Locale.pt_BR,
  },
  es: {
    required: 'es obligatorio',
    oneOf: 'debe ser uno de',
    noForm: 'no tiene forma aceptada',
    unknown: 'no es conocido aquí',
    oneLine: 'debe ser una línea, sin caracteres de control ni marcas de dirección',
    other: Locale.es_ES,
  },
}

const languageOf = (locale: string): Language => languages[locale.slice(0, 2)] ?? languages.en!

/** The message for a missing value. */
export const requiredText = (locale: string): string => languageOf(locale).required

/** The message for a name that nothing here has. */
export const unknownText = (locale: string): string => languageOf(locale).unknown

/** The validator's errors in one part of the request. */
export interface PartErrors {
  readonly schema: TSchema
  readonly errors: readonly SchemaError[]
  /** Name of the part itself, for errors of no particular field: `body`. */
  readonly part: string
}

/** Adds errors to `fields`, under names a caller knows: `list[0].cpf`. */
export function addFieldErrors(
  fields: Record<string, string[]>,
  { schema, errors, part }: PartErrors,
  locale: string,
): void {
  const language = languageOf(locale)
  for (const error of errors) {
    for (const { pointer, text } of findings(error, schema, language)) add(fields, fieldName(pointer) || part, text)
  }
}

function add(fields: Record<string, string[]>, field: string, text: string): void {
  const texts = Object.hasOwn(fields, field) ? fields[field]! : []
  if (!texts.includes(text)) texts.push(text)
  fields[field] = texts
}

interface Finding {
  readonly pointer: string
  readonly text: string
}

function findings(error: SchemaError, schema: TSchema, language: Language): readonly Finding[] {
  const union = outermostUnion(error, schema)
  if (union) return unionFindings(union, error, language)
  if (error.keyword === 'required') {
    const missing = error.params.requiredProperties
    return missing.map((name) => ({ pointer: `${error.instancePath}/${escaped(name)}`, text: language.required }))
  }
  // Told twice by the validator: of the object, and of each field that it does not have.
  if (error.keyword === 'additionalProperties') {
    const unknown = error.params.additionalProperties
    return unknown.map((name) => ({ pointer: `${error.instancePath}/${escaped(name)}`, text: language.unknown }))
  }
  return [{ pointer: error.instancePath, text: plainText(error, language) }]
}

const plainText = (error: SchemaError, language: Language): string => {
  if (error.keyword === 'boolean') return language.unknown
  if (error.keyword === 'enum') return oneOf(error.params.allowedValues, language)
  if (error.keyword === 'const') return oneOf([error.params.allowedValue], language)
  if (error.keyword === 'format' && error.params.format === ONE_LINE) return language.oneLine
  return language.other(error)
}

const oneOf = (values: readonly unknown[], language: Language): string =>
  `${language.oneOf}: ${values.map(String).join(', ')}`

interface Union {
  readonly pointer: string
  readonly branches: readonly TSchema[]
  /** Index of the alternative with the error; undefined for the union's own error. */
  readonly branch: number | undefined
}

// The validator reports every alternative that did not match. A union of constants is reported as the list of them; a
// nullable value as what its one real alternative requires; any other union as a whole.
function unionFindings(union: Union, error: SchemaError, language: Language): readonly Finding[] {
  const real = union.branches.filter((branch) => !typesOf(branch).includes('null'))
  const constants = real.map((branch) => keywordsOf(branch).const)
  if (!constants.includes(undefined)) return [{ pointer: union.pointer, text: oneOf(constants, language) }]
  if (real.length > 1) return [{ pointer: union.pointer, text: language.noForm }]
  const concerns = union.branch !== undefined && union.branches[union.branch] === real[0]
  return concerns ? [{ pointer: error.instancePath, text: plainText(error, language) }] : []
}

const UNION = /\/(?:anyOf|oneOf)(?:\/(\d+)|$)/

function outermostUnion(error: SchemaError, schema: TSchema): Union | undefined {
  const path = isUnionKeyword(error.keyword) ? `${error.schemaPath}/${error.keyword}` : error.schemaPath
  const found = UNION.exec(path)
  if (!found) return undefined
  const steps = path.slice(2, found.index).split('/').filter(Boolean)
  return {
    pointer: pointerOf(steps, error.instancePath),
    branches: branchesOf(schemaAt(schema, steps)),
    branch: found[1] === undefined ? undefined : Number(found[1]),
  }
}

const isUnionKeyword = (keyword: string): boolean => keyword === 'anyOf' || keyword === 'oneOf'

const schemaAt = (schema: TSchema, steps: readonly string[]): TSchema =>
  steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[unescaped(step)], schema) as TSchema

// Keywords whose subschemas apply to the same value; every other step of a schema path goes one level into the value.
const SAME_VALUE = new Set(['allOf', 'not', 'if', 'then', 'else'])
const NAMED = new Set(['properties', 'patternProperties', 'prefixItems', 'allOf'])

/** The part of the value that a schema path refers to: as many levels of the error's own pointer as it descends. */
function pointerOf(steps: readonly string[], instancePath: string): string {
  let levels = 0
  for (let at = 0; at < steps.length; at += NAMED.has(steps[at]!) ? 2 : 1) if (!SAME_VALUE.has(steps[at]!)) levels += 1
  return instancePath
    .split('/')
    .slice(0, levels + 1)
    .join('/')
}

// JSON Pointer (RFC 6901) to the notation people write: /list/0/a~1b becomes list[0].a/b
const fieldName = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map(unescaped)
    .reduce((path, name) => (/^\d+$/.test(name) ? `${path}[${name}]` : path ? `${path}.${name}` : name), '')

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')
