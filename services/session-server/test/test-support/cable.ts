// The network between an agent and the server, which a test can cut, reconnect elsewhere, or tamper with.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Cable {
  /** The server's URL for the agent. */
  readonly url: string
  /** Ends all connections and refuses new ones until it is plugged in. */
  cut(): void
  plug(upstream: string): void
  /** Changes bytes sent to the agent from now on. */
  tamper(change: (bytes: Buffer) => Buffer): void
}

export async function layCable(upstream: string): Promise<Cable> {
  let target: string | undefined = upstream
  let change = (bytes: Buffer): Buffer => bytes
  const sockets = new Set<Socket>()
  const server = createServer((agent) => {
    if (target === undefined) return agent.destroy()
    const { port } = new URL(target)
    const far = connect(Number(port), 'localhost')
    for (const socket of [agent, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        agent.destroy()
        far.destroy()
      })
    }
    agent.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => agent.write(change(bytes)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    target = undefined
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    plug: (next) => {
      target = next
      change = (bytes) => bytes
    },
    tamper: (next) => {
      change = next
    },
  }
}
