/**
 * RC4, which OpenSSL 3 no longer offers and which files up to PDF 1.6 are encrypted with. It protects nothing any more;
 * it is here to read such files, and to write objects their other readers can read.
 */
export function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = scheduled(key)
  const out = Buffer.allocUnsafe(data.length)
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    i = (i + 1) & 255
    const a = state[i]!
    j = (j + a) & 255
    const b = state[j]!
    state[i] = b
    state[j] = a
    out[at] = data[at]! ^ state[(a + b) & 255]!
  }
  return out
}

function scheduled(key: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  for (let i = 0, j = 0; i < 256; i++) {
    const a = state[i]!
    j = (j + a + key[i % key.length]!) & 255
    state[i] = state[j]!
    state[j] = a
  }
  return state
}
