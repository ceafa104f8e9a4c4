// The document platform in a process of its own, started as the command line starts every service of the suite.
import { documentPlatform } from '@chancela/document-platform'
import { tellParent } from '../../harness/program-side.ts'
import { serveOrder } from '../serve-order.ts'

const addressOf = await serveOrder(documentPlatform)
tellParent(addressOf('Http'))
