/** Revocation data as it was fetched. */
export interface StoredRevocationData {
  readonly bytes: Uint8Array
  readonly fetchedAt: Date
  readonly etag: string | null
  readonly lastModified: string | null
}

/**
 * A persistent cache that services may provide. Its data is verified like data from the network, so it needs no
 * protection of its own.
 */
export interface RevocationCache {
  get(key: string): Promise<StoredRevocationData | undefined>
  set(key: string, data: StoredRevocationData): Promise<void>
}
