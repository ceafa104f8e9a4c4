// Wrong requests for a route, made from its schemas: whoever adds a route need not think of them.
import type { RouteShape } from '@chancela/service-kernel/http'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'

/** One wrong request. */
export interface Wrong {
  readonly what: string
  readonly path: string
  readonly body?: unknown
  /** The field that the answer must name, with status 400; without it only that it is an answer of the contract. */
  readonly names?: string
  /** The field that nobody looks at, of which the caller is told. */
  readonly tells?: string
}

interface Keywords {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
  readonly minItems?: number
  readonly minimum?: number
  readonly anyOf?: readonly TSchema[]
}

const keywordsOf = (schema: TSchema): Keywords => schema as Keywords

const typeOf = ({ type }: Keywords): string | undefined =>
  typeof type === 'string' ? type : type?.find((one) => one !== 'null')

/** The alternative that is not null. */
function realOf(schema: TSchema): TSchema {
  const { anyOf } = keywordsOf(schema)
  const real = anyOf?.find((branch) => keywordsOf(branch).type !== 'null')
  return real ? realOf(real) : schema
}

/** Texts that patterns of the contract accept: bytes, an id, a time, an address, a name. */
const texts = ['AAAA', 'a', crypto.randomUUID(), '2026-11-16T12:00:00Z', 'https://example.com/', 'a@example.com']

/** A value that a schema accepts, with what is required alone. */
export function sampleOf(schema: TSchema): unknown {
  const real = realOf(schema)
  const words = keywordsOf(real)
  if (words.const !== undefined) return words.const
  if (words.enum) return words.enum[0]
  const samples: Readonly<Record<string, () => unknown>> = {
    object: () => Object.fromEntries((words.required ?? []).map((name) => [name, sampleOf(words.properties![name]!)])),
    array: () => Array.from({ length: words.minItems ?? 0 }, () => sampleOf(words.items!)),
    integer: () => words.minimum ?? 1,
    number: () => words.minimum ?? 1,
    boolean: () => false,
    string: () => texts.find((text) => Check(real, text)) ?? 'AAAA',
  }
  return samples[typeOf(words) ?? 'object']?.()
}

interface Field {
  /** Names, and 0 for the first item of a list. */
  readonly path: readonly (string | 0)[]
  readonly schema: TSchema
  readonly isRequired: boolean
}

/** Every field of a body, with those inside. */
function fieldsOf(schema: TSchema, path: Field['path'] = []): readonly Field[] {
  const { properties, required = [], items } = keywordsOf(realOf(schema))
  if (items) return fieldsOf(items, [...path, 0])
  return Object.entries(properties ?? {}).flatMap(([name, inner]) => [
    { path: [...path, name], schema: inner, isRequired: required.includes(name) },
    ...fieldsOf(inner, [...path, name]),
  ])
}

const innerSchema = (schema: TSchema, step: string | 0): TSchema => {
  const { properties, items } = keywordsOf(realOf(schema))
  return step === 0 ? items! : properties![step]!
}

/** A copy of a body with a field set; what it stands in is made where it is missing. */
function withField(body: unknown, schema: TSchema, [step, ...rest]: Field['path'], value: unknown): unknown {
  if (step === undefined) return value
  const inner = innerSchema(schema, step)
  const held = body ?? sampleOf(schema)
  const former = (held as Record<string, unknown>)[step] ?? (rest.length > 0 ? sampleOf(inner) : undefined)
  const set = withField(former, inner, rest, value)
  if (step === 0) return [set, ...(held as unknown[]).slice(1)]
  return { ...(held as object), [step]: set }
}

const nameOf = (path: Field['path']): string =>
  path.reduce<string>((name, step) => (step === 0 ? `${name}[0]` : name ? `${name}.${step}` : step), '')

const NUL = 'a\u0000b'

/** What no schema of a text, a number, a list or an object takes. */
const candidates: readonly unknown[] = [7.5, 'x\u0007', true, ['x\u0007', 7.5], { zz: { zz: 7.5 } }]

/** Parts of bodies that several routes have in common are one object: what is inside is tried with the first of them. */
export type Tried = WeakSet<TSchema>

function isNew({ path, schema }: Field, tried: Tried): boolean {
  if (path.length > 1 && tried.has(schema)) return false
  tried.add(schema)
  return true
}

function wrongFields(route: RouteShape, path: string, valid: unknown, tried: Tried): readonly Wrong[] {
  const schema = route.body!
  const fields = fieldsOf(schema).filter((field) => isNew(field, tried))
  return fields.flatMap((field) => {
    const name = nameOf(field.path)
    const spoiled = (what: string, value: unknown, isWrong: boolean): Wrong => ({
      what: `${name} is ${what}`,
      path,
      body: withField(valid, schema, field.path, value),
      ...(isWrong && { names: name }),
    })
    const real = realOf(field.schema)
    const wrong = candidates.filter((value) => !Check(field.schema, value))
    return [
      spoiled('null', null, field.isRequired && !Check(field.schema, null)),
      ...wrong.map((value) => spoiled(JSON.stringify(value), value, true)),
      ...(typeOf(keywordsOf(real)) === 'string' ? [spoiled('a text with U+0000', NUL, false)] : []),
    ]
  })
}

/** A body that says that it takes more than it names is for events of others. */
const isClosed = (body: TSchema): boolean =>
  keywordsOf(body).properties !== undefined && !('additionalProperties' in body && body.additionalProperties === true)

function wrongBodies(route: RouteShape, path: string, valid: unknown, tried: Tried): readonly Wrong[] {
  if (!route.body || route.streamed || route.consumes) return []
  const whole = [null, [], 'text', 7].filter((body) => !Check(route.body!, body))
  return [
    ...whole.map((body) => ({ what: `the body is ${JSON.stringify(body)}`, path, body, names: 'body' })),
    {
      what: 'an unknown field',
      path,
      body: { ...(valid as object), zzUnknown: { a: 1 } },
      ...(isClosed(route.body) && { tells: 'zzUnknown' }),
    },
    ...wrongFields(route, path, valid, tried),
  ]
}

/** Values that routes look for in vain, or refuse. */
const strange = ['%00', '..%2F..', 'x'.repeat(300), '%F0%9F%92%A9', "'%20or%201=1"]

function wrongQueries(route: RouteShape, path: string, body: unknown): readonly Wrong[] {
  const { properties = {} } = keywordsOf(route.query ?? ({} as TSchema))
  const join = path.includes('?') ? '&' : '?'
  return Object.entries(properties).flatMap(([name, schema]) => {
    const isNumber = ['integer', 'number', 'boolean'].includes(typeOf(keywordsOf(realOf(schema))) ?? '')
    return [
      ...strange.map((value) => ({
        what: `${name}=${value}`,
        path: `${path}${join}${name}=${value}`,
        body,
        ...(isNumber && { names: name }),
      })),
      { what: `${name} twice`, path: `${path}${join}${name}=1&${name}=2`, body },
    ]
  })
}

/** Every kind of wrong request for a route; `valid` is a body that it takes. */
export function wrongRequests(
  route: RouteShape,
  pathWith: (param?: string, value?: string) => string,
  valid: unknown,
  tried: Tried,
): readonly Wrong[] {
  const path = pathWith()
  const params = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return [
    ...wrongBodies(route, path, valid, tried),
    ...wrongQueries(route, path, valid),
    ...params.flatMap((name) =>
      strange.map((value) => ({ what: `{${name}} is ${value}`, path: pathWith(name, value), body: valid })),
    ),
  ]
}
