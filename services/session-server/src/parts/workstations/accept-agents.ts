// Accepts agents' connections: TLS inside the WebSocket, and which agents are admitted.
import { SECOND } from '@chancela/service-kernel/clock'
import type { TakenConnection } from '@chancela/service-kernel/http'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import {
  type AgentMessage,
  acceptChannel,
  agentMessages,
  CHANNEL,
  ChannelProblem,
  type ChannelRefusal,
  MAX_PIECE_BYTES,
  type OwnSide,
  readMessage,
  type SecureChannel,
  writeMessage,
} from '../../channel/index.ts'
import type { Context } from '../../context.ts'
import type { WorkstationRow } from '../../store/tables.ts'
import { findWorkstationByKey, noteConnection } from '../../store/workstations.ts'
import { AgentConnection, closeCodes } from './agent-connection.ts'
import { OutdatedAgents } from './outdated-agents.ts'
import type { WorkstationHub } from './workstation-hub.ts'

/** Most concurrent handshakes; further agents are told to retry. */
const MAX_ARRIVING = 256

const socketOptions: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  clientTracking: false,
  maxPayload: MAX_PIECE_BYTES,
  // TLS does not compress.
  perMessageDeflate: false,
  closeTimeout: 2 * SECOND,
}

interface DoorContext extends Pick<Context, 'store' | 'events' | 'clock' | 'logger' | 'settings'> {
  readonly hub: WorkstationHub
  /** The server's side of the channel. */
  readonly own: OwnSide
}

export class AgentDoor {
  readonly #context: DoorContext
  readonly #sockets = new WebSocketServer(socketOptions)
  readonly #arriving = new Set<WebSocket>()
  readonly #outdated: OutdatedAgents

  constructor(context: DoorContext) {
    this.#context = context
    this.#outdated = new OutdatedAgents(context)
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
    // An agent of before says who it is in a text, which is no TLS: it is told to the administrators, and let go.
    socket.once('message', (data: Buffer, isBinary) => {
      if (!isBinary) void this.#outdated.tellOfClaim(data)
    })
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
    const { own, settings, store } = this.#context
    const inTime = AbortSignal.timeout(settings.Workstations.AnswerSeconds * SECOND)
    const channel = await acceptChannel(socket, own, inTime)
    const row = await findWorkstationByKey(store.db, channel.peerKey)
    const reason = refusalOf(row)
    if (row && !reason) await this.#letIn(channel, row, address, inTime)
    else await this.#refuse(channel, row, reason ?? 'unknown')
  }

  async #letIn(channel: SecureChannel, { id }: WorkstationRow, address: string, inTime: AbortSignal): Promise<void> {
    const { store, hub, clock } = this.#context
    const { agentVersion, platform } = helloIn(await channel.first(inTime))
    const connection = new AgentConnection(id, channel, hub.events)
    // First registers the connection, then reads the row again: a concurrent revocation finds one or the other.
    hub.enter(connection)
    const seen = { platform, agent_version: agentVersion, address, last_seen_at: clock().toISOString() }
    const noted = await noteConnection(store.db, { id, publicKey: channel.peerKey }, seen)
    if (!noted) return connection.close('cut')
    connection.listen()
    await hub.welcome(connection, noted)
  }

  /** One word under the server's key, which the agent can trust. Nothing it says is read. */
  async #refuse(channel: SecureChannel, row: WorkstationRow | undefined, reason: ChannelRefusal): Promise<void> {
    this.#context.logger.warn({ workstationId: row?.id, reason }, 'workstation rejected')
    if (row && reason === 'outdated') await this.#outdated.tell(row)
    channel.send(writeMessage({ type: 'refused', reason }))
    channel.close(closeCodes.refused)
  }
}

/** Who proved the key of a workstation learns what became of it. */
function refusalOf(row: WorkstationRow | undefined): ChannelRefusal | undefined {
  if (!row) return 'unknown'
  if (row.revoked_at !== null) return 'revoked'
  return row.channel === CHANNEL ? undefined : 'outdated'
}

function helloIn(content: Buffer): Extract<AgentMessage, { type: 'hello' }> {
  const read = readMessage(agentMessages, content)
  if ('message' in read && read.message.type === 'hello') return read.message
  throw new ChannelProblem('malformed', 'the agent did not begin with hello')
}
