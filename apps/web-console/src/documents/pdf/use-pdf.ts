import { useQuery } from '@tanstack/react-query'
import { headersOf, refused, send } from '../../shared/api/request.ts'
import { openPdf, type Pdf } from '../../shared/pdf/open-pdf.ts'

/** Enough for a large file over a slow connection. */
const DOWNLOAD_SECONDS = 300

async function fetchPdf(address: string, signal: AbortSignal): Promise<Pdf> {
  const response = await send('GET', address, { signal, timeoutSeconds: DOWNLOAD_SECONDS })
  if (!response.ok) throw refused(response.status, await response.text(), headersOf(response))
  return openPdf(await response.arrayBuffer())
}

/** The PDF at an address of the service, or in a local file. `version` changes with the content. */
export const usePdf = (source: string | File, version = '') =>
  useQuery({
    queryKey: ['pdf', typeof source === 'string' ? source : [source.name, source.size, source.lastModified], version],
    queryFn: async ({ signal }) =>
      typeof source === 'string' ? fetchPdf(source, signal) : openPdf(await source.arrayBuffer()),
    // An open PDF holds memory in its worker: it is kept as long as it is shown, and never refetched.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })
