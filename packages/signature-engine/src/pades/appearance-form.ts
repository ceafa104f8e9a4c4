import type { IncrementalUpdate } from '../pdf/incremental-update.ts'
import { dict, name, type PdfObject } from '../pdf/pdf-object.ts'
import type { DrawnAppearance } from './drawn-appearance.ts'
import { uprightMatrix } from './page-places.ts'

/** A picture as an object that stands upright on a page that viewers turn by `rotate`. */
export function formXObject(
  update: IncrementalUpdate,
  appearance: DrawnAppearance,
  rotate: number,
  resources = appearance.resources((object) => update.add(object)),
): PdfObject {
  const { width, height } = appearance.place
  return {
    kind: 'stream',
    dict: dict({
      Type: name('XObject'),
      Subtype: name('Form'),
      BBox: [0, 0, width, height],
      Matrix: [...uprightMatrix(appearance.place, rotate)],
      Resources: resources,
    }),
    raw: Buffer.from(appearance.content, 'latin1'),
  }
}
