import type { FastifyRequest } from 'fastify'
import type { Place } from './limits/load-shedding.ts'
import type { ServedRoute } from './served-route.ts'

/** The kernel's state of one request. */
export interface Exchange {
  /** Milliseconds of the process's monotonic clock. */
  readonly arrivedAt: number
  /** Undefined for a request that matched no served route. */
  route: ServedRoute | undefined
  /** The authenticated caller. */
  caller: unknown
  place: Place | undefined
  /** Code of the failure in the response. */
  failureCode: string | undefined
}

/** Name under which the app decorates its requests. */
export const EXCHANGE = 'exchange'

type ExchangeRequest = FastifyRequest & { [EXCHANGE]: Exchange | null }

/** The template a request matched, in the router's notation; undefined when it matched no route at all. */
export const templateOf = (request: FastifyRequest, { route }: Exchange): string | undefined =>
  route?.path ?? (request.is404 ? undefined : request.routeOptions.url)

export function openExchange(request: FastifyRequest): Exchange {
  const exchange: Exchange = {
    arrivedAt: performance.now(),
    route: undefined,
    caller: undefined,
    place: undefined,
    failureCode: undefined,
  }
  ;(request as ExchangeRequest)[EXCHANGE] = exchange
  return exchange
}

/** The exchange of a request; created now for a request that failed before its first hook. */
export const exchangeOf = (request: FastifyRequest): Exchange =>
  (request as ExchangeRequest)[EXCHANGE] ?? openExchange(request)
