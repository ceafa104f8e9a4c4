import type { Readable } from 'node:stream'

/**
 * Storage of document bytes. A blob is named by the SHA-256 of its bytes, so that it never changes and the same content
 * is stored once. References to blobs are kept in the database; `sweepOrphans` finds and removes unreferenced blobs.
 */
export interface BlobStore {
  /** Stores bytes; they are durable when this resolves. Throws `BlobTooLarge` at the first byte over the limit. */
  put(source: BlobSource, options?: PutOptions): Promise<StoredBlob>
  /** The whole blob in memory. */
  read(digest: string): Promise<Buffer>
  /** Streams the blob or a part of it. A missing blob rejects here, before the first chunk. */
  stream(digest: string, range?: ByteRange): Promise<Readable>
  has(digest: string): Promise<boolean>
  size(digest: string): Promise<number>
  /** Removes a blob; skips one that is missing or younger than requested. Returns whether one was removed. */
  delete(digest: string, options?: DeleteOptions): Promise<boolean>
  /** Lists all blobs, unordered; one stored or deleted meanwhile may be missing or listed twice. */
  list(): AsyncIterable<ListedBlob>
  /** Closes connections and aborts running work. */
  close(): Promise<void>
}

export type BlobSource = Uint8Array | AsyncIterable<Uint8Array>

export interface PutOptions {
  /** Default: no limit. */
  readonly maxBytes?: number
}

export interface DeleteOptions {
  /** Only if it was last stored before this moment. Default: always. */
  readonly storedBefore?: Date
}

/** As with `slice`: from `start` up to, not including, `end`. Default: the whole. */
export interface ByteRange {
  readonly start?: number
  readonly end?: number
}

export interface StoredBlob {
  /** SHA-256 in lower-case hexadecimal: the blob's name. */
  readonly digest: string
  /** In bytes. */
  readonly size: number
  /** MD5 in lower-case hexadecimal, which the API shows for uploads and documents. */
  readonly md5: string
}

export interface ListedBlob {
  readonly digest: string
  readonly size: number
  /** When these bytes were last stored. */
  readonly storedAt: Date
}

/** No blob with this digest exists. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing'
  readonly digest: string

  constructor(digest: string, cause?: unknown) {
    super(`There is no blob ${digest}.`, { cause })
    this.digest = digest
  }
}

/** The source exceeds the size limit; nothing was stored. */
export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge'
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`The bytes are more than ${maxBytes}.`)
    this.maxBytes = maxBytes
  }
}

const DIGEST = /^[0-9a-f]{64}$/

export const isDigest = (text: string): boolean => DIGEST.test(text)

/** Digests become paths and keys: anything else is a caller's bug. */
export function requireDigest(text: string): string {
  if (!isDigest(text)) throw new TypeError('A blob is named by a SHA-256 in lower-case hexadecimal.')
  return text
}

/** The offsets of a range, clamped to a blob of `size` bytes. */
export function clampRange(size: number, { start = 0, end = size }: ByteRange = {}): { start: number; end: number } {
  const from = Math.min(Math.max(start, 0), size)
  return { start: from, end: Math.max(from, Math.min(end, size)) }
}
