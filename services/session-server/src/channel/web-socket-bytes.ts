import { randomFillSync } from 'node:crypto'
import { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { ChannelProblem } from './problem.ts'

/** Largest message of the WebSocket, in bytes. TLS does not mind where its bytes are divided. */
export const MAX_PIECE_BYTES = 128 * 1024

const oneByte = Buffer.alloc(1)

/**
 * The binary messages of a WebSocket as a stream of bytes, for TLS to run in. It waits for the other side in both
 * directions: what is not read stays in the network, and a write is over when the network has taken it.
 */
export class WebSocketBytes extends Duplex {
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    super()
    this.#socket = socket
    socket.on('message', (data, isBinary) => this.#take(data as Buffer, isBinary))
    socket.on('close', () => this.destroy())
    socket.on('error', (error) => this.destroy(error))
    // A PKCS#11 module of this process may have left errors in OpenSSL's queue, which TLS would take for its own. A
    // random byte empties the queue (engine, `leaving-no-errors`), each time before TLS reads.
    this.on('data', () => void randomFillSync(oneByte))
    this.pause()
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (!isBinary) this.destroy(new ChannelProblem('malformed', 'a text came where TLS was expected'))
    else if (!this.push(data)) this.#socket.pause()
  }

  override _read(): void {
    if (this.#socket.isPaused) this.#socket.resume()
  }

  /** A closed socket says so to `done`. */
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const settle = (error?: Error | null) => done(error ?? null)
    for (let at = 0; at < chunk.length; at += MAX_PIECE_BYTES) {
      const end = at + MAX_PIECE_BYTES
      this.#socket.send(chunk.subarray(at, end), end < chunk.length ? undefined : settle)
    }
  }

  /** The WebSocket is closed by whoever has a reason to tell. */
  override _final(done: () => void): void {
    done()
  }
}
