import type { PDFDocumentProxy } from 'pdfjs-dist'

export type Pdf = PDFDocumentProxy

/** Opens a PDF. The library comes when the first document is opened: most pages show none. */
export async function openPdf(bytes: ArrayBuffer): Promise<Pdf> {
  const { getDocument, GlobalWorkerOptions } = await import('pdfjs-dist')
  GlobalWorkerOptions.workerPort ??= new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
  // Neither code made from text nor WebAssembly: the content policy bars both.
  const options = { data: new Uint8Array(bytes), isEvalSupported: false, useWasm: false }
  return getDocument(options).promise
}
