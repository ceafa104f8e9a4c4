/** The result with which the user came back to the redirect URI. */
export type ReturnedSession =
  | { readonly session: string; readonly error?: undefined }
  /** Nothing can be signed: the holder said no, or the provider failed. The user may be asked to try again. */
  | { readonly session: string | undefined; readonly error: 'access_denied' | 'provider_error' | (string & {}) }

/** Parses what the hub appended to the redirect URI; also takes a path with a query, as servers see it. */
export function returnedSession(url: string | URL): ReturnedSession {
  const { searchParams } = new URL(url, 'http://localhost')
  const session = searchParams.get('session') || undefined
  const error = searchParams.get('error') || undefined
  if (error === undefined && session !== undefined) return { session }
  return { session, error: error ?? 'access_denied' }
}
