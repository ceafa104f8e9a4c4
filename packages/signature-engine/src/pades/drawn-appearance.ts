import type { PdfPage } from '../pdf/page-tree.ts'
import type { PdfDict, PdfObject, PdfRef } from '../pdf/pdf-object.ts'

/** Position of a visible signature. */
export interface AppearancePlace {
  /** Page from 1, `last`, or `all`: the signature on the first page and the same picture on each further one. Default 1. */
  readonly page?: number | 'last' | 'all'
  /** Distance from the side of `origin` of the shown page, in points (1/72 inch) as the reader sees it. */
  readonly x: number
  /** Distance from the edge of `origin`, in points. */
  readonly y: number
  /** In points, as the reader sees the page. */
  readonly width: number
  readonly height: number
  /** The corner from which x and y count, inwards: default `bottom-left`, as PDF does; `top-left`, as screens do. */
  readonly origin?: 'bottom-left' | 'bottom-right' | 'top-left' | 'top-right'
}

/** A picture ready for any document: drawn once, used any number of times. */
export interface DrawnAppearance {
  readonly place: AppearancePlace
  /** Content stream in a box of the place's width and height. */
  readonly content: string
  /** Writes fonts and images with `add` and returns the resources of the content. */
  resources(add: (object: PdfObject) => PdfRef): PdfDict
}

/** A rectangle on a page, and the matrix that keeps the picture upright on a rotated page. */
export interface PlacedBox {
  readonly rect: readonly [number, number, number, number]
  readonly matrix: readonly [number, number, number, number, number, number]
}

/**
 * From distances as the reader sees them to the page's own coordinates: the visible part is the crop box, and /Rotate
 * turns it clockwise (ISO 32000-1 §7.7.3.3), so a picture must be turned the other way to be upright.
 */
export function placeOnPage(
  { x: inwards, y, width, height, origin = 'bottom-left' }: AppearancePlace,
  { cropBox, rotate }: Pick<PdfPage, 'cropBox' | 'rotate'>,
): PlacedBox {
  const [left, bottom, right, top] = cropBox
  const turned = rotate === 90 || rotate === 270
  const shownHeight = turned ? right - left : top - bottom
  const shownWidth = turned ? top - bottom : right - left
  const up = origin.startsWith('top') ? shownHeight - y - height : y
  const x = origin.endsWith('right') ? shownWidth - inwards - width : inwards
  switch (rotate) {
    case 90:
      return {
        rect: [right - up - height, bottom + x, right - up, bottom + x + width],
        matrix: [0, 1, -1, 0, height, 0],
      }
    case 180:
      return {
        rect: [right - x - width, top - up - height, right - x, top - up],
        matrix: [-1, 0, 0, -1, width, height],
      }
    case 270:
      return { rect: [left + up, top - x - width, left + up + height, top - x], matrix: [0, -1, 1, 0, 0, width] }
    default:
      return { rect: [left + x, bottom + up, left + x + width, bottom + up + height], matrix: [1, 0, 0, 1, 0, 0] }
  }
}
