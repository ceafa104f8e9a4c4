import type { PdfObject, PdfRef } from '../pdf/pdf-object.ts'

type Add = (object: PdfObject) => PdfRef

/** Writes a font or an image once for everybody who writes into the same document, which `add` tells. */
export function writtenOnce(write: (add: Add) => PdfRef): (add: Add) => PdfRef {
  const written = new WeakMap<Add, PdfRef>()
  return (add) => {
    const known = written.get(add) ?? write(add)
    written.set(add, known)
    return known
  }
}
