import type { PdfView } from '../../pdf/pdf-file.ts'
import { isDict, isRef, type PdfDict, type PdfObject } from '../../pdf/pdf-object.ts'
import { asDict } from './comparison.ts'

/** Numbers of the objects from /AP down to the streams. */
export function appearanceObjects(view: PdfView, widget: PdfDict): number[] {
  const appearance = widget.get('AP') ?? null
  const found: PdfObject[] = [appearance]
  for (const states of asDict(view.resolve(appearance)).values()) {
    found.push(states)
    const resolved = view.resolve(states)
    if (isDict(resolved)) found.push(...resolved.values())
  }
  return found.flatMap((value) => (isRef(value) ? [value.num] : []))
}

/** What an annotation looks like: a stream, or a dictionary of streams by state. */
export const normalAppearance = (view: PdfView, annotation: PdfDict): PdfObject =>
  view.resolve(asDict(view.resolve(annotation.get('AP'))).get('N'))
