import { SECOND } from '@chancela/service-kernel/clock'
import {
  type AgentMessage,
  ChannelProblem,
  type ChannelRefusal,
  dialChannel,
  MAX_PIECE_BYTES,
  type OwnSide,
  readMessage,
  type SecureChannel,
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
  | { readonly kind: 'refused'; readonly reason: ChannelRefusal }
  /** An exception was thrown. */
  | { readonly kind: 'failed' }

const HANDSHAKE_TIME = 10 * SECOND

/** Heartbeats of the server that may be missed before the connection counts as dead. */
const PATIENCE = 2.5

/** RFC 6455 §7.4.1. */
const STOPPED = 1000

/** RFC 6455 §7.4.2: the server's close code when another agent took over. */
const REPLACED = 4002

const socketOptions: ClientOptions & { closeTimeout: number } = {
  handshakeTimeout: HANDSHAKE_TIME,
  maxPayload: MAX_PIECE_BYTES,
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
  readonly #shaking = new AbortController()
  readonly #events: ConnectionEvents
  /** One timer: for the handshake first, then for the server's heartbeats. */
  #silence: NodeJS.Timeout
  #channel: SecureChannel | undefined
  #wasWelcome = false
  #refused: ChannelRefusal | undefined
  #failed = false
  #reason = 'the connection ended'

  constructor(enrolment: Enrolment, own: OwnSide, events: ConnectionEvents) {
    this.#events = events
    const socket = new WebSocket(`${enrolment.server.replace(/^http/, 'ws')}/agents/channel`, socketOptions)
    this.#socket = socket
    this.#silence = this.#expectLife(HANDSHAKE_TIME)
    socket.on('open', () => void this.#shakeHands(own, enrolment.serverPublicKey))
    socket.on('error', (error) => {
      this.#reason = error.message || (error as NodeJS.ErrnoException).code || this.#reason
    })
    this.ended = new Promise((resolve) => socket.on('close', (code) => resolve(this.#endOf(code))))
  }

  send(message: AgentMessage): void {
    if (!this.#wasWelcome) return
    try {
      this.#channel!.send(writeMessage(message))
    } catch (error) {
      this.#broken(error)
    }
  }

  /** What was sent before arrives. */
  close(): void {
    if (this.#channel) this.#channel.close(STOPPED)
    else this.#socket.close(STOPPED)
  }

  /** At once, without a word to the other side. */
  giveUp(reason: string): void {
    this.#cut(reason)
  }

  async #shakeHands(own: OwnSide, serverPublicKey: string): Promise<void> {
    try {
      const channel = await dialChannel(this.#socket, own, serverPublicKey, this.#shaking.signal)
      this.#channel = channel
      channel.send(writeMessage({ type: 'hello', agentVersion: version, platform }))
      channel.listen(
        (content) => this.#hear(readMessage(serverMessages, content)),
        (problem) => this.#broken(problem),
      )
    } catch (error) {
      this.#broken(error)
    }
  }

  #expectLife(milliseconds: number): NodeJS.Timeout {
    return setTimeout(() => this.#cut('it gives no sign of life'), milliseconds)
  }

  #broken(problem: unknown): void {
    if (problem instanceof ChannelProblem) this.#cut(problem.message)
    else this.#fail(problem)
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

  #hear(read: ReturnType<typeof readMessage<typeof serverMessages>>): void {
    if (this.#wasWelcome) this.#silence.refresh()
    if ('problem' in read) this.send(read.problem)
    else if (read.message.type === 'ping') this.send({ type: 'pong' })
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
    this.#shaking.abort()
    if (this.#refused) return { kind: 'refused', reason: this.#refused }
    if (this.#failed) return { kind: 'failed' }
    return code === REPLACED
      ? { kind: 'replaced' }
      : { kind: 'lost', reason: this.#reason, wasWelcome: this.#wasWelcome }
  }
}
