import type { PDFArray, PDFDict, PDFPage } from '@cantoo/pdf-lib'
import type { PdfLibrary } from './pdf-library.ts'

/** The six numbers of a transformation, as PDF writes them (ISO 32000-1 §8.3.4). */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]

/** A page as the reader sees it. */
export interface ShownPage {
  /** In points. */
  readonly width: number
  readonly height: number
  /** From points as the reader sees them, counted from the bottom left, to the page's own coordinates. */
  readonly matrix: Matrix
}

type Box = readonly [left: number, bottom: number, right: number, top: number]

const LETTER: Box = [0, 0, 612, 792]

/** Viewers show the crop box, turned clockwise by /Rotate (§7.7.3.3). */
export function shownPage(library: PdfLibrary, page: PDFPage): ShownPage {
  const [left, bottom, right, top] = cropBoxOf(library, page)
  const [width, height] = [right - left, top - bottom]
  switch (turnOf(page)) {
    case 90:
      return { width: height, height: width, matrix: [0, 1, -1, 0, right, bottom] }
    case 180:
      return { width, height, matrix: [-1, 0, 0, -1, right, top] }
    case 270:
      return { width: height, height: width, matrix: [0, -1, 1, 0, left, top] }
    default:
      return { width, height, matrix: [1, 0, 0, 1, left, bottom] }
  }
}

function turnOf(page: PDFPage): number {
  const turn = (((page.node.Rotate()?.asNumber() ?? 0) % 360) + 360) % 360
  return turn - (turn % 90)
}

/** The intersection of crop box and media box; the media box when they do not intersect. */
function cropBoxOf(library: PdfLibrary, { node }: PDFPage): Box {
  const box = (name: string) => boxOf(library, node.getInheritableAttribute(library.PDFName.of(name)), node)
  const media = box('MediaBox') ?? LETTER
  const crop = box('CropBox') ?? media
  const both: Box = [
    Math.max(crop[0], media[0]),
    Math.max(crop[1], media[1]),
    Math.min(crop[2], media[2]),
    Math.min(crop[3], media[3]),
  ]
  return both[0] < both[2] && both[1] < both[3] ? both : media
}

function boxOf({ PDFArray }: PdfLibrary, value: unknown, { context }: PDFDict): Box | undefined {
  const array = context.lookup(value as PDFArray)
  return array instanceof PDFArray && array.size() === 4 ? orderedBox(array) : undefined
}

/** The corners of a rectangle as left, bottom, right, top; files may name any two opposite corners. */
export function orderedBox(array: PDFArray): Box {
  const { x, y, width, height } = array.asRectangle()
  return [Math.min(x, x + width), Math.min(y, y + height), Math.max(x, x + width), Math.max(y, y + height)]
}

/** A number for a content stream; scales need six decimals: a thousandth is a point at the far end of a page. */
export const number = (value: number): string => String(Math.round(value * 1e6) / 1e6)

export const cm = (matrix: Matrix): string => `${matrix.map(number).join(' ')} cm`
