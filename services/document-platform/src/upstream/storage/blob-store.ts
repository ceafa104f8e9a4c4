import type { Readable } from 'node:stream'

/**
 * Where the bytes of documents lie. A blob is named by the SHA-256 of its bytes, so that it never changes and the same
 * content is stored once. What refers to a blob is the business of the database; a blob that nobody refers to is found
 * and removed by `sweepOrphans`.
 */
export interface BlobStore {
  /** Takes bytes in; they are durable when this resolves. Stops with `BlobTooLarge` at the first byte over the limit. */
  put(source: BlobSource, options?: PutOptions): Promise<StoredBlob>
  /** The whole blob in memory. */
  read(digest: string): Promise<Buffer>
  /** The blob, or a part of it, piece by piece. A missing blob rejects here, before the first piece. */
  stream(digest: string, range?: ByteRange): Promise<Readable>
  has(digest: string): Promise<boolean>
  size(digest: string): Promise<number>
  /** Removes a blob; one that is not there, or is younger than asked, is left alone. Says whether one was removed. */
  delete(digest: string, options?: DeleteOptions): Promise<boolean>
  /** Every blob, in no order; one that comes or goes meanwhile may be missed or told twice. */
  list(): AsyncIterable<ListedBlob>
  /** Lets go of connections and of work under way. */
  close(): Promise<void>
}

export type BlobSource = Uint8Array | AsyncIterable<Uint8Array>

export interface PutOptions {
  /** Default: no limit. */
  readonly maxBytes?: number
}

export interface DeleteOptions {
  /** Only if it was stored, for the first time or again, before this moment. Default: in any case. */
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
  /** MD5 in lower-case hexadecimal, which the wire shows of uploads and documents. */
  readonly md5: string
}

export interface ListedBlob {
  readonly digest: string
  readonly size: number
  /** When these bytes were last put. */
  readonly storedAt: Date
}

/** No blob of this digest is here. */
export class BlobMissing extends Error {
  override readonly name = 'BlobMissing'
  readonly digest: string

  constructor(digest: string, cause?: unknown) {
    super(`There is no blob ${digest}.`, { cause })
    this.digest = digest
  }
}

/** More bytes came than were allowed; nothing was stored. */
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

/** A digest becomes a path or a key: anything else than one is a mistake of the caller. */
export function requireDigest(text: string): string {
  if (!isDigest(text)) throw new TypeError('A blob is named by a SHA-256 in lower-case hexadecimal.')
  return text
}

/** The part of a blob of `size` bytes that a range names. */
export function clampRange(size: number, { start = 0, end = size }: ByteRange = {}): { start: number; end: number } {
  const from = Math.min(Math.max(start, 0), size)
  return { start: from, end: Math.max(from, Math.min(end, size)) }
}
