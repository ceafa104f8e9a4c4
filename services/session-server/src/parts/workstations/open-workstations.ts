import { instanceSecret } from '@chancela/service-kernel/secrets'
import { identityOf, newIdentitySecret } from '../../channel/index.ts'
import type { Ground } from '../../context.ts'
import type { Certificates } from '../certificates/certificates.ts'
import { AgentDoor } from './accept-agents.ts'
import { WorkstationHub } from './workstation-hub.ts'

/** The hub of the agents, and the door they come in by. */
interface OpenWorkstations {
  readonly hub: WorkstationHub
  readonly door: AgentDoor
  /** Who the server is on the channel: agents are enrolled at this key. */
  readonly serverPublicKey: string
}

/** Opens both with the key of this instance, which is made once: agents know the server by it. */
export async function openWorkstations(ground: Ground, certificates: Certificates): Promise<OpenWorkstations> {
  const secret = await instanceSecret({ ...ground, service: 'session-server' }, 'agent-channel-key', async () =>
    newIdentitySecret(),
  )
  const identity = identityOf(secret)
  const hub = new WorkstationHub({ ...ground, certificates })
  return { hub, door: new AgentDoor({ ...ground, hub, identity }), serverPublicKey: identity.publicKey }
}
