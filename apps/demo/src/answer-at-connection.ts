import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Routes these addresses, by method, to a handler of node:http. It serves more than JSON and its simulated faults reach
 * down to the connection, so it writes the response itself; the kernel's headers, log line and drain still apply.
 */
export function answerAtConnection(
  app: Pick<FastifyInstance, 'route'>,
  addresses: Readonly<Record<string, readonly string[]>>,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value)
    handle(request.raw, reply.raw)
  }
  for (const [method, urls] of Object.entries(addresses)) {
    for (const url of urls) app.route({ method, url, onRequest, handler: () => {} })
  }
}
