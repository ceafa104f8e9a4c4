import { SECOND } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import { noteSeen } from '../../store/workstations.ts'
import type { AgentConnection } from './agent-connection.ts'

type PresenceContext = Pick<Context, 'store' | 'clock' | 'logger' | 'settings'>

/** A connection at its place. Nothing is asked of the agent before it was welcomed. */
interface Place {
  readonly connection: AgentConnection
  /** Resolves when the agent was welcomed, or is away again. */
  readonly settled: Promise<void>
  settle(): void
  isWelcomed: boolean
}

/** Which workstations are connected. One timer is for all of them: an idle agent costs a ping now and then. */
export class Presence {
  readonly #context: PresenceContext
  readonly #places = new Map<string, Place>()
  readonly #awaited = new Map<string, Set<() => void>>()
  #pulse: NodeJS.Timeout | undefined

  constructor(context: PresenceContext) {
    this.#context = context
  }

  start(): void {
    const { PingSeconds } = this.#context.settings.Workstations
    this.#pulse = setInterval(() => void this.#beat(), PingSeconds * SECOND).unref()
  }

  /** Lets every agent go; they come back when the service does. */
  stop(): void {
    clearInterval(this.#pulse)
    for (const { connection } of this.#places.values()) connection.close('stopping')
  }

  get online(): number {
    return [...this.#places.values()].filter(({ isWelcomed }) => isWelcomed).length
  }

  /** The connection of a workstation that may be asked something. */
  find(workstationId: string): AgentConnection | undefined {
    const place = this.#places.get(workstationId)
    return place?.isWelcomed ? place.connection : undefined
  }

  /** The same, once one that is just arriving was welcomed. */
  async settled(workstationId: string): Promise<AgentConnection | undefined> {
    await this.#places.get(workstationId)?.settled
    return this.find(workstationId)
  }

  cut(workstationId: string): void {
    this.#places.get(workstationId)?.connection.close('cut')
  }

  /** Gives an agent its place; a former connection of the same workstation gives way. */
  enter(connection: AgentConnection): void {
    this.#places.get(connection.workstationId)?.connection.close('replaced')
    let settle = () => {}
    const settled = new Promise<void>((resolve) => {
      settle = resolve
    })
    this.#places.set(connection.workstationId, { connection, settled, settle, isWelcomed: false })
  }

  /** Says whether the agent still has its place; if so, it may be asked from now on. */
  welcome(connection: AgentConnection): boolean {
    const place = this.#placeWith(connection)
    if (!place) return false
    place.isWelcomed = true
    place.settle()
    for (const arrive of this.#awaited.get(connection.workstationId) ?? []) arrive()
    return true
  }

  leave(connection: AgentConnection): void {
    const place = this.#placeWith(connection)
    if (!place) return
    this.#places.delete(connection.workstationId)
    place.settle()
    this.#context.logger.info({ workstationId: connection.workstationId }, 'workstation offline')
  }

  /** Resolves true as soon as the workstation is there, false when the time is over or nobody waits any more. */
  untilOnline(workstationId: string, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
    if (this.find(workstationId)) return Promise.resolve(true)
    if (signal?.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const waiting = this.#awaited.get(workstationId) ?? new Set()
      this.#awaited.set(workstationId, waiting)
      const settle = (isThere: boolean) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        waiting.delete(arrive)
        if (waiting.size === 0) this.#awaited.delete(workstationId)
        resolve(isThere)
      }
      const arrive = () => settle(true)
      const giveUp = () => settle(false)
      const timer = setTimeout(giveUp, milliseconds)
      signal?.addEventListener('abort', giveUp, { once: true })
      waiting.add(arrive)
    })
  }

  #placeWith(connection: AgentConnection): Place | undefined {
    const place = this.#places.get(connection.workstationId)
    return place?.connection === connection ? place : undefined
  }

  /** Asks all for a sign of life, cuts those that gave none to the last two, and notes the others in one statement. */
  async #beat(): Promise<void> {
    const { store, clock, logger } = this.#context
    const connections = [...this.#places.values()].map(({ connection }) => connection)
    const alive = connections.filter(({ silentPings }) => silentPings === 0)
    for (const connection of connections) {
      if (connection.silentPings < MAX_SILENT_PINGS) connection.ping()
      else connection.close('silent')
    }
    try {
      await noteSeen(
        store.db,
        alive.map(({ workstationId }) => workstationId),
        clock(),
      )
    } catch (error) {
      logger.error({ err: error }, 'workstation heartbeats could not be written')
    }
  }
}

const MAX_SILENT_PINGS = 2
