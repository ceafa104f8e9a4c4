import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { type ForwardProxy, type ForwardProxyOptions, startForwardProxy } from '@chancela/testkit/forward-proxy'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { onTestFinished } from 'vitest'

/** The port of a server that closes with its test, connections included. */
export async function portOf(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}))
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** The address of a server with this listener. */
export const served = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await portOf(createServer(listener))}/`

/** The address of a TCP server that calls `speak` once a client has sent something. */
export const speaking = async (speak: (socket: Socket) => void): Promise<string> =>
  `http://127.0.0.1:${await portOf(createTcpServer((socket) => void socket.once('data', () => speak(socket))))}/`

/** A proxy that stops with its test. */
export async function proxyOf(options?: ForwardProxyOptions): Promise<ForwardProxy> {
  const proxy = await startForwardProxy(options)
  onTestFinished(() => proxy.stop())
  return proxy
}

/** A self-signed certificate for this machine. */
export async function selfSigned(): Promise<{ readonly cert: string; readonly key: string }> {
  const folder = temporaryFolder()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  await openssl(['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert])
  return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') }
}
