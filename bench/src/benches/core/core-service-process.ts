// The PKI core in a process of its own, started as the command line starts every service of the suite.
import { pkiCore } from '@chancela/pki-core'
import { sendToParent } from '../../harness/program-side.ts'
import { addressOf, serveOrder } from '../serve-order.ts'

const service = await serveOrder(pkiCore)
sendToParent(addressOf(service, 'Http'))
