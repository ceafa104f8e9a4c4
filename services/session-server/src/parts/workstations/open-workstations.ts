import { instanceSecret } from '@chancela/service-kernel/secrets'
import { newIdentitySecret, ownSideOf } from '../../channel/index.ts'
import type { Context } from '../../context.ts'
import type { Certificates } from '../certificates/certificates.ts'
import { AgentDoor } from './accept-agents.ts'
import { WorkstationHub } from './workstation-hub.ts'

/** The hub of the agents, and the acceptor of their connections. */
interface OpenWorkstations {
  readonly hub: WorkstationHub
  readonly door: AgentDoor
  /** The server's public key on the channel: agents are enrolled for this key. */
  readonly serverPublicKey: string
}

/** Opens both with this instance's key, which is generated once: agents identify the server by it. */
export async function openWorkstations(context: Context, certificates: Certificates): Promise<OpenWorkstations> {
  const secret = await instanceSecret({ ...context, service: 'session-server' }, 'agent-channel-key', async () =>
    newIdentitySecret(),
  )
  const own = ownSideOf(secret)
  const hub = new WorkstationHub({ ...context, certificates })
  return { hub, door: new AgentDoor({ ...context, hub, own }), serverPublicKey: own.identity.publicKey }
}
