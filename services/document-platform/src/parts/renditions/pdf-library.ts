import type { PDFDocument, PDFFont } from '@cantoo/pdf-lib'

/** The drawing library; large, so the first rendition loads it. */
export type PdfLibrary = typeof import('@cantoo/pdf-lib')

const loadPdfLibrary = (): Promise<PdfLibrary> => import('@cantoo/pdf-lib')

/** An open document, with the library to change it. */
export interface Workbench {
  readonly library: PdfLibrary
  readonly document: PDFDocument
}

/** A PDF that cannot be worked on: encrypted, or damaged. `inspectPdf` finds most of them beforehand. */
export class UnreadablePdf extends Error {
  override readonly name = 'UnreadablePdf'

  constructor(cause: unknown) {
    super('The PDF cannot be read.', { cause })
  }
}

/**
 * Opens a document and works on it; its signatures do not survive that. The file is untrusted, and the library finds
 * errors only when it reaches them: any failure is thrown as `UnreadablePdf`.
 */
export async function withDocument<T>(bytes: Uint8Array, work: (bench: Workbench) => Promise<T>): Promise<T> {
  const library = await loadPdfLibrary()
  try {
    const document = await library.PDFDocument.load(bytes, {
      updateMetadata: false,
      warnOnInvalidObjects: false,
      parseSpeed: library.ParseSpeeds.Fast,
    })
    return await work({ library, document })
  } catch (cause) {
    throw new UnreadablePdf(cause)
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
