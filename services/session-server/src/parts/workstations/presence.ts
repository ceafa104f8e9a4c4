import { SECOND } from '@chancela/service-kernel/clock'
import type { Context } from '../../context.ts'
import { noteSeen } from '../../store/workstations.ts'
import type { AgentConnection } from './agent-connection.ts'

type PresenceContext = Pick<Context, 'store' | 'clock' | 'logger' | 'settings'>

/** A registered connection. No request is sent before the welcome. */
interface Place {
  readonly connection: AgentConnection
  /** Resolves when the agent was welcomed, or has disconnected. */
  readonly settled: Promise<void>
  settle(): void
  isWelcomed: boolean
}

/** Which workstations are connected. They share one timer: an idle agent costs a ping now and then. */
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

  /** Disconnects every agent; they reconnect when the service is back. */
  stop(): void {
    clearInterval(this.#pulse)
    for (const { connection } of this.#places.values()) connection.close('stopping')
  }

  get online(): number {
    return [...this.#places.values()].filter(({ isWelcomed }) => isWelcomed).length
  }

  /** The connection of a welcomed workstation. */
  find(workstationId: string): AgentConnection | undefined {
    const place = this.#places.get(workstationId)
    return place?.isWelcomed ? place.connection : undefined
  }

  /** The same, after waiting for the welcome of one that is connecting. */
  async settled(workstationId: string): Promise<AgentConnection | undefined> {
    await this.#places.get(workstationId)?.settled
    return this.find(workstationId)
  }

  cut(workstationId: string): void {
    this.#places.get(workstationId)?.connection.close('cut')
  }

  /** Registers a connection; replaces an earlier one of the same workstation. */
  enter(connection: AgentConnection): void {
    this.#places.get(connection.workstationId)?.connection.close('replaced')
    let settle = () => {}
    const settled = new Promise<void>((resolve) => {
      settle = resolve
    })
    this.#places.set(connection.workstationId, { connection, settled, settle, isWelcomed: false })
  }

  /** Returns whether the connection is still registered; if so, requests may be sent from now on. */
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

  /** Resolves true when the workstation connects, false on timeout or abort. */
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

  /** Pings all agents, closes those that missed the last two pings, and records the others in one statement. */
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
