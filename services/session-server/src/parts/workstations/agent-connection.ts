import { randomUUID } from 'node:crypto'
import {
  type AgentMessage,
  agentMessages,
  readMessage,
  type SecureChannel,
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
  /** Resolves when they are written. */
  readonly onCertificates: (connection: AgentConnection, message: CertificatesMessage) => Promise<void>
  readonly onPair: (connection: AgentConnection, message: PairMessage) => void
  /** The agent violated the protocol (a `ChannelProblem`), or handling its message failed; it was disconnected. */
  readonly onBroken: (connection: AgentConnection, problem: unknown) => void
  readonly onEnd: (connection: AgentConnection) => void
}

interface Waiting {
  resolve(answer: Answer): void
  reject(reason: unknown): void
}

/** Most publications of one agent at a time: while one is written another may wait, and nothing more is read. */
const MAX_PUBLICATIONS = 2

/** The connection of an admitted agent: requests and answers over one channel. */
export class AgentConnection {
  readonly workstationId: string
  readonly #channel: SecureChannel
  readonly #events: ConnectionEvents
  readonly #waiting = new Map<string, Waiting>()
  readonly #over = new AbortController()
  #silentPings = 0
  #publications = 0

  constructor(workstationId: string, channel: SecureChannel, events: ConnectionEvents) {
    this.workstationId = workstationId
    this.#channel = channel
    this.#events = events
    channel.onClosed(() => this.#end())
  }

  /** From now on the agent is heard. */
  listen(): void {
    this.#channel.listen(
      (content) => this.#receive(content),
      (problem) => this.#break(problem),
    )
  }

  send(message: ServerMessage): void {
    if (this.ended.aborted) return
    try {
      this.#channel.send(writeMessage(message))
    } catch (problem) {
      this.#break(problem)
    }
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
    this.send({ type: 'ping' })
  }

  /** Ignores further messages; the code tells the agent why. */
  close(reason: CloseReason): void {
    this.#end()
    this.#channel.close(closeCodes[reason])
  }

  #end(): void {
    if (this.ended.aborted) return
    this.#over.abort()
    for (const { reject } of this.#waiting.values()) reject(new ConnectionLost())
    this.#events.onEnd(this)
  }

  #receive(content: Buffer): void {
    if (this.ended.aborted) return
    this.#silentPings = 0
    this.#hear(readMessage(agentMessages, content))
  }

  /** Any error ends only this connection: thrown further it would end the service. */
  #break(problem: unknown): void {
    if (this.ended.aborted) return
    this.close('broken')
    this.#events.onBroken(this, problem)
  }

  #hear(read: ReturnType<typeof readMessage<typeof agentMessages>>): void {
    if ('problem' in read) this.send(read.problem)
    else if (read.message.type === 'certificates') void this.#publish(read.message)
    else if (read.message.type === 'pair') this.#events.onPair(this, read.message)
    // An answer nobody waits for any more is ignored.
    else if ('to' in read.message) this.#waiting.get(read.message.to ?? '')?.resolve(read.message)
  }

  async #publish(message: CertificatesMessage): Promise<void> {
    if (++this.#publications >= MAX_PUBLICATIONS) this.#channel.pause()
    try {
      await this.#events.onCertificates(this, message)
    } catch (error) {
      this.#break(error)
    } finally {
      if (--this.#publications < MAX_PUBLICATIONS) this.#channel.resume()
    }
  }
}
