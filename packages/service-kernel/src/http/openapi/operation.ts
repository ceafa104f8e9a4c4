import { STATUS_CODES } from 'node:http'
import type { TSchema } from 'typebox'
import type { FailureContext } from '../dialects/dialect.ts'
import type { Failure } from '../failure.ts'
import { keywordsOf, propertiesOf } from '../input/json-schema.ts'
import type { Kernel } from '../kernel.ts'
import { openApiPath, pathPieces } from '../path-template.ts'
import { type RouteShape, successStatus } from '../route.ts'
import type { Components } from './components.ts'
import { failuresOf } from './failures-of.ts'

type Json = Readonly<Record<string, unknown>>

/** One operation of the document, from the route that serves it. */
export function operationOf(kernel: Kernel, components: Components, route: RouteShape): Json {
  const { summary, description, tags } = route
  return {
    operationId: route.operationId ?? operationName(route),
    summary,
    ...(description && { description }),
    ...(tags && { tags }),
    parameters: parametersOf(components, route),
    ...requestBody(components, route),
    responses: { ...answers(kernel, components, route), ...failureResponses(kernel, components, route) },
    security: securityOf(kernel, route),
  }
}

// POST /v1/sessions/{id}/end → postV1SessionsIdEnd
const operationName = ({ method, path }: RouteShape): string =>
  method.toLowerCase() +
  openApiPath(path)
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

function parametersOf(components: Components, route: RouteShape): readonly Json[] {
  const params = new Map(route.params ? propertiesOf(route.params) : [])
  const inPath = pathPieces(route.path).flatMap((piece) => {
    if (!('param' in piece)) return []
    const schema = params.get(piece.param) ?? ({ type: 'string' } as TSchema)
    return [parameter(components, 'path', piece.param, schema, true)]
  })
  return [...inPath, ...listed(components, 'query', route.query), ...listed(components, 'header', route.headers)]
}

function listed(components: Components, place: string, schema: TSchema | undefined): readonly Json[] {
  if (!schema) return []
  const { required = [] } = keywordsOf(schema)
  return propertiesOf(schema).map(([name, part]) => parameter(components, place, name, part, required.includes(name)))
}

function parameter(components: Components, place: string, name: string, schema: TSchema, required: boolean): Json {
  const { description } = keywordsOf(schema)
  return { name, in: place, required, ...(description && { description }), schema: components.use(schema) }
}

function requestBody(components: Components, { body, bodies, consumes }: RouteShape): Json {
  if (!body && !consumes) return {}
  const types = consumes ?? ['application/json']
  const described = (type: string): Json => {
    const schema = bodies?.[type] ?? body
    return schema ? { schema: components.use(schema) } : {}
  }
  const content = Object.fromEntries(types.map((type) => [type, described(type)]))
  return { requestBody: { required: !(body && '~optional' in body), content } }
}

function answers(kernel: Kernel, components: Components, route: RouteShape): Json {
  const { answer, produces, otherAnswers = {} } = route
  const others = Object.entries(otherAnswers).map(([status, schema]) => [
    status,
    response(kernel, Number(status), jsonContent(components, schema)),
  ])
  const content = produces ? { [produces]: {} } : answer && jsonContent(components, answer)
  return { ...Object.fromEntries(others), [successStatus(route)]: response(kernel, successStatus(route), content) }
}

const jsonContent = (components: Components, schema: TSchema): Json => ({
  'application/json': { schema: components.use(schema) },
})

const response = (
  { correlationHeader }: Kernel,
  status: number,
  content: Json | undefined,
  description = STATUS_CODES[status] ?? 'Answer',
): Json => ({
  description,
  headers: { [correlationHeader]: { $ref: '#/components/headers/CorrelationId' } },
  ...(content && { content }),
})

/** Failures by status, each code with its meaning and the body a caller receives. */
function failureResponses(kernel: Kernel, components: Components, route: RouteShape): Json {
  const failures = failuresOf(kernel, route)
  const statuses = [...new Set(failures.map(({ status }) => status))].sort((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => {
      const same = failures.filter((failure) => failure.status === status)
      return [status, response(kernel, status, failureContent(kernel, components, status, same), describe(same))]
    }),
  )
}

const describe = (failures: readonly Failure[]): string =>
  failures.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n')

function failureContent(kernel: Kernel, components: Components, status: number, failures: readonly Failure[]) {
  const form = kernel.dialect.describe(status)
  if (!form) return undefined
  const examples = Object.fromEntries(
    failures.map((failure) => [failure.code, { value: JSON.parse(kernel.dialect.render(failure, sample).body) }]),
  )
  return { [form.contentType]: { schema: components.use(form.schema), examples } }
}

const sample: FailureContext = {
  correlationId: '3f1c1c3e-8c1b-4f0e-9a53-1d2f5b7c9e10',
  path: '/',
  environment: 'production',
}

/** Any one of the schemes suffices; none at all for an anonymous route. */
function securityOf(kernel: Kernel, { access = 'key' }: RouteShape): readonly Json[] {
  if (access === 'anonymous') return []
  return Object.keys(kernel.schemes[access]?.security ?? {}).map((name) => ({ [name]: [] }))
}
