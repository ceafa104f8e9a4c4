import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { FrameworkProblem } from '../../errors/index.ts'
import type { AccessScheme } from '../access.ts'
import { clientAddress, clientNetwork } from '../client-address.ts'
import { type Exchange, exchangeOf } from '../exchange.ts'
import type { Kernel } from '../kernel.ts'
import type { RouteShape } from '../route.ts'
import type { ServedRoute } from '../served-route.ts'
import type { RateLimit } from './rate-limits.ts'

interface Conditions {
  readonly limit: RateLimit | undefined
  readonly scheme: AccessScheme | undefined
  readonly counted: boolean
}

/**
 * Whether a call may proceed, before its body is read: the client's rate first, so that guessing keys is limited too;
 * then its credential; then a slot, which unauthenticated callers cannot take.
 */
export function admissionHook(kernel: Kernel, served: ServedRoute) {
  const { route } = served
  const { limit, scheme, counted } = conditionsOf(kernel, route)
  const headers = route.page ? kernel.headers.page : undefined

  return function admission(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const exchange = exchangeOf(request)
    exchange.route = served
    if (headers) reply.headers(headers)
    try {
      limit?.(clientNetwork(clientAddress(request)))
      if (scheme) recognise(scheme, request, exchange, enter)
      else enter()
    } catch (error) {
      done(error as Error)
    }

    function enter(error?: Error): void {
      if (error || !counted) done(error)
      else
        kernel.gate.enter(reply.raw, (refusal, place) => {
          exchange.place = place
          done(refusal ?? undefined)
        })
    }
  }
}

/** The admission conditions of a route. */
export function conditionsOf(kernel: Kernel, route: RouteShape): Conditions {
  const { access = 'key', policy = kernel.defaultPolicy, counted = access !== 'anonymous' } = route
  return {
    limit: policy === undefined ? undefined : kernel.limits.policy(policy),
    scheme: access === 'anonymous' ? undefined : schemeOf(kernel, route, access),
    counted: counted && kernel.settings.maxRunning !== undefined,
  }
}

function schemeOf(kernel: Kernel, { method, path }: RouteShape, access: string): AccessScheme {
  const scheme = kernel.schemes[access]
  if (!scheme) throw new Error(`${method} ${path} wants access "${access}", which the app does not define.`)
  return scheme
}

function recognise(
  scheme: AccessScheme,
  request: FastifyRequest,
  exchange: Exchange,
  go: (error?: Error) => void,
): void {
  const accept = (caller: unknown): void => {
    exchange.caller = caller
    go(caller === undefined ? new FrameworkProblem('unauthorized') : undefined)
  }
  const found = scheme.authenticate(request)
  if (found instanceof Promise) found.then(accept, go)
  else accept(found)
}
