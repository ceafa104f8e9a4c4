import { randomBytes } from 'node:crypto'
import { alone, type Check } from '../health/index.ts'
import type { BlobStore } from './blob-store.ts'

/** More than a page: a file system without room may still take some bytes beside a file's own record. */
const PROBE_BYTES = 8 * 1024

/**
 * Whether the storage takes bytes and gives them back; added under the name `storage`. They are new each time, because a
 * blob that is there already is not written again, and are read as a stream, which no cache answers. What a process that
 * ends in between leaves is an orphan, which the sweep removes.
 */
export const blobsCheck = (blobs: BlobStore): Check =>
  alone(async () => {
    const bytes = randomBytes(PROBE_BYTES)
    const { digest } = await blobs.put(bytes)
    try {
      const read = await readThrough(blobs, digest)
      return read.equals(bytes)
        ? { ok: true }
        : { ok: false, detail: 'The storage gives back other bytes than it took.' }
    } finally {
      await blobs.delete(digest)
    }
  })

async function readThrough(blobs: BlobStore, digest: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of await blobs.stream(digest)) pieces.push(piece)
  return Buffer.concat(pieces)
}
