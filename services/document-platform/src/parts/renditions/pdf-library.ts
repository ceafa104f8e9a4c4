import type { PDFDocument, PDFFont } from '@cantoo/pdf-lib'
import { canonicalPdf, type ReadingLimits } from '@chancela/signature-engine/pdf'
import { type PdfTrouble, troubleOf } from './read-pdf.ts'

/** The drawing library; large, so the first rendition loads it. */
export type PdfLibrary = typeof import('@cantoo/pdf-lib')

const loadPdfLibrary = (): Promise<PdfLibrary> => import('@cantoo/pdf-lib')

/** An open document, with the library to change it. */
export interface Workbench {
  readonly library: PdfLibrary
  readonly document: PDFDocument
}

/** A PDF that cannot be worked on. `readPdf` finds most of them beforehand. */
export class UnreadablePdf extends Error {
  override readonly name = 'UnreadablePdf'
  readonly trouble: PdfTrouble

  constructor(trouble: PdfTrouble, cause?: unknown) {
    super(trouble.reason, { cause })
    this.trouble = trouble
  }
}

/**
 * Opens a document and works on it; signatures in it do not outlive that. The library takes the last object of each number
 * in the file, whatever the cross-reference says: it is never given a stranger's bytes, only what the engine read in them.
 * Whatever it stumbles over all the same is told as `UnreadablePdf`.
 */
export async function withDocument<T>(
  bytes: Uint8Array,
  within: ReadingLimits,
  work: (bench: Workbench) => Promise<T>,
): Promise<T> {
  const plain = asRead(bytes, within)
  const library = await loadPdfLibrary()
  try {
    const document = await library.PDFDocument.load(plain, {
      updateMetadata: false,
      warnOnInvalidObjects: false,
      parseSpeed: library.ParseSpeeds.Fastest,
    })
    return await work({ library, document })
  } catch (cause) {
    if (cause instanceof UnreadablePdf) throw cause
    throw new UnreadablePdf({ kind: 'damaged', reason: 'The PDF cannot be drawn.' }, cause)
  }
}

function asRead(bytes: Uint8Array, within: ReadingLimits): Buffer {
  try {
    return canonicalPdf(bytes, within)
  } catch (error) {
    throw new UnreadablePdf(troubleOf(error), error)
  }
}

export async function newDocument(): Promise<Workbench> {
  const library = await loadPdfLibrary()
  return { library, document: await library.PDFDocument.create({ updateMetadata: false }) }
}

export const saved = async ({ document }: Workbench): Promise<Buffer> => {
  const bytes = await document.save({ updateFieldAppearances: false, addDefaultPage: false })
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}

export interface Fonts {
  readonly regular: PDFFont
  readonly bold: PDFFont
}

/** The fonts of renditions; only the glyphs in use are embedded. */
export async function embedFonts({ document }: Workbench): Promise<Fonts> {
  const { fontFiles, fontReader } = await import('./open-fonts.ts')
  document.registerFontkit(fontReader)
  const [regular, bold] = await Promise.all([
    document.embedFont(fontFiles.regular, { subset: true }),
    document.embedFont(fontFiles.bold, { subset: true }),
  ])
  return { regular, bold }
}
