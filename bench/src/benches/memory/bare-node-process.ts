// Node with nothing in it, for scale.
import { sendToParent } from '../../harness/program-side.ts'

sendToParent('ready')
