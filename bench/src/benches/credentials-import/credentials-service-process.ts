// The credential platform in a process of its own, started as the command line starts every service of the suite.
import { credentialPlatform } from '@chancela/credential-platform'
import { sendToParent } from '../../harness/program-side.ts'
import { addressOf, serveOrder } from '../serve-order.ts'

const service = await serveOrder(credentialPlatform)
sendToParent(addressOf(service, 'Http'))
