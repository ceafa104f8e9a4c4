import { clientAddress, route, routeUpgrades, serve, takeConnection } from '@chancela/service-kernel/http'
import { enrolWorkstation } from '../contract/console-workstations.ts'
import type { AgentDoor } from '../parts/workstations/accept-agents.ts'
import type { WorkstationAdmin } from '../parts/workstations/workstation-admin.ts'
import type { WorkstationHub } from '../parts/workstations/workstation-hub.ts'
import type { ConsoleApp } from './console/console-app.ts'

/** The channel: a WebSocket, from the handshake on in its own protocol (`channel/`). */
const openChannel = route({
  method: 'GET',
  path: '/agents/channel',
  summary: 'The channel of an enrolled workstation agent (WebSocket).',
  tags: ['Agents'],
  status: 426,
  access: 'anonymous',
  policy: 'Channel',
})

interface AgentParts {
  readonly workstationAdmin: WorkstationAdmin
  readonly agentDoor: AgentDoor
  readonly workstations: WorkstationHub
}

/** Registers the routes of workstation agents on the console's surface. */
export function serveAgents(app: ConsoleApp, { workstationAdmin, agentDoor, workstations }: AgentParts): void {
  serve(app, enrolWorkstation, ({ body, request, now }) => workstationAdmin.enrol(body, clientAddress(request), now))

  routeUpgrades(app)
  serve(app, openChannel, ({ request, reply }) => {
    const connection = takeConnection(request, reply)
    if (!connection) {
      reply.header('upgrade', 'websocket')
      return
    }
    agentDoor.accept(connection, clientAddress(request))
    return reply
  })

  // Closing a server waits for its connections, and these would not end by themselves.
  app.addHook('preClose', async () => {
    agentDoor.close()
    await workstations.stop()
  })
}
