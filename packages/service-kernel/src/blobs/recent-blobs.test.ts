import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { BlobMissing, type BlobStore } from './blob-store.ts'
import { rememberingBlobs } from './recent-blobs.ts'

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Blobs in memory that count how often they are read. */
function countingBlobs() {
  const kept = new Map<string, Buffer>()
  const counted = { reads: 0 }
  const blobs: Pick<BlobStore, 'put' | 'read' | 'delete'> = {
    put: async (source) => {
      const bytes = Buffer.from(source as Uint8Array)
      kept.set(digestOf(bytes), bytes)
      return { digest: digestOf(bytes), size: bytes.length, md5: '' }
    },
    read: async (digest) => {
      counted.reads += 1
      const bytes = kept.get(digest)
      if (!bytes) throw new BlobMissing(digest)
      return bytes
    },
    delete: async (digest) => kept.delete(digest),
  }
  return { blobs: rememberingBlobs(blobs as BlobStore), counted }
}

test('a small blob that was just taken in is read without the storage', async () => {
  const { blobs, counted } = countingBlobs()
  const { digest } = await blobs.put(Buffer.from('small'))
  expect(await blobs.read(digest)).toEqual(Buffer.from('small'))
  expect(counted.reads).toBe(0)
})

test('a deleted blob is gone', async () => {
  const { blobs } = countingBlobs()
  const { digest } = await blobs.put(Buffer.from('small'))
  await blobs.delete(digest)
  await expect(blobs.read(digest)).rejects.toThrow(BlobMissing)
})

test('large blobs are not remembered, and of small ones the last', async () => {
  const { blobs, counted } = countingBlobs()
  const large = await blobs.put(Buffer.alloc(1024 * 1024 + 1))
  await blobs.read(large.digest)
  expect(counted.reads).toBe(1)
  const small: string[] = []
  for (let fill = 0; fill < 40; fill += 1) small.push((await blobs.put(Buffer.alloc(1024 * 1024, fill))).digest)
  await blobs.read(small.at(-1)!)
  expect(counted.reads).toBe(1)
  await blobs.read(small[0]!)
  expect(counted.reads).toBe(2)
})
