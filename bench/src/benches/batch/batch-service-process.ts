// The batch signer in a process of its own, started as the command line starts every service of the suite.
import { batchSigner } from '@chancela/batch-signer'
import { sendToParent } from '../../harness/program-side.ts'
import { addressOf, serveOrder } from '../serve-order.ts'

const service = await serveOrder(batchSigner)
sendToParent(addressOf(service, 'Http'))
