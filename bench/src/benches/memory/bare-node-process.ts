// Node with nothing in it, for scale.
import { tellParent } from '../../harness/program-side.ts'

tellParent('ready')
