import { EngineError } from '@chancela/signature-engine'
import {
  canonicalPdf,
  type FieldSummary,
  type PageSummary,
  type ReadingLimits,
  readingLimits,
  summarizePdf,
} from '@chancela/signature-engine/pdf'

/** Why a PDF cannot be worked on. */
export interface PdfTrouble {
  readonly kind:
    | 'not-a-pdf'
    | 'encrypted'
    /** Its structure contradicts itself. */
    | 'damaged'
    /** Readers would not agree on what it shows. */
    | 'ambiguous'
    /** It goes beyond a limit: of pages, of bytes, of memory, of time. */
    | 'too-complex'
  /** A sentence for who sent it. */
  readonly reason: string
}

/** Result of inspecting an uploaded file. */
export type PdfInspection =
  | {
      readonly kind: 'pdf'
      readonly pages: readonly PageSummary[]
      /** Form fields that are no signatures. */
      readonly fields: readonly FieldSummary[]
      readonly signatures: number
    }
  | PdfTrouble

/** Looks at a file with the engine's reader, which decides alone what a PDF contains. */
export function inspectPdf(bytes: Uint8Array, within: ReadingLimits = readingLimits): PdfInspection {
  try {
    const { pages, fields } = summarizePdf(bytes, within)
    return {
      kind: 'pdf',
      pages,
      fields: fields.filter(({ type }) => type !== 'Sig'),
      signatures: fields.filter(({ type, isFilled }) => type === 'Sig' && isFilled).length,
    }
  } catch (error) {
    return troubleOf(error)
  }
}

/** Why a file cannot be taken as a PDF; nothing when it can. Every object that it leads to is read. */
export function readPdf(bytes: Uint8Array, within: ReadingLimits = readingLimits): PdfTrouble | undefined {
  const found = inspectPdf(bytes, within)
  if (found.kind !== 'pdf') return found
  if (found.pages.length === 0) return { kind: 'damaged', reason: 'The file has no pages.' }
  try {
    const { permitsSigning } = summarizePdf(bytes, within)
    if (!permitsSigning) return { kind: 'encrypted', reason: 'The author of the file lets only its owner sign it.' }
    canonicalPdf(bytes, within)
    return undefined
  } catch (error) {
    return troubleOf(error)
  }
}

const kinds: Readonly<Record<string, PdfTrouble['kind']>> = {
  'pdf.not-a-pdf': 'not-a-pdf',
  'pdf.encrypted': 'encrypted',
  'pdf.ambiguous': 'ambiguous',
  'pdf.too-complex': 'too-complex',
}

/** What the engine's refusal of a file means here; what is no refusal is thrown on. */
export function troubleOf(error: unknown): PdfTrouble {
  if (!(error instanceof EngineError)) throw error
  return { kind: kinds[error.code] ?? 'damaged', reason: error.message }
}
