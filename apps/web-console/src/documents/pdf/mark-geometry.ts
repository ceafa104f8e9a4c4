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

/** Small enough to find any gap that a mark fits into with some room. */
const FINE_STEP = 9

/** A new mark at the bottom of a page, next to and above those already there, so that no signature hides another. */
export function placeNew(id: string, pageNumber: number, page: PageSize, standing: readonly PlacedMark[]): PlacedMark {
  const here = standing.filter((mark) => mark.pageNumber === pageNumber)
  const size = {
    width: Math.min(DEFAULT_SIZE.width, page.width),
    height: Math.min(DEFAULT_SIZE.height, page.height),
  }
  let best: PlacedMark | undefined
  let least = Number.POSITIVE_INFINITY
  for (const [topLeftX, topLeftY] of places(size, page)) {
    const mark = moved({ id, pageNumber, ...size, topLeftX, topLeftY }, 0, 0, page)
    const hidden = here.reduce((sum, other) => sum + commonArea(mark, other), 0)
    if (hidden < least) [best, least] = [mark, hidden]
    if (least === 0) break
  }
  return best!
}

/** Where a mark may be put, the best first: in rows from the foot up, then anywhere between them. */
function* places(size: PageSize, page: PageSize): Generator<readonly [x: number, y: number]> {
  yield* grid(size, page, { right: size.width + MARGIN, up: size.height + MARGIN / 2 })
  yield* grid(size, page, { right: FINE_STEP, up: FINE_STEP })
}

function* grid(
  size: PageSize,
  page: PageSize,
  { right, up }: { readonly right: number; readonly up: number },
): Generator<readonly [x: number, y: number]> {
  const [lowest, farthest] = [page.height - MARGIN - size.height, page.width - MARGIN / 2 - size.width]
  for (let y = lowest; y === lowest || y >= 0; y -= up)
    for (let x = MARGIN; x === MARGIN || x <= farthest; x += right) yield [x, y]
}

function commonArea(one: PlacedMark, other: PlacedMark): number {
  const width =
    Math.min(one.topLeftX + one.width, other.topLeftX + other.width) - Math.max(one.topLeftX, other.topLeftX)
  const height =
    Math.min(one.topLeftY + one.height, other.topLeftY + other.height) - Math.max(one.topLeftY, other.topLeftY)
  return Math.max(0, width) * Math.max(0, height)
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
