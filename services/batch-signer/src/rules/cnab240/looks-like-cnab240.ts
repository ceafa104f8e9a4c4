import { RECORD_BYTES } from './record-cursor.ts'

const CARRIAGE_RETURN = 0x0d
const LINE_FEED = 0x0a

/** A cheap guess from the first record alone, good for a hint on a screen; `readRemittance` is the verdict. */
export function looksLikeCnab240(bytes: Uint8Array): boolean {
  if (bytes.length < RECORD_BYTES) return false
  const opening = String.fromCharCode(...bytes.subarray(0, 8))
  return /^\d{3}00000$/.test(opening) && isRecordBoundary(bytes[RECORD_BYTES])
}

function isRecordBoundary(byte: number | undefined): boolean {
  if (byte === undefined || byte === CARRIAGE_RETURN || byte === LINE_FEED) return true
  return byte >= 0x30 && byte <= 0x39
}
