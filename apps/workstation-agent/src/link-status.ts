import { type Clock, plus } from '@chancela/service-kernel/clock'
import type { ConnectionEnd } from './server-connection.ts'

/** Whether the agent is connected, and what it does about it. */
export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly since: Date }
  /** It dials again then. */
  | { readonly kind: 'waiting'; readonly until: Date }

/** What the window tells of the connection. */
export class LinkStatus {
  readonly #clock: Clock
  #state: LinkState = { kind: 'connecting' }
  #problem: { readonly at: Date; readonly sentence: string } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get state(): LinkState {
    return this.#state
  }

  /** Why the last connection ended, or could not be made. */
  get problem(): { readonly at: Date; readonly sentence: string } | undefined {
    return this.#problem
  }

  dials(): void {
    this.#state = { kind: 'connecting' }
  }

  isWelcome(): void {
    this.#state = { kind: 'connected', since: this.#clock() }
  }

  /** The next connection is tried after so many milliseconds. */
  ended(end: Exclude<ConnectionEnd, { readonly kind: 'refused' }>, wait: number): void {
    const now = this.#clock()
    this.#problem = { at: now, sentence: end.kind === 'lost' ? end.reason : sentences[end.kind] }
    this.#state = { kind: 'waiting', until: plus(now, wait) }
  }
}

const sentences = {
  replaced: 'another agent with this enrolment has connected',
  failed: 'an error in this program, which is among the last events',
} as const
