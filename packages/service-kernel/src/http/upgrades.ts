import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app.ts'

/** A connection that no longer uses HTTP. */
export interface TakenConnection {
  readonly request: IncomingMessage
  readonly socket: Duplex
  /** What was read beyond the request. */
  readonly head: Buffer
}

const pending = new WeakMap<IncomingMessage, TakenConnection>()

/**
 * Routes upgrade requests (RFC 9110 §7.8) like any other, so that they are logged, limited and refused alike. A route
 * takes the connection over with `takeConnection`; any other route answers as usual.
 */
export function routeUpgrades(app: App): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    pending.set(request, { request, socket, head })
    const response = new ServerResponse(request)
    // Node reads no more requests from it, so it cannot be reused.
    response.shouldKeepAlive = false
    response.on('finish', () => socket.destroySoon())
    socket.on('error', () => socket.destroy())
    response.assignSocket(socket)
    app.routing(request, response)
  })
}

/** The connection of an upgrade request, for the route to use by itself; undefined when no upgrade is requested. */
export function takeConnection(request: FastifyRequest, reply: FastifyReply): TakenConnection | undefined {
  const connection = pending.get(request.raw)
  if (!connection) return undefined
  pending.delete(request.raw)
  reply.hijack()
  const { raw: response } = reply
  response.detachSocket(connection.socket as Socket)
  // HTTP ends here: the exchange is logged and counted now, not when the connection ends hours later.
  response.statusCode = 101
  response.end()
  response.emit('close')
  return connection
}
