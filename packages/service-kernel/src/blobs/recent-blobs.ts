import { LruCache } from '../concurrency/index.ts'
import type { BlobStore } from './blob-store.ts'

/** Most bytes cached, and the largest blob cached. */
const MOST_BYTES = 32 * 1024 * 1024
const LARGEST = 1024 * 1024

/**
 * Caches small blobs that were just stored or read: a document is read when it is created and again when it is signed,
 * mostly moments later. A blob never changes, so the cache is never stale; callers hold a row that refers to the blob.
 * `stream`, which the final check of a concluded file uses, always reads from storage.
 */
export function rememberingBlobs(blobs: BlobStore): BlobStore {
  const recent = new LruCache<string, Buffer>(MOST_BYTES, { weigh: ({ length }) => length })
  const remember = (digest: string, bytes: Buffer): void => {
    if (bytes.length <= LARGEST) recent.set(digest, bytes)
  }
  return {
    async put(source, options) {
      const stored = await blobs.put(source, options)
      if (source instanceof Uint8Array) remember(stored.digest, asBuffer(source))
      return stored
    },
    async read(digest) {
      const known = recent.get(digest)
      if (known) return known
      const bytes = await blobs.read(digest)
      remember(digest, bytes)
      return bytes
    },
    delete(digest, options) {
      recent.delete(digest)
      return blobs.delete(digest, options)
    },
    stream: (digest, range) => blobs.stream(digest, range),
    has: (digest) => blobs.has(digest),
    size: (digest) => blobs.size(digest),
    list: () => blobs.list(),
    close: () => blobs.close(),
  }
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)
