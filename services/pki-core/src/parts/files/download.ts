// Files that a request names by their address (pki-core facts 4.2): read within limits, and from nowhere inside.
import { SECOND } from '@chancela/service-kernel/clock'
import { addressPolicy, createHttpClient, type HttpClient, HttpProblem } from '@chancela/service-kernel/http-client'
import type { Context } from '../../context.ts'
import { refuse } from '../../rules/refuse.ts'

export interface Downloaded {
  readonly bytes: Buffer
  readonly contentType: string | undefined
}

const CONNECT_MS = 10 * SECOND
const MOST_REDIRECTS = 3

export function openDownloads({ settings, closing }: Pick<Context, 'settings' | 'closing'>): HttpClient {
  const { DownloadHosts, DownloadSeconds, MaxFileBytes } = settings.Files
  const client = createHttpClient({
    policy: addressPolicy({ allowed: DownloadHosts }),
    connectTimeoutMs: CONNECT_MS,
    deadlineMs: DownloadSeconds * SECOND,
    maxAnswerBytes: MaxFileBytes,
    redirects: MOST_REDIRECTS,
  })
  closing.add('the downloads', () => client.close())
  return client
}

/** Why a download failed is told to the caller, who named the address. */
export async function download(client: HttpClient, url: string): Promise<Downloaded> {
  const { status, headers, body } = await asked(client, url)
  if (status !== 200) throw refuse('FileDownloadFailed', { status })
  return { bytes: body, contentType: [headers['content-type']].flat()[0] }
}

async function asked(client: HttpClient, url: string) {
  try {
    return await client.exchange({ method: 'GET', url, headers: { 'accept-encoding': 'identity' } })
  } catch (error) {
    if (error instanceof HttpProblem)
      throw refuse('FileDownloadFailed', { problem: error.kind, reason: error.message }, error)
    throw error
  }
}
