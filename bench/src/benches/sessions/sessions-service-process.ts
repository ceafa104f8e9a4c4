// The session server in a process of its own, started as the command line starts every service of the suite.
import { sessionServer } from '@chancela/session-server'
import { sendToParent } from '../../harness/program-side.ts'
import { addressOf, serveOrder } from '../serve-order.ts'
import type { SessionsAddresses } from './sessions-service.ts'

const service = await serveOrder(sessionServer)
sendToParent({
  baseUrl: addressOf(service, 'Http'),
  consoleUrl: addressOf(service, 'Console'),
} satisfies SessionsAddresses)
