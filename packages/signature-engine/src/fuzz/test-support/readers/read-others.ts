import { embedImage } from '../../../pades/embedded-image.ts'
import { ref } from '../../../pdf/pdf-object.ts'
import { openState } from '../../../signing/signing-state.ts'
import { importOfficialRoots } from '../../../trust/import-official-roots.ts'
import { stateSecret } from '../corpus/other-seeds.ts'
import type { Reader } from './reader.ts'

/** A picture for a visible signature. */
export const readAnyImage: Reader = (bytes) => {
  embedImage(bytes).write(() => ref(1))
  return undefined
}

/** A file with roots. */
export const readAnyRoots: Reader = (bytes) => {
  importOfficialRoots(bytes)
  return undefined
}

/** A signing state that was sent around: one that opens was sealed here. */
export const readAnyState: Reader = (bytes) => {
  openState(bytes, stateSecret)
  return 'valid'
}
