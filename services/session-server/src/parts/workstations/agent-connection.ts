import { randomUUID } from 'node:crypto'
import type { WebSocket } from 'ws'
import {
  type AgentMessage,
  agentMessages,
  ChannelProblem,
  readMessage,
  type SealedFrames,
  type ServerMessage,
  writeMessage,
} from '../../channel/index.ts'

/** The connection ended before the agent answered. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** Close codes of WebSocket (RFC 6455 §7.4.2, for applications). */
export const closeCodes = {
  stopping: 1001,
  busy: 1013,
  refused: 4001,
  replaced: 4002,
  cut: 4003,
  broken: 4004,
  silent: 4005,
} as const

type CloseReason = keyof typeof closeCodes
type Request = Extract<ServerMessage, { readonly id: string }>
type NewRequest = Request extends infer Each ? (Each extends Request ? Omit<Each, 'id'> : never) : never
type Answer = Extract<AgentMessage, { readonly to?: string }>

type CertificatesMessage = Extract<AgentMessage, { type: 'certificates' }>
type PairMessage = Extract<AgentMessage, { type: 'pair' }>

/** Events of a connection for its hub. */
export interface ConnectionEvents {
  readonly onCertificates: (connection: AgentConnection, message: CertificatesMessage) => void
  readonly onPair: (connection: AgentConnection, message: PairMessage) => void
  /** The agent violated the protocol (a `ChannelProblem`), or handling its message failed; it was disconnected. */
  readonly onBroken: (connection: AgentConnection, problem: unknown) => void
  readonly onEnd: (connection: AgentConnection) => void
}

interface Waiting {
  resolve(answer: Answer): void
  reject(reason: unknown): void
}

/** The connection of an admitted agent: requests and answers over one socket. */
export class AgentConnection {
  readonly workstationId: string
  readonly #socket: WebSocket
  readonly #frames: SealedFrames
  readonly #events: ConnectionEvents
  readonly #waiting = new Map<string, Waiting>()
  readonly #over = new AbortController()
  #silentPings = 0

  constructor(workstationId: string, socket: WebSocket, frames: SealedFrames, events: ConnectionEvents) {
    this.workstationId = workstationId
    this.#socket = socket
    this.#frames = frames
    this.#events = events
    socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary))
    socket.on('pong', () => {
      this.#silentPings = 0
    })
    socket.on('close', () => this.#end())
  }

  send(message: ServerMessage): void {
    if (!this.ended.aborted) this.#socket.send(this.#frames.seal(writeMessage(message)))
  }

  /** Sends a request and resolves with the answer. Throws `ConnectionLost`, or the signal's reason when aborted. */
  async ask(message: NewRequest, signal: AbortSignal, onGivenUp?: (id: string) => void): Promise<Answer> {
    signal.throwIfAborted()
    if (this.ended.aborted) throw new ConnectionLost()
    const id = randomUUID()
    const giveUp = () => {
      onGivenUp?.(id)
      this.#waiting.get(id)?.reject(signal.reason)
    }
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject })
        signal.addEventListener('abort', giveUp, { once: true })
        this.send({ ...message, id } as Request)
      })
    } finally {
      signal.removeEventListener('abort', giveUp)
      this.#waiting.delete(id)
    }
  }

  /** Aborted when the connection has ended. */
  get ended(): AbortSignal {
    return this.#over.signal
  }

  /** Pings without an answer. */
  get silentPings(): number {
    return this.#silentPings
  }

  ping(): void {
    this.#silentPings++
    this.#socket.ping()
  }

  /** Ignores further messages; the code tells the agent why. */
  close(reason: CloseReason): void {
    this.#end()
    this.#socket.close(closeCodes[reason])
  }

  #end(): void {
    if (this.ended.aborted) return
    this.#over.abort()
    for (const { reject } of this.#waiting.values()) reject(new ConnectionLost())
    this.#events.onEnd(this)
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (this.ended.aborted) return
    try {
      if (!isBinary) throw new ChannelProblem('malformed', 'a frame is not sealed')
      this.#hear(readMessage(agentMessages, this.#frames.open(data)))
    } catch (error) {
      // Any error ends only this connection: thrown from here it would end the service.
      this.close('broken')
      this.#events.onBroken(this, error)
    }
  }

  #hear(read: ReturnType<typeof readMessage<typeof agentMessages>>): void {
    if ('problem' in read) this.send(read.problem)
    else if (read.message.type === 'certificates') this.#events.onCertificates(this, read.message)
    else if (read.message.type === 'pair') this.#events.onPair(this, read.message)
    // An answer nobody waits for any more is ignored.
    else this.#waiting.get(read.message.to ?? '')?.resolve(read.message)
  }
}
