// A receiver of webhooks: a real HTTP server that records its requests.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request a receiver got. */
export interface Received {
  readonly method: string
  readonly headers: IncomingMessage['headers']
  /** The exact text. */
  readonly body: string
  readonly path: string
}

/** How a receiver answers; by default 200. */
type Answering = (request: Received, response: ServerResponse) => void

/** Starts a receiver, which is closed after the test. */
export async function startReceiver(answer: Answering = (_, response) => response.end()) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { method = '', headers, url: path = '' } = request
    const one = { method, headers, body: Buffer.concat(pieces).toString('utf8'), path }
    received.push(one)
    answer(one, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received }
}
