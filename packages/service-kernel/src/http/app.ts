import { randomUUID } from 'node:crypto'
import { type FastifyInstance, fastify, LogController, type onSendHookHandler } from 'fastify'
import type { ErrorVocabulary } from '../errors/index.ts'
import type { ServedCertificate } from '../tls/index.ts'
import type { AppOptions, CallersOf, SchemeCallers } from './app-options.ts'
import { canBeSecure, secureCookies } from './cookies/secure-cookies.ts'
import { EXCHANGE, exchangeOf } from './exchange.ts'
import { addBodyParsers } from './input/body-parsers.ts'
import { createKernel, type Kernel } from './kernel.ts'
import { arrivalHook, receive } from './limits/arrival.ts'
import type { Load } from './limits/load-shedding.ts'
import { nodeServer } from './node-server.ts'
import { serveOpenApi } from './openapi/serve-openapi.ts'
import { answerFailure } from './output/answer-failure.ts'
import { lazySerializers } from './output/lazy-serializers.ts'

declare const callers: unique symbol
declare const codes: unique symbol

/**
 * One surface of a service: a Fastify instance to which `serve` adds routes. `Code` are the codes its routes may refuse
 * with, `Callers` the callers of each kind of access.
 */
export interface App<Code extends string = string, Callers = unknown> extends FastifyInstance {
  readonly [KERNEL]: Kernel
  readonly [codes]?: Code
  readonly [callers]?: Callers
}

const KERNEL = 'chancelaKernel'

export const kernelOf = (app: App): Kernel => app[KERNEL]

/** Lets browsers be answered with a page where nothing is. */
export function answerUnknownWith(app: App, page: Kernel['unknownPage']): void {
  kernelOf(app).unknownPage = page
}

/** How loaded an app is. */
export const loadOf = (app: App): Load => kernelOf(app).gate.load

/** The certificate an app serves TLS with, if it does. */
export const certificateOf = (app: App): ServedCertificate | undefined => kernelOf(app).settings.tls

// Longer than any header block, so that the route itself handles a long token in a path.
const MAX_PARAM_LENGTH = 64 * 1024

/** Builds an app; it answers nothing until something listens. */
export async function createApp<const V extends ErrorVocabulary, C extends SchemeCallers = Record<never, never>>(
  options: AppOptions<V, C>,
): Promise<App<keyof V & string, CallersOf<C>>> {
  const kernel = createKernel(options)
  const app = bareApp(kernel)
  app.decorate(KERNEL, kernel)
  app.decorateRequest(EXCHANGE, null)
  addBodyParsers(app, (request) => exchangeOf(request).route?.route.consumes)
  app.addHook('onRequest', arrivalHook(kernel))
  if (canBeSecure(kernel)) addLast(app, secureCookies(kernel))
  app.setErrorHandler((error, request, reply) => answerFailure(kernel, error, request, reply))
  if (options.openApi && options.openApi.enabled !== false) serveOpenApi(app, kernel, options.openApi)
  return app as unknown as App<keyof V & string, CallersOf<C>>
}

/** Fastify without its defaults: every path spelling matches, the kernel handles failures, nothing logs by itself. */
const bareApp = (kernel: Kernel): FastifyInstance =>
  fastify({
    serverFactory: (listener) => nodeServer(kernel, listener),
    // The server answers these itself; Fastify's own handler would answer a second time.
    clientErrorHandler: () => {},
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: MAX_PARAM_LENGTH,
    },
    schemaController: { compilersFactory: { buildSerializer: lazySerializers } },
    bodyLimit: kernel.bodyLimitBytes,
    trustProxy: kernel.settings.trustedProxies?.length ? [...kernel.settings.trustedProxies] : false,
    // Never from the client: a chosen id could point at another caller's log lines.
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    return503OnClosing: false,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, request, reply) => {
      receive(kernel, request, reply)
      answerFailure(kernel, error, request, reply)
    },
  })

/** Adds a hook behind those of each route's own app: it must see the cookies that they set. */
function addLast(app: FastifyInstance, hook: onSendHookHandler): void {
  app.addHook('onRoute', (route) => {
    route.onSend = [...[route.onSend ?? []].flat(), hook]
  })
}
