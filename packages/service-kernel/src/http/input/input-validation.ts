import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { FrameworkProblem } from '../../errors/index.ts'
import type { RouteShape } from '../route.ts'
import { dropAbsent, type Tolerance } from './absent-values.ts'
import { anyCaseNames } from './any-case-names.ts'
import { addFieldErrors, requiredText } from './field-errors.ts'
import { keywordsOf, mapSchema } from './json-schema.ts'
import { readText } from './text-coercion.ts'
import { cleanTexts, knowTextFormats } from './text-formats.ts'

// Enough to show all errors of a form; without a limit a body of a million wrong items would produce a million errors.
const MOST_ERRORS = 64

type PartName = 'params' | 'query' | 'headers' | 'body'

/** Validates every part of a request and reports all wrong fields at once. */
export type InputValidation = (request: FastifyRequest, localeOf: () => string) => void

/** Builds the validation of a route; undefined when the route declares no input. */
export function inputValidation(route: RouteShape, tolerance: Tolerance = {}): InputValidation | undefined {
  // TypeBox keeps this limit for the whole process; every app sets the same.
  Settings.Set({ maxErrors: MOST_ERRORS })
  knowTextFormats()
  const parts = (['params', 'query', 'headers', 'body'] as const).flatMap((name) => {
    const schema = name === 'body' && route.streamed ? undefined : route[name]
    return schema ? [partValidation(name, schema, tolerance)] : []
  })
  if (parts.length === 0) return undefined

  return (request, localeOf) => {
    let wrong: PartValidation[] | undefined
    for (const part of parts) if (!part.accepts(request)) wrong = [...(wrong ?? []), part]
    if (wrong) throw invalid(wrong, request, localeOf())
  }
}

interface PartValidation {
  readonly name: PartName
  readonly schema: TSchema
  validator(): Validator
  accepts(request: FastifyRequest): boolean
}

function partValidation(name: PartName, declared: TSchema, tolerance: Tolerance): PartValidation {
  const schema = name === 'headers' ? lowerCased(declared) : declared
  // Both are compiled at the first request: doing it at the start would take longer than most of the rest.
  const validator = () => validatorOf(schema)
  let prepare: Preparation | undefined
  const mayBeMissing = name === 'body' && '~optional' in declared
  const isEmpty = name === 'body' && tolerance.noBodyIsEmpty === true
  return {
    name,
    schema,
    validator,
    accepts(request) {
      if (request[name] === undefined && !mayBeMissing && isEmpty) request.body = {}
      if (request[name] === undefined) return mayBeMissing
      prepare ??= preparation(name, schema, validator, tolerance)
      prepare(request)
      return validator().Check(request[name])
    },
  }
}

/** Keyed by the schema itself: a contract is one object, however many apps of this process serve it. */
const validators = new WeakMap<TSchema, Validator>()

function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema) ?? Compile(schema)
  validators.set(schema, known)
  return known
}

type Preparation = (request: FastifyRequest) => void

/** Transforms the values before validation; most routes need nothing. */
function preparation(name: PartName, schema: TSchema, validator: () => Validator, tolerance: Tolerance): Preparation {
  const rename = tolerance.anyCaseNames && name !== 'headers' ? anyCaseNames(schema) : undefined
  const prune = dropAbsent(schema, tolerance)
  const read = name === 'body' ? undefined : readText(schema)
  const clean = name === 'body' ? cleanTexts(schema) : undefined
  const fillsIn = hasDefaults(schema)
  if (!rename && !prune && !read && !clean && !fillsIn) return () => {}
  return (request) => {
    rename?.(request[name])
    clean?.(request[name])
    prune?.(request[name])
    read?.(request[name] as Record<string, unknown>)
    if (fillsIn) Object.assign(request, { [name]: validator().Default(request[name]) })
  }
}

function invalid(parts: readonly PartValidation[], request: FastifyRequest, locale: string): FrameworkProblem {
  const fields: Record<string, string[]> = {}
  for (const { name, schema, validator } of parts) {
    if (request[name] === undefined) fields[name] = [requiredText(locale)]
    else addFieldErrors(fields, { part: name, schema, errors: validator().Errors(request[name]) }, locale)
  }
  return new FrameworkProblem(parts.every(({ name }) => name === 'body') ? 'invalid-body' : 'validation', { fields })
}

function hasDefaults(schema: TSchema): boolean {
  let found = false
  mapSchema(schema, (part) => {
    found ||= 'default' in part
    return part
  })
  return found
}

// Header names arrive in lower case, whatever the client wrote.
function lowerCased(schema: TSchema): TSchema {
  const { properties = {}, required = [] } = keywordsOf(schema)
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).map(([name, part]) => [name.toLowerCase(), part])),
    required: required.map((name) => name.toLowerCase()),
  } as TSchema
}
