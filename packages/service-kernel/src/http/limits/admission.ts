import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { FrameworkProblem } from '../../errors/index.ts'
import type { AccessScheme } from '../access.ts'
import { clientOf } from '../client-address.ts'
import { exchangeOf } from '../exchange.ts'
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
 * Whether a call may proceed, before its body is read: its credential first; then the rate, of the credential where it is
 * right and else of the client, so that guessing keys is limited and strangers behind the same address use up nobody's
 * calls but their own; then a slot, which unauthenticated callers cannot take.
 */
export function admissionHook(kernel: Kernel, served: ServedRoute) {
  const { route } = served
  const { limit, scheme, counted } = conditionsOf(kernel, route)
  const headers = route.page ? kernel.headers.page : undefined

  return function admission(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    const exchange = exchangeOf(request)
    exchange.route = served
    if (headers) reply.headers(headers)
    if (scheme) recognise(scheme, request, judge)
    else count(clientOf(request), enter)

    function judge(caller: unknown, refusal?: Error): void {
      const client = clientOf(request)
      exchange.caller = caller
      if (caller === undefined) count(client, () => done(refusal ?? new FrameworkProblem('unauthorized')))
      else count(`${client} ${scheme!.credentialOf(caller)}`, enter)
    }

    function count(client: string, go: () => void): void {
      const refusal = refusalOf(limit, client)
      if (refusal) done(refusal)
      else go()
    }

    function enter(): void {
      if (!counted) done()
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

function refusalOf(limit: RateLimit | undefined, client: string): Error | undefined {
  try {
    limit?.(client)
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** Goes on with the caller, or without one and, where the scheme gives a reason, with its refusal. */
function recognise(
  scheme: AccessScheme,
  request: FastifyRequest,
  go: (caller: unknown, refusal?: Error) => void,
): void {
  const refuse = (error: unknown) => go(undefined, error as Error)
  try {
    const found = scheme.authenticate(request)
    if (found instanceof Promise) found.then((caller) => go(caller), refuse)
    else go(found)
  } catch (error) {
    refuse(error)
  }
}
