import type { IncrementalUpdate } from '../pdf/incremental-update.ts'
import type { PdfPage } from '../pdf/page-tree.ts'
import { dict, isArray, isDict, isRef, name, type PdfRef } from '../pdf/pdf-object.ts'
import type { DrawnAppearance } from './drawn-appearance.ts'
import { rectangleOn } from './page-places.ts'

// ISO 32000-1 table 165: Print, ReadOnly and Locked.
const STAMP_FLAGS = 4 + 64 + 128

/** A picture over a page, which stays as it is; `form` shows it upright there. */
export function addStamp(update: IncrementalUpdate, page: PdfPage, { place }: DrawnAppearance, form: PdfRef): void {
  const stamp = dict({
    Type: name('Annot'),
    Subtype: name('Stamp'),
    F: STAMP_FLAGS,
    Rect: [...rectangleOn(place, page)],
    P: page.ref,
    AP: dict({ N: form }),
  })
  addAnnotation(update, page, update.add(stamp))
}

/** /Annots of the page may be absent, direct or an object of its own: the least that is possible is rewritten. */
export function addAnnotation(update: IncrementalUpdate, page: PdfPage, annotation: PdfRef): void {
  // The page may have got another annotation in this update.
  const current = update.current(page.ref)
  const stored = (isDict(current) ? current : page.dict).get('Annots')
  const annotations = update.resolve(stored)
  const extended = [...(isArray(annotations) ? annotations : []), annotation]
  if (isRef(stored) && isArray(annotations)) update.set(stored, extended)
  else update.change(page.ref, page.dict, 'Annots', extended)
}
