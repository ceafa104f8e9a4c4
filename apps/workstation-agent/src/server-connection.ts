import { SECOND } from '@chancela/service-kernel/clock'
import {
  type AgentMessage,
  beginHandshake,
  ChannelProblem,
  identityOf,
  MAX_FRAME_BYTES,
  readMessage,
  type SealedFrames,
  type ServerMessage,
  serverMessages,
  writeMessage,
} from '@chancela/session-server/channel'
import { type ClientOptions, WebSocket } from 'ws'
import type { Enrolment } from './home.ts'
import { platform, version } from './version.ts'

/** Why a connection ended. */
export type ConnectionEnd =
  | { readonly kind: 'lost'; readonly reason: string; readonly wasWelcome: boolean }
  /** Another agent with the same enrolment came. */
  | { readonly kind: 'replaced' }
  | { readonly kind: 'refused'; readonly reason: 'unknown' | 'revoked' }
  /** An exception was thrown. */
  | { readonly kind: 'failed' }

const HANDSHAKE_TIME = 10 * SECOND

/** Heartbeats of the server that may be missed before the connection counts as dead. */
const PATIENCE = 2.5

/** RFC 6455 §7.4.2: the server's close code when another agent took over. */
const REPLACED = 4002

const socketOptions: ClientOptions & { closeTimeout: number } = {
  handshakeTimeout: HANDSHAKE_TIME,
  maxPayload: MAX_FRAME_BYTES,
  perMessageDeflate: false,
  followRedirects: false,
  closeTimeout: SECOND,
}

interface ConnectionEvents {
  readonly onMessage: (message: ServerMessage) => Promise<void>
  /** An exception, which ends only the connection. */
  readonly onFailure: (error: unknown) => void
}

/** One connection to the enrolled server, from its handshake to its end. */
export class ServerConnection {
  readonly ended: Promise<ConnectionEnd>
  readonly #socket: WebSocket
  readonly #handshake: ReturnType<typeof beginHandshake>
  readonly #events: ConnectionEvents
  /** One timer: for the handshake first, then for the server's heartbeats. */
  #silence: NodeJS.Timeout
  #frames: SealedFrames | undefined
  #wasWelcome = false
  #refused: 'unknown' | 'revoked' | undefined
  #failed = false
  #reason = 'the connection ended'

  constructor({ server, workstationId, serverPublicKey, secret }: Enrolment, events: ConnectionEvents) {
    const about = { workstationId, agentVersion: version, platform }
    this.#handshake = beginHandshake(identityOf(secret), serverPublicKey, about)
    this.#events = events
    const socket = new WebSocket(`${server.replace(/^http/, 'ws')}/agents/channel`, socketOptions)
    this.#socket = socket
    this.#silence = this.#expectLife(HANDSHAKE_TIME)
    socket.on('open', () => socket.send(this.#handshake.hello))
    socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary))
    socket.on('ping', () => this.#silence.refresh())
    socket.on('error', (error) => {
      this.#reason = error.message || (error as NodeJS.ErrnoException).code || this.#reason
    })
    this.ended = new Promise((resolve) => socket.on('close', (code) => resolve(this.#endOf(code))))
  }

  send(message: AgentMessage): void {
    if (!this.#wasWelcome || this.#socket.readyState !== WebSocket.OPEN) return
    try {
      this.#socket.send(this.#frames!.seal(writeMessage(message)))
    } catch (error) {
      this.#fail(error)
    }
  }

  close(): void {
    this.#socket.close(1000)
  }

  #expectLife(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#cut('it gives no sign of life'), milliseconds)
  }

  #receive(data: Buffer, isBinary: boolean): void {
    try {
      if (this.#frames) this.#hear(readMessage(serverMessages, this.#frames.open(data)))
      else this.#answer(data, isBinary)
    } catch (error) {
      if (error instanceof ChannelProblem) this.#cut(error.message)
      else this.#fail(error)
    }
  }

  #cut(reason: string): void {
    this.#reason = reason
    this.#socket.terminate()
  }

  #fail(error: unknown): void {
    this.#failed = true
    this.#events.onFailure(error)
    this.#socket.terminate()
  }

  #answer(data: Buffer, isBinary: boolean): void {
    if (isBinary) throw new ChannelProblem('malformed', 'it did not begin with a challenge')
    const { proof, frames } = this.#handshake.answer(data.toString('utf8'))
    this.#frames = frames
    this.#socket.send(proof)
  }

  #hear(read: ReturnType<typeof readMessage<typeof serverMessages>>): void {
    if ('problem' in read) this.send(read.problem)
    else this.#heed(read.message)
  }

  #heed(message: ServerMessage): void {
    if (message.type === 'refused') this.#refused = message.reason
    if (message.type === 'welcome') this.#welcome(message.pingSeconds)
    this.#events.onMessage(message).catch((error: unknown) => this.#fail(error))
  }

  #welcome(pingSeconds: number): void {
    this.#wasWelcome = true
    clearTimeout(this.#silence)
    this.#silence = this.#expectLife(PATIENCE * pingSeconds * SECOND)
  }

  #endOf(code: number): ConnectionEnd {
    clearTimeout(this.#silence)
    if (this.#refused) return { kind: 'refused', reason: this.#refused }
    if (this.#failed) return { kind: 'failed' }
    return code === REPLACED
      ? { kind: 'replaced' }
      : { kind: 'lost', reason: this.#reason, wasWelcome: this.#wasWelcome }
  }
}
