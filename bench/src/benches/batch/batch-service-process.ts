// The batch signer in a process of its own, started as the command line starts every service of the suite.
import { batchSigner } from '@chancela/batch-signer'
import { tellParent } from '../../harness/program-side.ts'
import { serveOrder } from '../serve-order.ts'

const addressOf = await serveOrder(batchSigner)
tellParent(addressOf('Http'))
