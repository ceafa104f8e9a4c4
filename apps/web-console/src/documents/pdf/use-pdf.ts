import { useQuery } from '@tanstack/react-query'
import { headersOf, refused, send } from '../../shared/api/request.ts'
import { openPdf, type Pdf } from './open-pdf.ts'

/** A large file over a slow line. */
const DOWNLOAD_SECONDS = 300

async function fetchPdf(address: string, signal: AbortSignal): Promise<Pdf> {
  const response = await send('GET', address, { signal, timeoutSeconds: DOWNLOAD_SECONDS })
  if (!response.ok) throw refused(response.status, await response.text(), headersOf(response))
  return openPdf(await response.arrayBuffer())
}

/** The PDF at an address of the service, or the one in a file of this browser. `version` tells of new content. */
export const usePdf = (source: string | File, version = '') =>
  useQuery({
    queryKey: ['pdf', typeof source === 'string' ? source : [source.name, source.size, source.lastModified], version],
    queryFn: async ({ signal }) =>
      typeof source === 'string' ? fetchPdf(source, signal) : openPdf(await source.arrayBuffer()),
    // An open PDF holds memory of its thread: it stays as long as it is shown, and is not read again meanwhile.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })
