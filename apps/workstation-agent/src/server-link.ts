import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentMessage, ServerMessage } from '@chancela/session-server/channel'
import { type BackOff, waitAfter } from './back-off.ts'
import type { Enrolment } from './home.ts'
import { type ConnectionEnd, ServerConnection } from './server-connection.ts'

interface LinkOptions {
  readonly enrolment: Enrolment
  readonly backOff: BackOff
  readonly tell: (sentence: string) => void
  readonly onMessage: (message: ServerMessage) => void
}

/** The agent's end of the channel: one connection at a time, made again whenever it is lost. */
export class ServerLink {
  readonly #options: LinkOptions
  readonly #stopping = new AbortController()
  #connection: ServerConnection | undefined
  #failures = 0

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** Says something to the server; nothing when it is away. */
  send(message: AgentMessage): void {
    this.#connection?.send(message)
  }

  /** Stays connected until it is stopped, or the server does not know this agent any more. */
  async run(): Promise<'stopped' | 'refused'> {
    const { signal } = this.#stopping
    const { enrolment, onMessage, backOff, tell } = this.#options
    while (!signal.aborted) {
      this.#connection = new ServerConnection(enrolment, onMessage)
      const end = await this.#connection.ended
      this.#connection = undefined
      if (signal.aborted) break
      if (end.kind === 'refused') {
        tell(refusals[end.reason])
        return 'refused'
      }
      this.#report(end)
      await sleep(this.#waitAfter(end, backOff), undefined, { signal }).catch(() => {})
    }
    return 'stopped'
  }

  stop(): void {
    this.#stopping.abort()
    this.#connection?.close()
  }

  #report(end: Exclude<ConnectionEnd, { kind: 'refused' }>): void {
    const { tell, enrolment } = this.#options
    if (end.kind === 'replaced')
      tell('Another agent with this enrolment has connected. If it is not yours, have the workstation revoked.')
    // Said once, not at every attempt.
    else if (end.wasWelcome || this.#failures === 0) tell(`${enrolment.server} cannot be reached: ${end.reason}.`)
  }

  #waitAfter(end: ConnectionEnd, backOff: BackOff): number {
    // Two agents of one enrolment would drive each other out without end.
    if (end.kind === 'replaced') return backOff.longest
    if (end.kind === 'lost' && end.wasWelcome) this.#failures = 0
    return waitAfter(this.#failures++, backOff)
  }
}

const refusals = {
  unknown: 'The server does not know this workstation: enrol it again with a new code.',
  revoked: 'The enrolment of this workstation was revoked: ask the administrator for a new code.',
} as const
