import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A raw connection on which a test writes bytes, closed when the test ends. */
export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return new RawConnection(socket)
}

/** A parsed response; header names in lower case. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export class RawConnection {
  readonly socket: Socket
  #received = ''

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (bytes) => {
      this.#received += bytes
    })
    // These tests provoke a reset after the response.
    socket.on('error', () => {})
  }

  /** Sends lines joined as HTTP does. */
  send(...lines: readonly string[]): void {
    this.socket.write(lines.join('\r\n'))
  }

  /** The next response on the connection; it must declare its length. */
  async answer(): Promise<RawAnswer> {
    for (;;) {
      const answer = this.#take()
      if (answer) return answer
      await this.#more()
    }
  }

  /** Resolves when the server has closed the connection. */
  async closed(): Promise<void> {
    if (this.socket.destroyed || this.socket.readableEnded) return
    await new Promise((resolve) => this.socket.once('close', resolve).once('end', resolve))
  }

  #take(): RawAnswer | undefined {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const [statusLine = '', ...lines] = this.#received.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    const length = Number(headers['content-length'] ?? 0)
    const body = this.#received.slice(end + 4, end + 4 + length)
    if (body.length < length) return undefined
    this.#received = this.#received.slice(end + 4 + length)
    return { status: Number(statusLine.split(' ')[1]), headers, body }
  }

  #more(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.once('data', () => resolve())
      this.socket.once('close', () => reject(new Error(`closed after ${JSON.stringify(this.#received)}`)))
    })
  }
}

/** A promise a test resolves by hand; Node 20 has no Promise.withResolvers. */
export function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
