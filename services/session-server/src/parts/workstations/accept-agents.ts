// Accepts agents' connections: the handshake, and which agents are admitted.
import { SECOND } from '@chancela/service-kernel/clock'
import type { TakenConnection } from '@chancela/service-kernel/http'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import {
  type AgentHello,
  answerHello,
  ChannelProblem,
  type Identity,
  MAX_FRAME_BYTES,
  type SealedFrames,
  writeMessage,
} from '../../channel/index.ts'
import type { Context } from '../../context.ts'
import type { WorkstationRow } from '../../store/tables.ts'
import { findWorkstation, noteConnection } from '../../store/workstations.ts'
import { AgentConnection, closeCodes } from './agent-connection.ts'
import type { WorkstationHub } from './workstation-hub.ts'

/** Most concurrent handshakes; further agents are told to retry. */
const MAX_ARRIVING = 256

const socketOptions: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  maxPayload: MAX_FRAME_BYTES,
  // Encrypted frames do not compress.
  perMessageDeflate: false,
  closeTimeout: 2 * SECOND,
}

interface DoorContext extends Pick<Context, 'store' | 'clock' | 'logger' | 'settings'> {
  readonly hub: WorkstationHub
  /** Identity of the server. */
  readonly identity: Identity
}

export class AgentDoor {
  readonly #context: DoorContext
  readonly #sockets = new WebSocketServer(socketOptions)
  readonly #arriving = new Set<WebSocket>()

  constructor(context: DoorContext) {
    this.#context = context
  }

  /** Upgrades a connection that requested the channel. */
  accept({ request, socket, head }: TakenConnection, address: string): void {
    this.#sockets.handleUpgrade(request, socket, head, (opened) => void this.#arrive(opened, address))
  }

  /** Terminates unfinished handshakes. */
  close(): void {
    for (const socket of this.#arriving) socket.terminate()
  }

  async #arrive(socket: WebSocket, address: string): Promise<void> {
    const { logger } = this.#context
    socket.on('error', (error) => logger.debug({ err: error, address }, 'the socket of an agent'))
    if (this.#arriving.size >= MAX_ARRIVING) return socket.close(closeCodes.busy)
    this.#arriving.add(socket)
    try {
      await this.#shakeHands(socket, address)
    } catch (error) {
      socket.close(closeCodes.refused)
      if (error instanceof ChannelProblem) logger.warn({ address, reason: error.message }, 'agent connection rejected')
      else logger.error({ err: error, address }, 'agent connection rejected')
    } finally {
      this.#arriving.delete(socket)
    }
  }

  async #shakeHands(socket: WebSocket, address: string): Promise<void> {
    const { identity, settings } = this.#context
    const inTime = AbortSignal.timeout(settings.Workstations.AnswerSeconds * SECOND)
    const handshake = answerHello(identity, await nextText(socket, inTime))
    const proof = nextText(socket, inTime)
    socket.send(handshake.challenge)
    const { proven, frames } = handshake.finish(await proof)
    await this.#letIn(socket, frames, handshake.about, proven, address)
  }

  async #letIn(socket: WebSocket, frames: SealedFrames, about: AgentHello, proven: boolean, address: string) {
    const { store, hub, clock } = this.#context
    const { workstationId: id, publicKey, platform, agentVersion } = about
    const row = await findWorkstation(store.db, id)
    const reason = refusalOf(row, about, proven)
    if (reason) return this.#refuse(socket, frames, about, reason)
    const connection = new AgentConnection(id, socket, frames, hub.events)
    // First registers the connection, then reads the row again: a concurrent revocation finds one or the other.
    hub.enter(connection)
    const seen = { platform, agent_version: agentVersion, address, last_seen_at: clock().toISOString() }
    const noted = await noteConnection(store.db, { id, publicKey }, seen)
    if (!noted) return connection.close('cut')
    await hub.welcome(connection, noted)
  }

  #refuse(socket: WebSocket, frames: SealedFrames, { workstationId }: AgentHello, reason: Refusal): void {
    this.#context.logger.warn({ workstationId, reason }, 'workstation rejected')
    socket.send(frames.seal(writeMessage({ type: 'refused', reason })))
    socket.close(closeCodes.refused)
  }
}

type Refusal = 'unknown' | 'revoked'

/** Only the holder of the key learns that it was revoked. */
function refusalOf(row: WorkstationRow | undefined, { publicKey }: AgentHello, proven: boolean): Refusal | undefined {
  if (!row || row.public_key !== publicKey || !proven) return 'unknown'
  return row.revoked_at === null ? undefined : 'revoked'
}

/** The next text of a handshake. */
function nextText(socket: WebSocket, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const settle = (work: () => void) => {
      socket.off('message', hear).off('close', lose)
      signal.removeEventListener('abort', lose)
      work()
    }
    const hear = (data: Buffer, isBinary: boolean) =>
      settle(() =>
        isBinary ? reject(new ChannelProblem('malformed', 'a text was expected')) : resolve(data.toString('utf8')),
      )
    const lose = () => settle(() => reject(new ChannelProblem('malformed', 'the handshake was not finished')))
    socket.on('message', hear).on('close', lose)
    signal.addEventListener('abort', lose, { once: true })
  })
}
