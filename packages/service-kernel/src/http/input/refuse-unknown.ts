import type { FastifyRequest } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { FrameworkProblem } from '../../errors/index.ts'
import type { RouteShape } from '../route.ts'
import { unknownText } from './field-errors.ts'
import { type UnknownFields, unknownFields } from './unknown-fields.ts'

/** Refuses the names of a request that its route does not know. */
export type UnknownRefusal = (request: FastifyRequest, localeOf: () => string) => void

const NO_NAMES = Type.Object({})

/**
 * The names of the query and of a JSON body; a route that declares none of them takes none. Anonymous routes are left
 * out: pages and probes are asked with names that nobody here gave them.
 */
export function unknownRefusal(route: RouteShape): UnknownRefusal | undefined {
  if (route.access === 'anonymous') return undefined
  const parts = [partRefusal('query', route.query), ...(readsJson(route) ? [partRefusal('body', route.body)] : [])]
  return (request, localeOf) => {
    for (const refuse of parts) refuse(request, localeOf)
  }
}

const readsJson = ({ streamed, consumes }: RouteShape): boolean => !streamed && consumes === undefined

const failureOf = { query: 'validation', body: 'invalid-body' } as const

function partRefusal(part: keyof typeof failureOf, schema: TSchema = NO_NAMES): UnknownRefusal {
  // With the first request, like the validation: a start has more to do.
  let find: UnknownFields | undefined
  return (request, localeOf) => {
    find ??= unknownFields(schema) ?? (() => [])
    const names = find(request[part])
    if (names.length === 0) return
    const text = unknownText(localeOf())
    throw new FrameworkProblem(failureOf[part], { fields: Object.fromEntries(names.map((name) => [name, [text]])) })
  }
}
