import type { Mark } from '../api/types.ts'

/** The displayed size of a page, in points. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** A mark with a position on a page, and an id for the page that edits it. */
export interface PlacedMark {
  readonly id: string
  readonly pageNumber: number
  readonly topLeftX: number
  readonly topLeftY: number
  readonly width: number
  readonly height: number
}

const DEFAULT_SIZE = { width: 200, height: 60 }
const SMALLEST = { width: 60, height: 24 }
const MARGIN = 36

/** A new mark at the bottom of a page, next to and above those already there. */
export function placeNew(id: string, pageNumber: number, page: PageSize, standing: readonly PlacedMark[]): PlacedMark {
  const here = standing.filter((mark) => mark.pageNumber === pageNumber).length
  const size = {
    width: Math.min(DEFAULT_SIZE.width, page.width),
    height: Math.min(DEFAULT_SIZE.height, page.height),
  }
  const perRow = Math.max(1, Math.floor((page.width - MARGIN) / (size.width + MARGIN)))
  const mark = {
    id,
    pageNumber,
    ...size,
    topLeftX: MARGIN + (here % perRow) * (size.width + MARGIN),
    topLeftY: page.height - MARGIN - size.height - Math.floor(here / perRow) * (size.height + MARGIN / 2),
  }
  return moved(mark, 0, 0, page)
}

/** The mark moved by so many points, but kept on the page. */
export const moved = <M extends PlacedMark>(mark: M, right: number, down: number, page: PageSize): M => ({
  ...mark,
  topLeftX: round(between(0, mark.topLeftX + right, page.width - mark.width)),
  topLeftY: round(between(0, mark.topLeftY + down, page.height - mark.height)),
})

/** The mark enlarged by so many points; its top left corner stays. */
export const resized = <M extends PlacedMark>(mark: M, wider: number, higher: number, page: PageSize): M => ({
  ...mark,
  width: round(between(SMALLEST.width, mark.width + wider, page.width - mark.topLeftX)),
  height: round(between(SMALLEST.height, mark.height + higher, page.height - mark.topLeftY)),
})

const between = (least: number, value: number, most: number) => Math.max(Math.min(least, most), Math.min(value, most))

/** Tenths of a point are finer than the eye can see. */
const round = (points: number) => Math.round(points * 10) / 10

/** The mark in the service's format. */
export const asMark = ({ pageNumber, topLeftX, topLeftY, width, height }: PlacedMark, uploadId?: string): Mark => ({
  type: 'SignatureVisualRepresentation',
  ...(uploadId !== undefined && { uploadId }),
  pageNumber,
  topLeftX,
  topLeftY,
  width,
  height,
})

/** A mark from the service; without a page number it is on the first page. */
export const asPlaced = ({ pageNumber, topLeftX, topLeftY, width, height }: Mark, id: string): PlacedMark => ({
  id,
  pageNumber: pageNumber ?? 1,
  topLeftX,
  topLeftY,
  width,
  height,
})
