import { cloudWay } from './cloud-way.ts'
import { fileWay } from './file-way.ts'
import type { SigningWay } from './signing-way.ts'
import { tokenWay } from './token-way.ts'

/** Every way of signing, the one first that most people have. */
export const signingWays: readonly SigningWay[] = [cloudWay, tokenWay, fileWay]
