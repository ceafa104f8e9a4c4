import type { PDFPage } from '@cantoo/pdf-lib'
import { type ReadingLimits, readingLimits } from '@chancela/signature-engine/pdf'
import { flatten } from './flatten.ts'
import { newDocument, saved, UnreadablePdf, type Workbench, withDocument } from './pdf-library.ts'

/**
 * One PDF of all pages in order. Form fields and visible signatures stay as they are drawn; the form and the signatures
 * themselves are gone, since no signature can hold in another document. The limits are those of all files together.
 */
export async function mergeEnvelope(
  pdfs: readonly Uint8Array[],
  within: ReadingLimits = readingLimits,
): Promise<Buffer> {
  const envelope = await newDocument()
  for (const pdf of pdfs) await addPages(envelope, pdf, { ...within, pages: within.pages - pagesIn(envelope) })
  return saved(envelope)
}

const pagesIn = ({ document }: Workbench): number => document.getPageCount()

const addPages = ({ document }: Workbench, pdf: Uint8Array, within: ReadingLimits): Promise<void> =>
  withDocument(pdf, within, async (source) => {
    requireAllShown(source)
    await flatten(source)
    for (const page of source.document.getPages()) dropTies(source, page)
    const pages = await document.copyPages(source.document, source.document.getPageIndices())
    for (const page of pages) document.addPage(page)
  })

/** Which layers are shown stands in the catalog, which stays behind: what a reader never saw would be signed. */
function requireAllShown({ library, document }: Workbench): void {
  const { PDFArray, PDFDict, PDFName } = library
  const layers = document.catalog.lookupMaybe(PDFName.of('OCProperties'), PDFDict)
  const shown = layers?.lookupMaybe(PDFName.of('D'), PDFDict)
  const off = shown?.lookupMaybe(PDFName.of('OFF'), PDFArray)
  const isOffAtFirst = shown?.lookup(PDFName.of('BaseState')) === PDFName.of('OFF')
  if (isOffAtFirst || (off && off.size() > 0))
    throw new UnreadablePdf({ kind: 'ambiguous', reason: 'The PDF has layers that are not shown.' })
}

/** What ties a page to its old document would carry the rest of that document along. */
function dropTies({ library: { PDFName } }: Workbench, { node }: PDFPage): void {
  for (const name of ['AA', 'B', 'PieceInfo', 'StructParents', 'Tabs']) node.delete(PDFName.of(name))
}
