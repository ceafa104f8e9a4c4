import { readPfx } from '../../../keys/pkcs12/read-pfx.ts'
import type { Reader } from './reader.ts'

// A caller sets its own limit of key derivation; this one accepts every valid seed and keeps cases short.
const limits = { maxIterations: 100_000, maxBytes: 1024 * 1024 }

/** The reader behind `openPkcs12`, without its thread. */
export const readAnyPkcs12: Reader = (bytes, { beside }) => {
  readPfx(bytes, Buffer.from(beside.password ?? ''), limits)
  return undefined
}
