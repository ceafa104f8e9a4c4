import type { IncomingMessage } from 'node:http'

// Bytes read for nothing after a refusal, so that a client that sends before it listens gets its answer; one that sends
// on for longer loses its connection.
const MOST_DISCARDED = 64 * 1024 * 1024

/** Lets what is left of a body pass that nobody will look at any more. */
export function discardRest(body: IncomingMessage): void {
  if (body.readableEnded || body.destroyed) return
  let left = MOST_DISCARDED
  body.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) body.destroy()
  })
  body.resume()
}
