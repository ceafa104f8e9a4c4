import { refusePdf } from '../pdf/errors.ts'
import type { IncrementalUpdate } from '../pdf/incremental-update.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { dict, isDict, isRef, name, type PdfObject } from '../pdf/pdf-object.ts'

/** Sets one entry of the catalog, in addition to what the update already changed there. */
export function setInCatalog(file: PdfFile, update: IncrementalUpdate, key: string, value: PdfObject): void {
  const root = file.trailer.get('Root')
  // `file.catalog()` has resolved it, so it is a reference or a direct dictionary, which ISO 32000-1 does not allow.
  if (!isRef(root))
    throw refusePdf('pdf.damaged', { offset: file.section.offset, reason: 'the catalog is no indirect object' })
  update.change(root, file.catalog(), key, value)
}

/**
 * PAdES signatures are an extension of PDF 1.7 that 2.0 includes. The catalog declares it once; older versions cannot,
 * and a declaration under either prefix suffices.
 */
export function declareExtension(file: PdfFile, update: IncrementalUpdate): void {
  if (file.version() !== '1.7') return
  const declared = file.resolve(file.catalog().get('Extensions'))
  if (isDict(declared) && (declared.has('ADBE') || declared.has('ESIC'))) return
  setInCatalog(file, update, 'Extensions', new Map(isDict(declared) ? declared : []).set('ADBE', EXTENSION))
}

const EXTENSION = dict({ BaseVersion: name('1.7'), ExtensionLevel: 8 })
