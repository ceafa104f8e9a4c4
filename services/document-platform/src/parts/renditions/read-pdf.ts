import { EngineError } from '@chancela/signature-engine'
import { type FieldSummary, type PageSummary, summarizePdf } from '@chancela/signature-engine/pdf'

/** Result of inspecting an uploaded file. */
export type PdfInspection =
  | {
      readonly kind: 'pdf'
      readonly pages: readonly PageSummary[]
      /** Form fields that are no signatures. */
      readonly fields: readonly FieldSummary[]
      readonly signatures: number
    }
  | { readonly kind: 'not-a-pdf' }
  | { readonly kind: 'encrypted' }
  /** A PDF with a damaged structure; the reason is for the log. */
  | { readonly kind: 'unreadable'; readonly reason: string }

/** Inspects a file with the engine's reader, which reads no more than the pages and the form need. */
export function inspectPdf(bytes: Uint8Array): PdfInspection {
  try {
    const { pages, fields } = summarizePdf(bytes)
    return {
      kind: 'pdf',
      pages,
      fields: fields.filter(({ type }) => type !== 'Sig'),
      signatures: fields.filter(({ type, isFilled }) => type === 'Sig' && isFilled).length,
    }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    if (error.code === 'pdf.not-a-pdf') return { kind: 'not-a-pdf' }
    if (error.code === 'pdf.encrypted') return { kind: 'encrypted' }
    return { kind: 'unreadable', reason: error.message }
  }
}

/** Why a file is not accepted as a PDF; undefined when it is. */
export function readPdf(bytes: Uint8Array): string | undefined {
  const found = inspectPdf(bytes)
  switch (found.kind) {
    case 'pdf':
      return found.pages.length === 0 ? 'The file has no pages.' : undefined
    case 'not-a-pdf':
      return 'The file has no PDF header.'
    case 'encrypted':
      return 'The file is encrypted; remove the encryption first.'
    case 'unreadable':
      return found.reason
  }
}
