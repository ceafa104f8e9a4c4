import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a database server that can be shut, with everybody inside thrown out, and opened again. */
export interface Door {
  /** The server's URL, through the door. */
  readonly url: string
  open(): Promise<void>
  shut(): Promise<void>
  /** Nothing passes any more, and nobody is thrown out: as behind a server that is stopped in the middle of its work. */
  freeze(): void
  /** What waited passes. */
  thaw(): void
}

/** Makes an open door to the server of this URL. */
export async function doorTo(url: string): Promise<Door> {
  const { hostname, port } = new URL(url)
  const inside = new Set<Socket>()
  let frozen = false
  const door = createServer((caller) => {
    const server = connect(Number(port), hostname)
    for (const socket of [caller, server]) {
      inside.add(socket)
      socket.on('error', () => undefined).on('close', () => inside.delete(socket))
    }
    caller.pipe(server).pipe(caller)
    if (frozen) for (const socket of [caller, server]) socket.pause()
  })
  await once(door.listen(0, '127.0.0.1'), 'listening')
  const at = (door.address() as AddressInfo).port
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(at) }).href,
    open: async () => void (await once(door.listen(at, '127.0.0.1'), 'listening')),
    shut: async () => {
      if (!door.listening) return
      door.close()
      for (const socket of inside) socket.destroy()
      await once(door, 'close')
    },
    freeze: () => {
      frozen = true
      for (const socket of inside) socket.pause()
    },
    thaw: () => {
      frozen = false
      for (const socket of inside) socket.resume()
    },
  }
}
