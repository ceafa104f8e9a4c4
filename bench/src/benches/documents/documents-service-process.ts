// The document platform in a process of its own, started as the command line starts every service of the suite.
import { documentPlatform } from '@chancela/document-platform'
import { sendToParent } from '../../harness/program-side.ts'
import { addressOf, serveOrder } from '../serve-order.ts'

const service = await serveOrder(documentPlatform)
sendToParent(addressOf(service, 'Http'))
