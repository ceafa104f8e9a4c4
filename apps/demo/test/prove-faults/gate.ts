import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** How a gate treats connections. */
export type GateMode =
  | 'open'
  /** Connections end at once, as if nobody listened. */
  | 'refuses'
  /** Connections are taken, and nothing is ever answered. */
  | 'hangs'
  /** Answers end with a reset after their first bytes. */
  | 'resets'
  /** Bodies of answers have other bytes than were sent. */
  | 'lies'

/** Bytes of an answer that pass a gate that resets: the status line and some headers. */
const PASSED_BEFORE_RESET = 60

/** Stands between the suite and a server of its world, and breaks what passes. */
export class Gate {
  readonly port: number
  readonly #server: Server
  readonly #open = new Set<Socket>()
  #mode: GateMode = 'open'
  #target = 0

  private constructor(server: Server) {
    this.#server = server
    this.port = (server.address() as AddressInfo).port
  }

  static async make(): Promise<Gate> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const gate = new Gate(server)
    server.on('connection', (socket) => gate.#take(socket))
    return gate
  }

  /** The port behind it. The gate's own is known before, because addresses contain it. */
  leadTo(port: number): void {
    this.#target = port
  }

  /** Changes what becomes of connections, those that stand included. */
  set(mode: GateMode): void {
    this.#mode = mode
    if (mode !== 'lies') for (const socket of this.#open) socket.resetAndDestroy()
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#open) socket.destroy()
    await closed
  }

  #take(near: Socket): void {
    this.#keep(near)
    if (this.#mode === 'refuses') return void near.resetAndDestroy()
    if (this.#mode === 'hangs') return void near.resume()
    const far = connect(this.#target, '127.0.0.1')
    this.#keep(far)
    near.pipe(far)
    far.on('data', (bytes) => this.#answer(near, bytes))
    far.once('end', () => near.end())
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.once('close', () => other.destroy())
  }

  #answer(near: Socket, bytes: Buffer): void {
    if (near.destroyed) return
    if (this.#mode === 'resets') {
      near.write(bytes.subarray(0, PASSED_BEFORE_RESET), () => near.resetAndDestroy())
    } else near.write(this.#mode === 'lies' ? altered(bytes) : bytes)
  }

  #keep(socket: Socket): void {
    this.#open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => void this.#open.delete(socket))
  }
}

/** The same length, so that only who looks at the bytes can tell. */
function altered(answer: Buffer): Buffer {
  const headersEnd = answer.indexOf('\r\n\r\n')
  const copy = Buffer.from(answer)
  for (let at = headersEnd === -1 ? 0 : headersEnd + 4; at < copy.length; at += 97) copy[at]! ^= 0x20
  return copy
}
