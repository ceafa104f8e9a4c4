/** Revocation data as it was fetched. */
export interface StoredRevocationData {
  readonly bytes: Uint8Array
  readonly fetchedAt: Date
  readonly etag: string | null
  readonly lastModified: string | null
}

/**
 * A place that outlives the process; services may give one. What comes out of it is verified like what comes from the
 * network, so that it needs no protection of its own.
 */
export interface RevocationCache {
  get(key: string): Promise<StoredRevocationData | undefined>
  set(key: string, data: StoredRevocationData): Promise<void>
}
