// The channel between the session server and the agents: TLS 1.3 inside a WebSocket, so that proxies may end the TLS
// outside. Both sides show a certificate of their own making, and compare the key with the one pinned at the enrolment
// before anything is sent or read. Inside are messages with their length before them.
//
//   const channel = await dialChannel(socket, ownSideOf(secret), serverPublicKey, signal)
//   channel.listen(read, lost)
//   channel.send(writeMessage({ type: 'certificates', … }))
import { connect, TLSSocket } from 'node:tls'
import type { WebSocket } from 'ws'
import { framed, MessageReader } from './message-frames.ts'
import { MAX_FRAME_BYTES } from './messages.ts'
import { type OwnSide, provenKeyOf } from './own-side.ts'
import { ChannelProblem } from './problem.ts'
import { WebSocketBytes } from './web-socket-bytes.ts'

/** Bytes that wait for a side that does not read; with more it counts as lost. */
const MAX_WAITING_BYTES = 4 * MAX_FRAME_BYTES

/** Milliseconds in which what was sent leaves before the socket is closed. */
const FLUSH_TIME = 2_000

/** RFC 6455 §7.1.5: the code of a connection that was closed without one. */
const NO_CODE = 1006

/** No names, no authorities: the keys are compared once both sides have proved theirs. */
const byKey = { requestCert: true, rejectUnauthorized: false } as const

/** The server's end. Resolves when the handshake is over; who the agent is must be looked up by its key. */
export async function acceptChannel(socket: WebSocket, own: OwnSide, signal: AbortSignal): Promise<SecureChannel> {
  const bytes = new WebSocketBytes(socket)
  const tls = new TLSSocket(bytes, { ...byKey, isServer: true, secureContext: own.context })
  return secured({ socket, bytes, tls, done: 'secure' }, signal)
}

/** The agent's end. Resolves when the server has proved to be the one this agent was enrolled at. */
export async function dialChannel(
  socket: WebSocket,
  own: OwnSide,
  serverPublicKey: string,
  signal: AbortSignal,
): Promise<SecureChannel> {
  const bytes = new WebSocketBytes(socket)
  const tls = connect({ ...byKey, socket: bytes, secureContext: own.context })
  const channel = await secured({ socket, bytes, tls, done: 'secureConnect' }, signal)
  if (channel.peerKey === serverPublicKey) return channel
  channel.terminate()
  throw new ChannelProblem('not-authentic', 'the server that answers is not the one this agent was enrolled at')
}

interface Shaking {
  readonly socket: WebSocket
  readonly bytes: WebSocketBytes
  readonly tls: TLSSocket
  readonly done: 'secure' | 'secureConnect'
}

async function secured({ socket, bytes, tls, done }: Shaking, signal: AbortSignal): Promise<SecureChannel> {
  // A stream whose error nobody hears ends the process.
  for (const stream of [bytes, tls]) stream.on('error', () => {})
  const giveUp = () => void tls.destroy()
  try {
    await new Promise<void>((resolve, reject) => {
      const broken = (error: unknown) => reject(handshakeProblem(error))
      for (const event of ['error', '_tlsError']) tls.once(event, broken)
      bytes.once('error', broken)
      tls.once(done, resolve).once('close', () => broken(new Error('it was not finished')))
      signal.addEventListener('abort', giveUp, { once: true })
      if (signal.aborted) giveUp()
    })
    return new SecureChannel(socket, tls, keyIn(tls))
  } catch (error) {
    tls.destroy()
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}

const handshakeProblem = (error: unknown): ChannelProblem =>
  error instanceof ChannelProblem
    ? error
    : new ChannelProblem('malformed', `no TLS handshake: ${named(error as Error)}`)

/** Errors of OpenSSL have a code; their message is of several lines. */
const named = (error: NodeJS.ErrnoException): string => error.code ?? error.message

/** A resumed session would show a key that was proved at another time. */
function keyIn(tls: TLSSocket): string {
  const key = tls.isSessionReused() ? undefined : provenKeyOf(tls)
  if (key === undefined) throw new ChannelProblem('not-authentic', 'the other side proved no key')
  return key
}

/** One connection after its handshake. */
export class SecureChannel {
  /** The key the other side proved, base64url. */
  readonly peerKey: string
  readonly #socket: WebSocket
  readonly #tls: TLSSocket
  readonly #reader = new MessageReader()
  #read: (content: Buffer) => void = () => {}
  #lost: (problem: unknown) => void = () => {}
  #isPaused = true
  #isClosing = false

  constructor(socket: WebSocket, tls: TLSSocket, peerKey: string) {
    this.#socket = socket
    this.#tls = tls
    this.peerKey = peerKey
    tls.on('data', (piece: Buffer) => this.#take(piece)).pause()
    for (const event of ['error', '_tlsError'])
      tls.on(event, (error: Error) => this.#fail(new ChannelProblem('broken', `TLS ended: ${named(error)}`)))
    // Behind the last byte comes the code with which the other side closes; it is in the answer to ours, too.
    tls.on('end', () => socket.close())
  }

  /**
   * From now on messages are read, each as it comes. `lost` gets the problem of a side that breaks the protocol, or what
   * `read` threw: the caller closes.
   */
  listen(read: (content: Buffer) => void, lost: (problem: unknown) => void): void {
    this.#read = read
    this.#lost = lost
    if (this.#tls.destroyed) this.#fail(new ChannelProblem('broken', 'TLS ended'))
    else this.resume()
  }

  /** Called once with the code the WebSocket is closed with, also when that has happened already. */
  onClosed(hear: (code: number) => void): void {
    if (this.#socket.readyState === this.#socket.CLOSED) queueMicrotask(() => hear(NO_CODE))
    else this.#socket.once('close', hear)
  }

  /** The first message; those behind it wait for `listen`. */
  async first(signal: AbortSignal): Promise<Buffer> {
    let giveUp = () => {}
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        giveUp = () => reject(new ChannelProblem('malformed', 'nothing was said'))
        signal.addEventListener('abort', giveUp, { once: true })
        this.#tls.once('close', giveUp)
        if (signal.aborted) giveUp()
        this.listen((content) => {
          this.pause()
          resolve(content)
        }, reject)
      })
    } finally {
      signal.removeEventListener('abort', giveUp)
      this.#tls.off('close', giveUp)
    }
  }

  /** Reads nothing more until `resume`: what the other side sends waits in the network. */
  pause(): void {
    this.#isPaused = true
    this.#tls.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#readAll()
    if (!this.#isPaused) this.#tls.resume()
  }

  /** Throws `ChannelProblem` when the other side has not read for too long. */
  send(content: Uint8Array): void {
    if (this.#isClosing || this.#tls.destroyed) return
    const frame = framed(content)
    if (this.#tls.writableLength + frame.length > MAX_WAITING_BYTES)
      throw new ChannelProblem('broken', 'the other side does not read')
    this.#tls.write(frame)
  }

  /** Closes the WebSocket with a code once everything sent has left. */
  close(code: number): void {
    if (this.#isClosing) return
    this.#isClosing = true
    const close = () => {
      clearTimeout(late)
      this.#socket.close(code)
    }
    const late = setTimeout(close, FLUSH_TIME).unref()
    if (this.#tls.destroyed) close()
    else this.#tls.once('close', close).end(close)
  }

  /** Ends the connection at once. */
  terminate(): void {
    this.#isClosing = true
    this.#tls.destroy()
    this.#socket.terminate()
  }

  #take(piece: Buffer): void {
    this.#reader.add(piece)
    this.#readAll()
  }

  #readAll(): void {
    try {
      while (!this.#isPaused && !this.#isClosing) {
        const content = this.#reader.next()
        if (!content) return
        this.#read(content)
      }
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(problem: unknown): void {
    if (!this.#isClosing) this.#lost(problem)
  }
}
