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
  /**
   * What becomes of a place that is not wholly within what is shown of its page: it is refused, the default, or moved
   * inwards, and made smaller where the page is.
   */
  readonly beyond?: 'refused' | 'moved'
}

/** A picture ready for any document: drawn once, used any number of times. */
export interface DrawnAppearance {
  readonly place: AppearancePlace
  /** Content stream in a box of the place's width and height. */
  readonly content: string
  /** Writes fonts and images with `add` and returns the resources of the content. */
  resources(add: (object: PdfObject) => PdfRef): PdfDict
  /** The same without transparency: what would be seen through is mixed with the background, or white. */
  readonly opaque: DrawnAppearance
  /** Whether an image has colours of inks (CMYK). */
  readonly hasInks: boolean
}
