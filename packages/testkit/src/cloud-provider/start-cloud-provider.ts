import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '@chancela/service-kernel/clock'
import type { DemoPki } from '../demo-pki/index.ts'
import { type CloudProvider, createCloudProvider } from './create-cloud-provider.ts'

export interface StartCloudProviderOptions {
  /** The PKI whose holders have accounts here. */
  readonly pki: DemoPki
  readonly clock?: Clock
  /** Default: any free port. */
  readonly port?: number
  /** Address to listen on; default 127.0.0.1. */
  readonly host?: string
  /** The provider's name. */
  readonly name?: string
}

export interface RunningCloudProvider extends CloudProvider {
  /** Closes every connection and frees the port. */
  stop(): Promise<void>
}

/** A cloud provider on a port of its own. */
export async function startCloudProvider({
  pki,
  clock = systemClock,
  port = 0,
  host = '127.0.0.1',
  name,
}: StartCloudProviderOptions): Promise<RunningCloudProvider> {
  const server = createServer()
  await listen(server, port, host)
  const baseUrl = `http://${host}:${(server.address() as AddressInfo).port}`
  const provider = createCloudProvider({ pki, clock, baseUrl, ...(name !== undefined && { name }) })
  server.on('request', provider.handler)
  return { ...provider, stop: () => stop(server) }
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })

function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  return closed
}
