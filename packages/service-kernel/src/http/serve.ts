import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { type App, kernelOf } from './app.ts'
import { type Handler, LiveCall, localeOf } from './call.ts'
import { JSON_TYPE } from './dialects/dialect.ts'
import { exchangeOf } from './exchange.ts'
import { ANY_TYPE, leaveBodies } from './input/body-parsers.ts'
import { type InputValidation, inputValidation } from './input/input-validation.ts'
import { unknownRefusal } from './input/refuse-unknown.ts'
import { type UnknownFields, unknownFields } from './input/unknown-fields.ts'
import type { Kernel } from './kernel.ts'
import { admissionHook } from './limits/admission.ts'
import { writable } from './output/writable-schema.ts'
import { type RouteShape, successStatus } from './route.ts'
import { type ServedRoute, servedRoute } from './served-route.ts'

type CallerOf<Callers, R extends RouteShape> = R['access'] extends keyof Callers
  ? Callers[R['access']]
  : R['access'] extends string
    ? unknown
    : Callers extends { key: infer Caller }
      ? Caller
      : never

/** Binds a route to its handler. The route's schema serializes the answer: undeclared fields are not sent. */
export function serve<Code extends string, Callers, const R extends RouteShape<Code>>(
  app: App<Code, Callers>,
  route: R,
  // The handler does not define the route's type; inferring from it took six seconds in each package.
  handler: NoInfer<Handler<R, CallerOf<Callers, R>>>,
): void {
  const kernel = kernelOf(app)
  refuseUnknownCodes(kernel, route)
  const served = servedRoute(route, app.prefix)
  kernel.routes.push(served)
  const options: RouteOptions = {
    method: route.method,
    url: served.path.slice(app.prefix.length),
    bodyLimit: route.bodyLimitBytes ?? kernel.bodyLimitBytes,
    onRequest: admissionHook(kernel, served),
    ...responseSchema(route),
    handler: answering(kernel, route, handler as unknown as AnyHandler),
  }
  if (route.streamed) serveUnread(app, route, options)
  else app.route(options)
}

/** Body parsers belong to a whole app: a route that reads its own body is registered in a nested app. */
function serveUnread(app: FastifyInstance, { consumes, judgesMediaType }: RouteShape, options: RouteOptions): void {
  app.register((inner, _options, done) => {
    leaveBodies(inner, judgesMediaType ? [ANY_TYPE] : consumes)
    inner.route(options)
    done()
  })
}

/** The routes of an app; a test calls each of them without a credential. */
export const routesOf = (app: App): readonly ServedRoute[] => kernelOf(app).routes

type AnyHandler = (call: LiveCall) => unknown

// A handler may be synchronous, and an answer that is available at once need not wait a turn.
function answering(kernel: Kernel, route: RouteShape, handler: AnyHandler) {
  const validate = inputValidation(route, kernel.tolerance)
  const refuseUnknown = kernel.refusesUnknownNames ? unknownRefusal(route) : undefined
  const tellUnknown = unknownTeller(kernel, route)
  const status = successStatus(route)

  return function answer(request: FastifyRequest, reply: FastifyReply): void {
    const { place } = exchangeOf(request)
    const finish = (result: unknown): void => {
      place?.end()
      sendAnswer(reply, route, result)
    }
    const fail = (error: unknown): void => {
      place?.end()
      reply.send(asError(error))
    }
    place?.begin()
    try {
      // Not reply.code(): a redirect uses its own status unless one was set.
      reply.raw.statusCode = status
      check(kernel, validate, request)
      check(kernel, refuseUnknown, request)
      tellUnknown?.(request, reply)
      const result = handler(new LiveCall(kernel, request, reply))
      if (result !== reply && isPromise(result)) result.then(finish).catch(fail)
      else finish(result)
    } catch (error) {
      fail(error)
    }
  }
}

const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as Promise<unknown> | undefined)?.then === 'function'

function check(kernel: Kernel, validate: InputValidation | undefined, request: FastifyRequest): void {
  validate?.(request, () => localeOf(kernel, request))
}

type UnknownTeller = (request: FastifyRequest, reply: FastifyReply) => void

/**
 * Says which fields of a valid body nobody will look at; the code 299 of a warning is for what has no code of its own.
 * A refused body is not spoken of: nothing of it is used.
 */
function unknownTeller(kernel: Kernel, { body, streamed }: RouteShape): UnknownTeller | undefined {
  if (!kernel.tellsUnknownFields || !body || streamed) return undefined
  // With the first body: a start would spend more on this than on most of its work.
  let find: UnknownFields | undefined
  return (request, reply) => {
    find ??= unknownFields(body) ?? (() => [])
    const names = find(request.body)
    if (names.length === 0) return
    reply.header(
      'warning',
      names.map((name) => `299 - "unknown field: ${name}"`),
    )
    request.log.info(
      { unknownFields: names, route: exchangeOf(request).route?.template },
      'unknown fields in a request',
    )
  }
}

function sendAnswer(reply: FastifyReply, route: RouteShape, answer: unknown): void {
  if (reply.sent || answer === reply) return
  if (route.produces) {
    if (!reply.hasHeader('content-type')) reply.type(route.produces)
    reply.send(answer)
  } else if (typeof answer === 'string' || answer === null) {
    // Fastify would send bare text; the answer is a JSON value (cloud-hub facts 3.7).
    reply.type(JSON_TYPE).send(JSON.stringify(answer))
  } else reply.send(answer)
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('Something that is no error was thrown.', { cause: error })

function responseSchema(route: RouteShape) {
  if (!route.answer || route.produces) return {}
  const answers = Object.entries({ ...route.otherAnswers, [successStatus(route)]: route.answer })
  return { schema: { response: Object.fromEntries(answers.map(([code, schema]) => [code, writable(schema)])) } }
}

function refuseUnknownCodes(kernel: Kernel, { method, path, refusals = [] }: RouteShape): void {
  const unknown = refusals.filter((code) => !Object.hasOwn(kernel.vocabulary, code))
  if (unknown.length) throw new Error(`${method} ${path} refuses with ${unknown.join(', ')}, not in the vocabulary.`)
}
