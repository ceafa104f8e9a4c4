import { readPfx } from '../../../keys/pkcs12/read-pfx.ts'
import type { Reader } from './reader.ts'

// A caller sets its own bound on key derivation; this one lets every honest seed through and keeps cases short.
const limits = { maxIterations: 100_000, maxBytes: 1024 * 1024 }

/** The reader behind `openPkcs12`, without the thread that it runs in. */
export const readAnyPkcs12: Reader = (bytes, { beside }) => {
  readPfx(bytes, Buffer.from(beside.password ?? ''), limits)
  return undefined
}
