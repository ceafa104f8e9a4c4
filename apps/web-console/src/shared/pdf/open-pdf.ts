import type { PDFDocumentProxy } from 'pdfjs-dist'

export type Pdf = PDFDocumentProxy

/** Opens a PDF. The library is loaded with the first document: most pages show none. */
export async function openPdf(bytes: ArrayBuffer): Promise<Pdf> {
  const { getDocument, GlobalWorkerOptions } = await import('pdfjs-dist')
  GlobalWorkerOptions.workerPort ??= new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' })
  // Neither eval nor WebAssembly: the content security policy forbids both.
  const options = { data: new Uint8Array(bytes), isEvalSupported: false, useWasm: false }
  return getDocument(options).promise
}
