// From distances as the reader sees them to the page's own coordinates. The visible part is the crop box, and /Rotate
// turns it clockwise (ISO 32000-1 §7.7.3.3), so a picture must be turned the other way to be upright.
import type { PdfPage } from '../pdf/page-tree.ts'
import type { AppearancePlace } from './drawn-appearance.ts'
import { refusePades } from './errors.ts'

/** What of a page decides where something stands on it. */
export type PageSpace = Pick<PdfPage, 'index' | 'cropBox' | 'rotate' | 'userUnit'>

/** Left, bottom, right, top in the user units of a page. */
export type PageRectangle = readonly [left: number, bottom: number, right: number, top: number]

type Matrix = readonly [number, number, number, number, number, number]

type Size = Pick<AppearancePlace, 'width' | 'height'>

/** The size of a page as the reader sees it, in points. */
function shownSize({ cropBox: [left, bottom, right, top], rotate, userUnit }: PageSpace): Size {
  const [width, height] = [(right - left) * userUnit, (top - bottom) * userUnit]
  return isSideways(rotate) ? { width: height, height: width } : { width, height }
}

const isSideways = (rotate: number): boolean => rotate === 90 || rotate === 270

/** The rectangle of a place; refused where it does not lie within what is shown of the page. */
export function rectangleOn(place: AppearancePlace, page: PageSpace): PageRectangle {
  const { x: inwards, y: upOrDown, width, height, origin = 'bottom-left', beyond = 'refused' } = place
  if (!(width > 0 && height > 0)) throw refusePades('pades.appearance', { reason: 'it has no size' })
  const shown = shownSize(page)
  const x = origin.endsWith('right') ? shown.width - inwards - width : inwards
  const y = origin.startsWith('top') ? shown.height - upOrDown - height : upOrDown
  const asked: Box = [x, y, width, height]
  const box = beyond === 'moved' ? movedInwards(asked, shown) : asked
  requireWithin(box, [inwards, upOrDown, width, height], page)
  const [left, bottom, across, up] = box.map((points) => points / page.userUnit) as unknown as Box
  return turned([left, bottom, across, up], page)
}

/** Of a picture that keeps its proportions. */
function movedInwards([x, y, width, height]: Box, shown: Size): Box {
  const scale = Math.min(1, shown.width / width, shown.height / height)
  const [across, up] = [width * scale, height * scale]
  const between = (least: number, value: number, most: number) => Math.max(least, Math.min(value, most))
  return [between(0, x, shown.width - across), between(0, y, shown.height - up), across, up]
}

/** Left, bottom, width and height as the reader sees them. */
type Box = readonly [x: number, y: number, width: number, height: number]

function turned([x, y, width, height]: Box, { cropBox: [left, bottom, right, top], rotate }: PageSpace): PageRectangle {
  switch (rotate) {
    case 90:
      return [right - y - height, bottom + x, right - y, bottom + x + width]
    case 180:
      return [right - x - width, top - y - height, right - x, top - y]
    case 270:
      return [left + y, top - x - width, left + y + height, top - x]
    default:
      return [left + x, bottom + y, left + x + width, bottom + y + height]
  }
}

/** In points: roundings of whoever placed the mark. */
const TOLERANCE = 1

/** A cut mark hides a part of a name, or a QR code from every reader: it has to be there as a whole. */
function requireWithin([x, y, width, height]: Box, asked: Box, page: PageSpace): void {
  const shown = shownSize(page)
  const isWithin = x >= -TOLERANCE && x + width <= shown.width + TOLERANCE
  // Numbers that are none are within nothing.
  if (isWithin && y >= -TOLERANCE && y + height <= shown.height + TOLERANCE) return
  throw refusePades('pades.mark-outside-page', {
    box: asked,
    page: page.index + 1,
    shown: [shown.width, shown.height],
  })
}

/** Refuses a rectangle in the page's own coordinates, such as that of a field, outside of what is shown of it. */
export function requireShown([left, bottom, right, top]: PageRectangle, page: PageSpace): void {
  const { index, cropBox, userUnit } = page
  const [width, height] = [right - left, top - bottom]
  const scaled = (units: number) => units * userUnit
  const shown: Box = [scaled(left - cropBox[0]), scaled(bottom - cropBox[1]), scaled(width), scaled(height)]
  requireWithin(shown, [left, bottom, width, height], { index, cropBox, userUnit, rotate: 0 })
}

/** How much smaller or larger than its own size a picture is drawn in a rectangle of the page. */
export const scaleIn = ([left, , right]: PageRectangle, { width, height }: Size, { rotate }: PageSpace): number =>
  (right - left) / (isSideways(rotate) ? height : width)

/** The place of a rectangle of the page as the reader sees it, in points from the lower left corner. */
export function placeOn(
  rectangle: PageRectangle,
  page: PageSpace,
): Pick<AppearancePlace, 'x' | 'y' | 'width' | 'height'> {
  const [x, y] = distancesOf(rectangle, page)
  return { x: x * page.userUnit, y: y * page.userUnit, ...sizeOn(rectangle, page) }
}

/** From the left and the lower edge as the reader sees them, in the units of the page. */
function distancesOf([left, bottom, right, top]: PageRectangle, { cropBox, rotate }: PageSpace): [number, number] {
  switch (rotate) {
    case 90:
      return [bottom - cropBox[1], cropBox[2] - right]
    case 180:
      return [cropBox[2] - right, cropBox[3] - top]
    case 270:
      return [cropBox[3] - top, left - cropBox[0]]
    default:
      return [left - cropBox[0], bottom - cropBox[1]]
  }
}

/** The size of a rectangle of the page as the reader sees it, in points. */
export function sizeOn([left, bottom, right, top]: PageRectangle, page: PageSpace): Size {
  return shownSize({ ...spaceOf(page), cropBox: [left, bottom, right, top] })
}

const spaceOf = ({ index, cropBox, rotate, userUnit }: PageSpace): PageSpace => ({ index, cropBox, rotate, userUnit })

/** Keeps a picture of this size upright on a page that viewers turn. */
export function uprightMatrix({ width, height }: Size, rotate: number): Matrix {
  switch (rotate) {
    case 90:
      return [0, 1, -1, 0, height, 0]
    case 180:
      return [-1, 0, 0, -1, width, height]
    case 270:
      return [0, -1, 1, 0, 0, width]
    default:
      return [1, 0, 0, 1, 0, 0]
  }
}
