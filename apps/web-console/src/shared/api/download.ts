import { type CallOptions, headersOf, refused, send } from './request.ts'

/**
 * Downloads a file through the browser: streamed to disk, with its own progress. A request is sent first, so that a
 * refusal is shown on the page instead of being saved under the file's name.
 */
export async function download(address: string): Promise<void> {
  const abort = new AbortController()
  const response = await send('GET', address, { signal: abort.signal })
  if (!response.ok) throw refused(response.status, await response.text(), headersOf(response))
  abort.abort()
  follow(address)
}

/** Downloads a small file in one request, for rate-limited addresses and those that need headers. */
export async function downloadOnce(
  address: string,
  fallbackName: string,
  options: Pick<CallOptions, 'headers'> = {},
): Promise<void> {
  const response = await send('GET', address, { timeoutSeconds: 120, ...options })
  if (!response.ok) throw refused(response.status, await response.text(), headersOf(response))
  const url = URL.createObjectURL(await response.blob())
  follow(url, nameIn(response.headers.get('content-disposition')) ?? fallbackName)
  URL.revokeObjectURL(url)
}

function follow(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

/** The file name of a Content-Disposition header. */
export function nameIn(disposition: string | null): string | undefined {
  return /filename="?([^";]+)"?/.exec(disposition ?? '')?.[1]
}
