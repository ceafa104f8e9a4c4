import type { FastifyReply, FastifyRequest } from 'fastify'
import { exchangeOf } from './exchange.ts'
import type { Kernel } from './kernel.ts'
import type { Logger } from './logs/logger.ts'
import type { AnswerOf, BodyOf, HeadersOf, ParamsOf, QueryOf, RouteShape } from './route.ts'

/** One call of a route, as its handler sees it. Handlers take what they need: `({ body, now }) => …`. */
export interface Call<in out R extends RouteShape = RouteShape, out Caller = unknown> {
  readonly body: BodyOf<R>
  readonly query: QueryOf<R>
  readonly params: ParamsOf<R>
  /** Under lower-case names. */
  readonly headers: HeadersOf<R>
  /** The caller that the route's access scheme authenticated. */
  readonly caller: Caller
  readonly now: Date
  /** Aborted when the client disconnects before the response. */
  readonly signal: AbortSignal
  /** The caller's language, from Accept-Language. */
  readonly locale: string
  readonly correlationId: string
  /** Logs with the correlation id. */
  readonly log: Logger
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Turns a call into its response; it translates and holds no rule. Returns `reply` when it has answered by itself. */
export type Handler<R extends RouteShape, Caller = unknown> = (
  call: Call<R, Caller>,
) => AnswerOf<R> | FastifyReply | Promise<AnswerOf<R> | FastifyReply>

/** Implements the interface lazily: what a handler does not use is not computed. */
export class LiveCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly #kernel: Kernel
  #signal: AbortSignal | undefined

  constructor(kernel: Kernel, request: FastifyRequest, reply: FastifyReply) {
    this.#kernel = kernel
    this.request = request
    this.reply = reply
  }

  get body(): unknown {
    return this.request.body
  }
  get query(): unknown {
    return this.request.query
  }
  get params(): unknown {
    return this.request.params
  }
  get headers(): unknown {
    return this.request.headers
  }
  get caller(): unknown {
    return exchangeOf(this.request).caller
  }
  get now(): Date {
    return this.#kernel.clock()
  }
  get signal(): AbortSignal {
    this.#signal ??= goneSignal(this.reply)
    return this.#signal
  }
  get locale(): string {
    return localeOf(this.#kernel, this.request)
  }
  get correlationId(): string {
    return this.request.id
  }
  get log(): Logger {
    return this.request.log as Logger
  }
}

/** Not the framework's own signal: that one also aborts when a body has been read to its end. */
function goneSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const whenClosed = () => {
    if (!raw.writableFinished) controller.abort()
  }
  if (raw.closed) whenClosed()
  else raw.once('close', whenClosed)
  return controller.signal
}

export const localeOf = (kernel: Kernel, request: FastifyRequest): string =>
  kernel.negotiateLocale(request.raw.headers['accept-language'])
