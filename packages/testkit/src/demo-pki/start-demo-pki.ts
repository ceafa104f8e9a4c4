import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '@chancela/service-kernel/clock'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { createDemoPki } from './create-demo-pki.ts'
import type { DemoPki } from './demo-pki.ts'
import { Faults } from './faults.ts'
import { demoPkiHandler } from './http-handler.ts'
import type { KeySource } from './keys.ts'
import { openDemoPki } from './open-demo-pki.ts'

export interface StartDemoPkiOptions {
  /** Default: any free port. */
  readonly port?: number
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string
  /** The address inside the certificates; default http:// with host and port. */
  readonly baseUrl?: string
  /** Folder that keeps the PKI between starts; default: none, each start creates a new one. */
  readonly folder?: string
  readonly clock?: Clock
  /** Source of new keys; tests pass `cachedKeys()`. */
  readonly keys?: KeySource
}

export interface RunningDemoPki {
  readonly baseUrl: string
  readonly pki: DemoPki
  readonly faults: Faults
  /** Closes every connection and frees the port. */
  stop(): Promise<void>
}

/** A demo PKI on a port of its own. */
export async function startDemoPki(options: StartDemoPkiOptions = {}): Promise<RunningDemoPki> {
  const { port = 0, host = '127.0.0.1', folder, clock = systemClock, keys } = options
  // The port comes first: it is part of the address inside every certificate.
  const server = await listen(port, host)
  try {
    const baseUrl = options.baseUrl ?? urlOf(server, host)
    const wanted = { baseUrl, clock, ...(keys && { keys }) }
    const pki = folder === undefined ? await createDemoPki(wanted) : await openDemoPki(folder, wanted)
    const faults = new Faults()
    const handler = demoPkiHandler(pki, { faults })
    server.removeAllListeners('request').on('request', (request, response) => handler(request, response))
    return { baseUrl, pki, faults, stop: () => stop(server) }
  } catch (error) {
    await stop(server)
    throw error
  }
}

function listen(port: number, host: string): Promise<Server> {
  // Generating the keys takes seconds the first time; meanwhile requests are answered with "try again later".
  const server = createServer((_request, response) => response.writeHead(503, { 'retry-after': '1' }).end())
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(port, host, cause)))
    server.listen(port, host, () => resolve(server))
  })
}

const cannotListen = (port: number, host: string, cause: NodeJS.ErrnoException): StartupProblem =>
  new StartupProblem(
    `The demo PKI cannot listen on ${host}, port ${port} (${cause.code}). Free it or choose another.`,
    {
      setting: 'demo-pki Http:Port',
      cause,
    },
  )

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  return closed
}
