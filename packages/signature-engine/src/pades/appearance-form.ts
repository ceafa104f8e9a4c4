import type { IncrementalUpdate } from '../pdf/incremental-update.ts'
import type { PdfPage } from '../pdf/page-tree.ts'
import { dict, name, type PdfObject } from '../pdf/pdf-object.ts'
import { type DrawnAppearance, placeOnPage } from './drawn-appearance.ts'

const ORIGIN: PdfPage['cropBox'] = [0, 0, 0, 0]

/** A picture as an object that stands upright on a page that viewers turn by `rotate`. */
export function formXObject(
  update: IncrementalUpdate,
  appearance: DrawnAppearance,
  rotate: number,
  resources = appearance.resources((object) => update.add(object)),
): PdfObject {
  const { width, height } = appearance.place
  const { matrix } = placeOnPage(appearance.place, { cropBox: ORIGIN, rotate })
  return {
    kind: 'stream',
    dict: dict({
      Type: name('XObject'),
      Subtype: name('Form'),
      BBox: [0, 0, width, height],
      Matrix: [...matrix],
      Resources: resources,
    }),
    raw: Buffer.from(appearance.content, 'latin1'),
  }
}
