// A forward proxy: a real server that opens tunnels (CONNECT, RFC 9110 §9.3.6) to wherever it is asked, counts them, and
// can ask for a password, refuse and hang.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'

export interface ForwardProxyOptions {
  /** Tunnels are opened only for whoever knows these. */
  readonly credentials?: { readonly user: string; readonly password: string }
  /** Its own certificate, PEM; without one it speaks HTTP in clear. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Where names lead for it, as `host:port`, however they are asked for; others are resolved as usual. */
  readonly hosts?: Readonly<Record<string, string>>
}

/** What it does instead of opening a tunnel: answers this status, nothing at all, something else, or closes. */
type ProxyFault = { readonly status: number } | 'hang' | 'garbage' | 'drop'

/** A running proxy. */
export interface ForwardProxy {
  /** Without credentials. */
  readonly url: string
  /** What it was asked to connect to, in order, refused ones included. */
  readonly asked: readonly string[]
  /** The tunnels it opened. */
  readonly tunnels: number
  /** Makes everything fail like this; undefined for nothing. */
  fail(fault: ProxyFault | undefined): void
  /** Closes every connection and frees the port. */
  stop(): Promise<void>
}

export async function startForwardProxy(options: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const { credentials, tls, hosts = {} } = options
  const server: Server = tls ? createTlsServer(tls) : createServer()
  const sockets = new Set<Socket>()
  const asked: string[] = []
  let tunnels = 0
  let fault: ProxyFault | undefined

  const remember = (socket: Socket): void => {
    sockets.add(socket.on('error', () => socket.destroy()))
    socket.once('close', () => sockets.delete(socket))
  }
  server.on('connection', remember).on('secureConnection', remember)
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    const target = request.url ?? ''
    asked.push(target)
    if (fault !== undefined) return failWith(client, fault)
    if (!mayUse(request, credentials)) return refuse(client, 407, 'Proxy-Authenticate: Basic realm="proxy"\r\n')
    const { host, port } = addressOf(hosts[target.replace(/:\d+$/, '')] ?? target)
    const through = connect(port, host, () => {
      tunnels += 1
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(through).pipe(client)
      through.off('error', unreached).once('close', () => client.destroy())
    })
    const unreached = () => refuse(client, 502)
    remember(through.once('error', unreached))
    client.once('close', () => through.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    get tunnels() {
      return tunnels
    },
    fail: (next) => {
      fault = next
    },
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function failWith(client: Socket, fault: ProxyFault): void {
  if (fault === 'drop') client.destroy()
  else if (fault === 'garbage') client.end('SSH-2.0-OpenSSH_9.0\r\n')
  else if (fault !== 'hang') refuse(client, fault.status)
}

const refuse = (client: Socket, status: number, headers = ''): void =>
  void client.end(`HTTP/1.1 ${status} Refused\r\n${headers}Content-Length: 0\r\n\r\n`)

function mayUse({ headers }: IncomingMessage, credentials: ForwardProxyOptions['credentials']): boolean {
  if (!credentials) return true
  const { user, password } = credentials
  return headers['proxy-authorization'] === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

function addressOf(target: string): { readonly host: string; readonly port: number } {
  const { hostname, port } = new URL(`http://${target}`)
  return { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 80) }
}
