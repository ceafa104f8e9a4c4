import { queryOptions } from '@tanstack/react-query'
import { headersOf, refused, send } from '../../shared/api/request.ts'
import { openPdf, type Pdf } from '../../shared/pdf/open-pdf.ts'
import { ask, pageHeaders } from './acting-for.ts'
import type { TemplateGuide, TemplateKind } from './types.ts'

/** What a template can show, and the usual one to begin with. */
export const templateGuideQuery = (kind: TemplateKind) =>
  queryOptions({
    queryKey: ['template-guides', kind],
    queryFn: ({ signal }) => ask<TemplateGuide>('GET', `/api/template-guides/${kind}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export interface TemplateDraft {
  readonly kind: TemplateKind
  readonly content: object
}

/** A draft as the service draws it. */
export const previewQuery = (draft: TemplateDraft | undefined) =>
  queryOptions({
    queryKey: ['template-preview', draft],
    queryFn: ({ signal }) => drawn(draft!, signal),
    enabled: draft !== undefined,
    // What is wrong with a draft stays wrong, and an open PDF holds memory.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    structuralSharing: false,
  })

const DRAWING_SECONDS = 120

async function drawn(body: TemplateDraft, signal: AbortSignal): Promise<Pdf> {
  const options = { body, headers: pageHeaders(), signal, timeoutSeconds: DRAWING_SECONDS }
  const response = await send('POST', '/api/templates/preview', options)
  if (!response.ok) throw refused(response.status, await response.text(), headersOf(response))
  return openPdf(await response.arrayBuffer())
}
