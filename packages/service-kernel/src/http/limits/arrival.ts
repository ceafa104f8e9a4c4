import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify'
import { FrameworkProblem } from '../../errors/index.ts'
import { readSecureCookies } from '../cookies/secure-cookies.ts'
import { type Exchange, openExchange, templateOf } from '../exchange.ts'
import type { Kernel } from '../kernel.ts'
import { requestLogger } from '../logs/request-logger.ts'

/**
 * The first hook of every request, and the only one all of them share: one pass instead of one hook per concern,
 * because each hook costs as much as what most of them do.
 */
export const arrivalHook = (kernel: Kernel) =>
  function arrival(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
    receive(kernel, request, reply)
    done(refusalOnArrival(kernel, request))
  }

/** Sets the response's headers and listens for its end. */
export function receive(kernel: Kernel, request: FastifyRequest, reply: FastifyReply): void {
  const exchange = openExchange(request)
  request.log = reply.log = requestLogger(kernel.logger, request.id)
  readSecureCookies(kernel, request)
  reply.headers(kernel.headers.api)
  reply.header(kernel.correlationHeader, request.id)
  kernel.inFlight.add(reply)
  reply.raw.on('close', () => conclude(kernel, request, reply, exchange))
}

function conclude(kernel: Kernel, request: FastifyRequest, reply: FastifyReply, exchange: Exchange): void {
  kernel.inFlight.delete(reply)
  kernel.accessLog?.(request, reply, exchange)
  kernel.observe?.({
    method: request.method,
    route: templateOf(request, exchange),
    status: reply.raw.writableEnded ? reply.raw.statusCode : undefined,
    seconds: (performance.now() - exchange.arrivedAt) / 1000,
  })
  closeIfIdle(kernel)
  // A refused upload is answered while it is still being sent: its connection is idle only once the rest has arrived.
  if (!request.raw.closed) request.raw.once('close', () => closeIfIdle(kernel))
}

/** A connection that was being answered when draining began is idle after the response, and not needed any more. */
function closeIfIdle({ draining, servers }: Kernel): void {
  if (draining) for (const server of servers) setImmediate(() => server.closeIdleConnections())
}

function refusalOnArrival(kernel: Kernel, request: FastifyRequest): FrameworkProblem | undefined {
  if (kernel.draining) return new FrameworkProblem('draining', { headers: { connection: 'close' } })
  // RFC 9112 §3.2; Node would answer by itself, without correlation id and dialect.
  const isWithout = request.raw.headers.host === undefined && request.raw.httpVersion === '1.1'
  if (isWithout || hostsIn(request.raw) > 1) {
    return new FrameworkProblem('malformed-request', { details: { field: 'Host' } })
  }
  return request.is404 ? unknownRoute(kernel, request) : undefined
}

/** Of several Host headers Node keeps the first, where a proxy before it may have gone by another. */
function hostsIn({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.toLowerCase() === 'host') count += 1
  return count
}

/** No route has this method and path. Decided before the body is read, because it is not needed. */
function unknownRoute(kernel: Kernel, { url }: FastifyRequest): FrameworkProblem {
  const path = url.split('?', 1)[0]!
  const methods = kernel.routes.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method as string)
  if (methods.length === 0) return new FrameworkProblem('unknown-route')
  if (methods.includes('GET')) methods.push('HEAD')
  return new FrameworkProblem('wrong-method', { headers: { allow: methods.join(', ') } })
}
