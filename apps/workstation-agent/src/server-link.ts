import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@chancela/service-kernel/clock'
import {
  type AgentMessage,
  type ChannelRefusal,
  type OwnSide,
  ownSideOf,
  type ServerMessage,
} from '@chancela/session-server/channel'
import { type BackOff, waitAfter } from './back-off.ts'
import type { Enrolment } from './home.ts'
import type { LinkStatus } from './link-status.ts'
import { type ConnectionEnd, ServerConnection } from './server-connection.ts'
import { watchSleep } from './watch-sleep.ts'

interface LinkOptions {
  readonly enrolment: Enrolment
  readonly clock: Clock
  readonly backOff: BackOff
  readonly log: (sentence: string) => void
  readonly status: LinkStatus
  readonly onMessage: (message: ServerMessage) => Promise<void>
  /** A connection has ended; another is made. */
  readonly onEnd: () => Promise<void>
}

/** The agent's end of the channel: one connection at a time, reconnected whenever it is lost. */
export class ServerLink {
  readonly #options: LinkOptions
  readonly #stopping = new AbortController()
  #connection: ServerConnection | undefined
  #failures = 0
  #own: OwnSide | undefined
  #waiting = new AbortController()

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** Sends a message to the server; drops it while disconnected. */
  send(message: AgentMessage): void {
    this.#connection?.send(message)
  }

  /** Stays connected until it is stopped, or the server does not know this agent any more. */
  async run(): Promise<'stopped' | 'refused'> {
    const { signal } = this.#stopping
    const unwatch = watchSleep(this.#options.clock, () => this.#wake())
    try {
      while (!signal.aborted) if ((await this.#turn()) === 'refused') return 'refused'
      return 'stopped'
    } finally {
      unwatch()
    }
  }

  stop(): void {
    this.#stopping.abort()
    this.#waiting.abort()
    this.#connection?.close()
  }

  /** A connection, and the wait for the next one. */
  async #turn(): Promise<'refused' | undefined> {
    const end = await this.#connect()
    if (this.#stopping.signal.aborted) return undefined
    if (end.kind === 'refused') {
      this.#say(refusals[end.reason])
      return 'refused'
    }
    this.#report(end)
    const wait = this.#waitAfter(end, this.#options.backOff)
    this.#options.status.ended(end, wait)
    await this.#wait(wait)
    return undefined
  }

  async #wait(milliseconds: number): Promise<void> {
    this.#waiting = new AbortController()
    if (this.#stopping.signal.aborted) return
    await sleep(milliseconds, undefined, { signal: this.#waiting.signal }).catch(() => {})
  }

  /** The machine slept: the other end has given the connection up, and nobody waits any longer. */
  #wake(): void {
    this.#failures = 0
    this.#connection?.giveUp('the computer was asleep')
    this.#waiting.abort()
  }

  /** Whoever hears it may throw: that ends neither the connection nor the agent. */
  #say(sentence: string): void {
    try {
      this.#options.log(sentence)
    } catch {
      // Nowhere to tell it.
    }
  }

  /** One connection, from start to end. An exception ends the connection, but never the agent. */
  async #connect(): Promise<ConnectionEnd> {
    const { enrolment, onMessage, status } = this.#options
    status.dials()
    const onFailure = (error: unknown) => this.#logFailure(error)
    try {
      // Once for all connections, and here, where what it throws does not end the agent.
      this.#own ??= ownSideOf(enrolment.secret)
      this.#connection = new ServerConnection(enrolment, this.#own, { onMessage, onFailure })
      return await this.#connection.ended
    } catch (error) {
      onFailure(error)
      return { kind: 'failed' }
    } finally {
      this.#connection = undefined
      await this.#options.onEnd().catch(onFailure)
    }
  }

  #logFailure(error: unknown): void {
    const { enrolment } = this.#options
    this.#say(`The connection to ${enrolment.server} failed and is made again: ${String(error)}.`)
  }

  #report(end: Exclude<ConnectionEnd, { kind: 'refused' }>): void {
    // Logged when it was thrown.
    if (end.kind === 'failed') return
    const { enrolment } = this.#options
    if (end.kind === 'replaced')
      this.#say('Another agent with this enrolment has connected. If it is not yours, have the workstation revoked.')
    // Logged once, not at every attempt.
    else if (end.wasWelcome || this.#failures === 0) this.#say(`${enrolment.server} cannot be reached: ${end.reason}.`)
  }

  #waitAfter(end: ConnectionEnd, backOff: BackOff): number {
    // Two agents of one enrolment would replace each other endlessly.
    if (end.kind === 'replaced') return backOff.longest
    if (end.kind === 'lost' && end.wasWelcome) this.#failures = 0
    return waitAfter(this.#failures++, backOff)
  }
}

const refusals = {
  unknown: 'The server does not know this workstation: enrol it again with a new code.',
  revoked: 'The enrolment of this workstation was revoked: ask the administrator for a new code.',
  outdated: 'This workstation was enrolled for a connection of before: enrol it again with a new code.',
} as const satisfies Readonly<Record<ChannelRefusal, string>>
