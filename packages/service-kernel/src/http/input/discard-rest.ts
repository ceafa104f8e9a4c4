import type { IncomingMessage } from 'node:http'

// Bytes read and discarded after a refusal, so that a client that sends before it reads gets its response; one that
// sends more loses its connection.
const MOST_DISCARDED = 64 * 1024 * 1024

/** Discards the rest of a body. */
export function discardRest(body: IncomingMessage): void {
  if (body.readableEnded || body.destroyed) return
  let left = MOST_DISCARDED
  body.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) body.destroy()
  })
  body.resume()
}
