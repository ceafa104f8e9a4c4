import buildSerializers from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

type Factory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>

/**
 * Serializers as Fastify makes them, each at its first answer: compiling those of a hundred routes takes longer than
 * everything else at the start, and most of them are not used for a while.
 */
export const lazySerializers: Factory = (schemas, options) => {
  const compile = buildSerializers()(schemas, options)
  return (route) => {
    let serialize: ((answer: unknown) => string) | undefined
    return (answer) => {
      serialize ??= compile(route as never) as (answer: unknown) => string
      return serialize(answer)
    }
  }
}
