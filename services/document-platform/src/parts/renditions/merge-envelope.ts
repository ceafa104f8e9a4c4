import type { PDFPage } from '@cantoo/pdf-lib'
import { flatten } from './flatten.ts'
import { newDocument, saved, type Workbench, withDocument } from './pdf-library.ts'

/**
 * One PDF of all pages in order. Form fields and visible signatures stay as they are drawn; the form and the signatures
 * themselves are gone, since no signature can hold in another document.
 */
export async function mergeEnvelope(pdfs: readonly Uint8Array[]): Promise<Buffer> {
  const envelope = await newDocument()
  for (const pdf of pdfs) await addPages(envelope, pdf)
  return saved(envelope)
}

const addPages = ({ document }: Workbench, pdf: Uint8Array): Promise<void> =>
  withDocument(pdf, async (source) => {
    await flatten(source)
    for (const page of source.document.getPages()) dropTies(source, page)
    const pages = await document.copyPages(source.document, source.document.getPageIndices())
    for (const page of pages) document.addPage(page)
  })

/** Removes references to the old document, which would copy the rest of it along. */
function dropTies({ library: { PDFName } }: Workbench, { node }: PDFPage): void {
  for (const name of ['AA', 'B', 'PieceInfo', 'StructParents', 'Tabs']) node.delete(PDFName.of(name))
}
