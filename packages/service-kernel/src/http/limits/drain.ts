import { SECOND } from '../../clock/index.ts'
import { type App, kernelOf } from '../app.ts'

/** The result of draining an app. */
export interface DrainReport {
  /** Requests that were aborted because the time was over. */
  readonly cutOff: number
}

/**
 * Drains an app: no new connection is accepted, running requests are answered and their connections closed, a request
 * that still arrives is refused, and after `seconds` whatever is left is aborted.
 */
export async function drain(app: App, seconds: number): Promise<DrainReport> {
  const kernel = kernelOf(app)
  kernel.draining = true
  for (const reply of kernel.inFlight) if (!reply.raw.headersSent) reply.header('connection', 'close')

  // Browsers open connections in advance. Node counts those as busy, and would wait for their first request.
  for (const socket of kernel.sockets) if (socket.bytesRead === 0) socket.destroy()

  let cutOff = 0
  const timer = setTimeout(() => {
    cutOff = kernel.inFlight.size
    for (const server of kernel.servers) server.closeAllConnections()
    // Node does not count those that are no longer HTTP, or not yet: a handshake that nobody goes on with.
    for (const socket of kernel.sockets) socket.destroy()
  }, seconds * SECOND)
  await app.close()
  clearTimeout(timer)
  return { cutOff }
}
