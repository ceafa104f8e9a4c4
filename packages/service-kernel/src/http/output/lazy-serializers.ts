import buildSerializers from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>

type Serialize = (answer: unknown) => string

/** Keyed by the schema itself: a contract is one object, however many apps of this process serve it. */
const compiled = new WeakMap<object, Serialize>()

/**
 * Serializers as Fastify makes them, each compiled at its first response: compiling those of a hundred routes takes
 * longer than everything else at the start, and most of them are not used for a while.
 */
export const lazySerializers: Factory = (schemas, options) => {
  const compile = buildSerializers()(schemas, options)
  return (route) => {
    const { schema } = route as { readonly schema: object }
    let serialize: Serialize | undefined
    return (answer) => {
      serialize ??= compiled.get(schema) ?? kept(schema, compile(route as never) as Serialize)
      return serialize(answer)
    }
  }
}

function kept(schema: object, serialize: Serialize): Serialize {
  compiled.set(schema, serialize)
  return serialize
}
