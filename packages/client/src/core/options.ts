/** A function compatible with the platform's `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ClientOptions {
  /** Where the service is, without the path of an operation: `https://sessions.example.com`. */
  readonly baseUrl: string | URL
  /** As issued by the service's administration. */
  readonly apiKey: string
  /** Sends the requests, through a proxy for example. Default: the platform's own. */
  readonly fetch?: Fetch | undefined
  /** Milliseconds for one request and its answer. Default two minutes: some calls wait for a person. */
  readonly timeoutMs?: number | undefined
  /** Cancels every call of this client. */
  readonly signal?: AbortSignal | undefined
  /** How a call is repeated where that is safe; `false` repeats none. */
  readonly retry?: RetryOptions | false | undefined
}

export interface RetryOptions {
  /** Requests for one call at most. Default 5. */
  readonly attempts?: number | undefined
  /** Milliseconds before the second request; every further pause is twice as long. Default 200. */
  readonly firstDelayMs?: number | undefined
  /** Longest pause, in milliseconds. Default 5000. */
  readonly maxDelayMs?: number | undefined
}

/** Options of a single call. */
export interface CallOptions {
  /** Cancels this call. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for one request and its answer, overriding the client's. */
  readonly timeoutMs?: number | undefined
}

/** Longer than the minute a holder has at the workstation, and the minute a signature may take. */
export const DEFAULT_TIMEOUT_MS = 120_000

/** Checks that the key can be sent in a header. The error of `fetch` would quote it. */
export function usableKey(apiKey: string): string {
  const key = apiKey.trim()
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError('The API key is empty or has characters that no key has.')
  return key
}

/** The base without the slashes at its end; operations begin with one. */
export function usableBase(baseUrl: string | URL): string {
  const { protocol, username, password, origin, pathname } = new URL(baseUrl)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '')
    throw new TypeError('The base URL has to be http or https, without a user.')
  return origin + pathname.replace(/\/+$/, '')
}
