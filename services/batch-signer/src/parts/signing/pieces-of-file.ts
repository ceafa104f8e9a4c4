import { open } from 'node:fs/promises'

const PIECE_BYTES = 1024 * 1024

/**
 * A file in pieces that share two buffers: one is read while the previous piece is still being written. A read stream
 * allocates a buffer per piece, and for large files faster than they are collected.
 */
export async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path)
  try {
    let [buffer, other] = [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)]
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE_BYTES)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
      ;[buffer, other] = [other, buffer]
    }
  } finally {
    await file.close()
  }
}
