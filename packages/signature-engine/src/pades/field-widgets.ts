// Where the fields of a form stand on the pages.
import { type FormField, formFields } from '../pdf/form-fields.ts'
import { allPages, type PdfPage } from '../pdf/page-tree.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { isArray, isDict, isRef, type PdfDict, type PdfRef, sameRef } from '../pdf/pdf-object.ts'
import type { AppearancePlace } from './drawn-appearance.ts'
import { type PageRectangle, sizeOn } from './page-places.ts'

/** The one annotation that shows a signature field (ISO 32000-2 §12.7.5.5). */
export interface FieldWidget {
  readonly ref: PdfRef
  readonly dict: PdfDict
  /** The page that it names, or else the one that lists it: /P may be left out (ISO 32000-1 table 164). */
  readonly page: PdfPage | undefined
  /** Undefined where it has no area, as that of an invisible signature. */
  readonly rectangle: PageRectangle | undefined
}

/** The field itself, or the first of its kids. */
export function widgetOf(file: PdfFile, { ref, dict: field }: FormField): FieldWidget | undefined {
  const kids = file.resolve(field.get('Kids'))
  const own = isArray(kids) && isRef(kids[0]) ? kids[0] : ref
  const dict = own && file.resolve(own)
  if (!own || !isDict(dict)) return undefined
  return { ref: own, dict, page: pageOf(file, own, dict), rectangle: rectangleOf(file, dict) }
}

function pageOf(file: PdfFile, ref: PdfRef, widget: PdfDict): PdfPage | undefined {
  const named = widget.get('P')
  const pages = allPages(file)
  if (isRef(named)) return pages.find((page) => sameRef(page.ref, named))
  return pages.find((page) => {
    const annotations = file.resolve(page.dict.get('Annots'))
    return isArray(annotations) && annotations.some((one) => isRef(one) && sameRef(one, ref))
  })
}

function rectangleOf(file: PdfFile, widget: PdfDict): PageRectangle | undefined {
  const stored = file.resolve(widget.get('Rect'))
  const sides = isArray(stored) ? stored.map((side) => file.resolve(side)) : []
  if (sides.length !== 4 || !sides.every((side) => typeof side === 'number')) return undefined
  const [x1, y1, x2, y2] = sides as [number, number, number, number]
  if (x1 === x2 || y1 === y2) return undefined
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
}

/** How large a field of this name is as the reader sees it; undefined where there is none, or it has no place. */
export function sizeOfField(file: PdfFile, name: string): Pick<AppearancePlace, 'width' | 'height'> | undefined {
  const field = formFields(file).find((one) => one.name === name)
  const { page, rectangle } = (field && widgetOf(file, field)) ?? {}
  return page && rectangle && sizeOn(rectangle, page)
}
