import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FrameworkProblem } from '../../errors/index.ts'

// text/json, application/json and every +json type, with or without parameters (pki-core facts 1, rule 11).
const JSON_MEDIA_TYPE = /^(?:application|text)\/(?:[\w.!#$&^+-]+\+)?json(?:\s*;|$)/i

const isJsonType = (mediaType: string): boolean => JSON_MEDIA_TYPE.test(mediaType)

type Done = (error: Error | null, body?: unknown) => void
type Consumes = (request: FastifyRequest) => readonly string[] | undefined

/**
 * Reads bodies as the clients of the original services send them: an empty body is no body, whatever its content type
 * says (pki-core facts 1, rule 10), and every spelling of JSON is JSON.
 */
export function addBodyParsers(app: FastifyInstance, consumesOf: Consumes): void {
  app.removeAllContentTypeParsers()
  // Fields that would reach an object's prototype are dropped like any other unknown field.
  const parse = app.getDefaultJsonParser('remove', 'remove')

  const json = (request: FastifyRequest, text: string, done: Done): void => {
    if (text.length === 0) done(null, undefined)
    else if (!takesJson(consumesOf(request))) done(unsupported())
    else parse(request, text, (error, body) => (error ? done(invalidJson(error)) : done(null, body)))
  }
  const bytes = (request: FastifyRequest, body: Buffer, done: Done): void => {
    if (body.length === 0) done(null, undefined)
    else if (consumesOf(request)?.includes(mediaType(request))) done(null, body)
    else done(unsupported())
  }
  app.addContentTypeParser('application/json', { parseAs: 'string' }, json)
  app.addContentTypeParser(JSON_MEDIA_TYPE, { parseAs: 'string' }, json)
  app.addContentTypeParser('*', { parseAs: 'buffer' }, bytes)
}

/** What a route consumes that takes bytes of any kind. */
export const ANY_TYPE = '*/*'

/** Leaves every body of the route's types unread; in an app of its own, because other routes parse them. */
export function leaveBodies(app: FastifyInstance, consumes: readonly string[] | undefined): void {
  const takesAll = consumes?.includes(ANY_TYPE)
  const takes = (type: string) =>
    takesAll || consumes?.includes(type) || (isJsonType(type) && consumes?.some(isJsonType))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request: FastifyRequest, _body: unknown, done: Done) =>
    takes(mediaType(request)) ? done(null, undefined) : done(unsupported()),
  )
}

// A route that names no media type takes JSON, in every spelling.
const takesJson = (consumes: readonly string[] | undefined): boolean =>
  consumes === undefined || consumes.some(isJsonType)

const mediaType = (request: FastifyRequest): string =>
  (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase()

const unsupported = (): FrameworkProblem =>
  new FrameworkProblem('unsupported-media-type', { details: { field: 'Content-Type' } })

const invalidJson = (cause: Error): FrameworkProblem =>
  new FrameworkProblem('invalid-json', { details: { field: 'body' }, cause })
