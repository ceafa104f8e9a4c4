import type { HttpExchange, HttpResponse } from '../http/exchange.ts'
import type { RevocationCache, StoredRevocationData } from './revocation-cache.ts'

/** How lists and OCSP answers are fetched and cached. */
export interface FetchSettings {
  readonly exchange: HttpExchange
  readonly timeoutMs: number
  readonly maxCrlBytes: number
  readonly refreshAfterMs: number
  readonly retryAfterMs: number
  readonly cache: RevocationCache | undefined
}

/** Whether data fetched then may be used now without a request: long while it is current, briefly otherwise. */
export function isRecent({ fetchedAt }: StoredRevocationData, holds: boolean, now: Date, settings: FetchSettings) {
  const age = Math.abs(now.getTime() - fetchedAt.getTime())
  return age < (holds ? settings.refreshAfterMs : settings.retryAfterMs)
}

export const storedFrom = ({ body, headers }: HttpResponse, fetchedAt: Date): StoredRevocationData => ({
  bytes: body,
  fetchedAt,
  etag: headers.etag ?? null,
  lastModified: headers['last-modified'] ?? null,
})

// A failing cache costs a request, not a verdict: its errors, and unreadable data in it, are not reported.

/** The parsed value of the persistent cache under this key; undefined when there is none. */
export async function fromCache<T>(
  cache: RevocationCache | undefined,
  key: string,
  read: (data: StoredRevocationData) => T | undefined | Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    const data = await cache?.get(key)
    return data && (await read(data))
  } catch {
    return undefined
  }
}

export async function toCache(
  cache: RevocationCache | undefined,
  key: string,
  data: StoredRevocationData,
): Promise<void> {
  try {
    await cache?.set(key, data)
  } catch {
    // The next lookup requests it again.
  }
}
