import { plus } from '../clock/index.ts'
import type { BlobStore, ListedBlob } from './blob-store.ts'

/** The digests among these that a database row refers to. */
export type FindReferenced = (digests: readonly string[]) => Promise<ReadonlySet<string>>

export interface SweptOrphans {
  /** Blobs inspected. */
  readonly seen: number
  /** Blobs removed, and their bytes. */
  readonly removed: number
  readonly removedBytes: number
}

/** Blobs checked per query. */
const BATCH = 500

/**
 * Removes unreferenced blobs, left by a crash between storing the bytes and the row, or by a deleted document. A blob
 * is stored before its row is written, so recent ones are kept for `olderThan` milliseconds.
 */
export async function sweepOrphans(
  blobs: BlobStore,
  isReferenced: FindReferenced,
  olderThan: number,
  now: Date,
): Promise<SweptOrphans> {
  const storedBefore = plus(now, -olderThan)
  let [seen, removed, removedBytes] = [0, 0, 0]
  for await (const batch of inBatches(blobs.list())) {
    seen += batch.length
    const old = batch.filter(({ storedAt }) => storedAt < storedBefore)
    const referenced = await isReferenced(old.map(({ digest }) => digest))
    for (const { digest, size } of old) {
      if (referenced.has(digest) || !(await blobs.delete(digest, { storedBefore }))) continue
      removed += 1
      removedBytes += size
    }
  }
  return { seen, removed, removedBytes }
}

async function* inBatches(blobs: AsyncIterable<ListedBlob>): AsyncGenerator<ListedBlob[], void, undefined> {
  let batch: ListedBlob[] = []
  for await (const blob of blobs) {
    batch.push(blob)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
