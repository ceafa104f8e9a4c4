import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Writes a file that appears under its name only when all pieces are written. Returns the bytes written. */
export async function writeWhole(path: string, pieces: AsyncIterable<Buffer>): Promise<number> {
  // In the same folder, so that the rename is atomic; hidden, and readable only by its owner while unfinished.
  const unfinished = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.part`)
  const file = await open(unfinished, 'wx', 0o600)
  try {
    const bytes = await written(file, pieces)
    await file.sync()
    await file.close()
    await rename(unfinished, path)
    return bytes
  } catch (error) {
    await file.close()
    await rm(unfinished, { force: true })
    throw error
  }
}

async function written(file: FileHandle, pieces: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten
    bytes += piece.length
  }
  return bytes
}
