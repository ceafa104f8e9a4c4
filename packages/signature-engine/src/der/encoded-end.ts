import { refuseDer } from './errors.ts'

const MAX_DEPTH = 32

/** End of the value at a position; old writers use indefinite lengths, so the members decide where it ends. */
export function encodedEnd(bytes: Uint8Array, start = 0, depth = 0): number {
  const first = bytes[start + 1]
  if (first === undefined || depth > MAX_DEPTH) throw refuseDer('der.truncated', { offset: start })
  if (first !== 0x80) return definiteEnd(bytes, start, first)
  let at = start + 2
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) {
    if (at >= bytes.length) throw refuseDer('der.truncated', { offset: at })
    at = encodedEnd(bytes, at, depth + 1)
  }
  return at + 2
}

function definiteEnd(bytes: Uint8Array, start: number, first: number): number {
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f
  if (lengthBytes > 6) throw refuseDer('der.truncated', { offset: start })
  let length = lengthBytes === 0 ? first : 0
  for (let i = 0; i < lengthBytes; i++) length = length * 256 + (bytes[start + 2 + i] ?? 0)
  const end = start + 2 + lengthBytes + length
  if (end > bytes.length) throw refuseDer('der.truncated', { offset: start })
  return end
}
