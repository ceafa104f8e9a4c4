// Where the picture of a signature stands (pki-core facts 4.4).
import type {
  PageOptimizationRequest,
  PaperSize,
  PositionRequest,
  RectangleRequest,
} from '../contract/visual-representation.ts'
import { refuse } from './refuse.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

/** In points, from the lower left corner. */
export interface Box extends Size {
  readonly x: number
  readonly y: number
}

/** What positions depend on: the pages as they are shown, and how many signatures stand in the document. */
export interface PositionedDocument {
  readonly pages: readonly Size[]
  readonly signatures: number
}

export interface PlacedSignature {
  /** From 1. */
  readonly page: number
  readonly box: Box
  /** A page to be added for it. */
  readonly newPage?: Size
  /** By which sizes within the box change, because the paper is another than the one that positions are meant for. */
  readonly scale: number
  /** Points of one unit of the request, within the box. */
  readonly unit: Scale
}

interface Scale {
  readonly x: number
  readonly y: number
}

const POINTS_PER_CM = 72 / 2.54
const units = { Centimeters: POINTS_PER_CM, PdfPoints: 1 } as const

type Units = keyof typeof units

/** Points of a unit. */
export const pointsOf = (unit: Units | undefined): number => units[unit ?? 'Centimeters']

const cm = (width: number, height: number): Size => ({ width: width * POINTS_PER_CM, height: height * POINTS_PER_CM })

const papers: Readonly<Record<Exclude<PaperSize, 'Custom'>, Size>> = {
  A0: cm(84.1, 118.9),
  A1: cm(59.4, 84.1),
  A2: cm(42, 59.4),
  A3: cm(29.7, 42),
  A4: cm(21, 29.7),
  A5: cm(14.8, 21),
  A6: cm(10.5, 14.8),
  A7: cm(7.4, 10.5),
  A8: cm(5.2, 7.4),
  Letter: { width: 612, height: 792 },
  Legal: { width: 612, height: 1008 },
  Ledger: { width: 792, height: 1224 },
}

/** What a new page is, unless something is said about it. */
export const A4: Size = papers.A4

const wrong = (reason: string): Error => refuse('InvalidVisualRepresentation', { reason })

/** Options of the whole request, which a position may override. */
export interface PositionDefaults {
  readonly units: Units | undefined
  readonly optimization: PageOptimizationRequest | undefined
}

export function placeSignature(
  position: PositionRequest,
  defaults: PositionDefaults,
  document: PositionedDocument,
): PlacedSignature {
  const { auto, manual } = position
  if (!auto && !manual) throw refuse('PadesPositionNotFilled')
  if (auto && manual) throw wrong('The position has both auto and manual.')
  const points = pointsOf(position.measurementUnits ?? defaults.units)
  const optimization = position.pageOptimization ?? defaults.optimization
  const { number, shown, newPage } = pageOf(position.pageNumber ?? 1, document, optimization, points)
  const { unit, scale } = measuresOn(shown, optimization, points)
  const box = auto ? nextFree(auto, shown, unit, document.signatures) : boxIn(manual!, shown, unit)
  return { page: number, box, scale, unit, ...(newPage && { newPage }) }
}

/** What one unit, and one point of a size, of a request is on a page. */
export function measuresOn(shown: Size, optimization: PageOptimizationRequest | undefined, points: number) {
  const paper = paperFor(optimization, shown, points) ?? shown
  const unit = { x: (points * shown.width) / paper.width, y: (points * shown.height) / paper.height }
  return { unit, scale: Math.min(unit.x, unit.y) / points }
}

function pageOf(
  asked: number,
  { pages }: PositionedDocument,
  optimization: PageOptimizationRequest | undefined,
  points: number,
): { number: number; shown: Size; newPage?: Size } {
  if (asked === 0) {
    const newPage = paperFor(optimization, A4, points) ?? A4
    return { number: pages.length + 1, shown: newPage, newPage }
  }
  const number = asked > 0 ? asked : pages.length + 1 + asked
  const shown = pages[number - 1]
  if (!shown) throw refuse('InvalidPage', { page: asked, pages: pages.length })
  return { number, shown }
}

/** The paper that positions are meant for, where one is named: turned as the page is, unless its orientation is said. */
export function paperFor(
  optimization: PageOptimizationRequest | undefined,
  page: Size,
  points: number,
): Size | undefined {
  if (!optimization) return undefined
  const paper = paperOf(optimization, points)
  const [short, long] = [Math.min(paper.width, paper.height), Math.max(paper.width, paper.height)]
  const orientation = optimization.pageOrientation ?? 'Auto'
  const isWide = orientation === 'Auto' ? page.width > page.height : orientation === 'Landscape'
  return isWide ? { width: long, height: short } : { width: short, height: long }
}

function paperOf({ paperSize, customPaperSize }: PageOptimizationRequest, points: number): Size {
  const size = paperSize ?? (customPaperSize ? 'Custom' : 'A4')
  if (size !== 'Custom') return papers[size]
  if (!customPaperSize || customPaperSize.width <= 0 || customPaperSize.height <= 0)
    throw wrong('The custom paper size is missing or not positive.')
  return { width: customPaperSize.width * points, height: customPaperSize.height * points }
}

/** A rectangle by its distances from the edges of an area, and its sizes; `refused` says what is wrong with it. */
export function boxIn(rectangle: RectangleRequest, area: Size, unit: Scale, refused = wrong): Box {
  const { left, right, width, bottom, top, height } = rectangle
  const [x, across] = spanIn({ near: left, far: right, size: width }, area.width, unit.x, 'left, right, width', refused)
  const [y, up] = spanIn({ near: bottom, far: top, size: height }, area.height, unit.y, 'bottom, top, height', refused)
  return { x, y, width: across, height: up }
}

interface Span {
  readonly near: number | null | undefined
  readonly far: number | null | undefined
  readonly size: number | null | undefined
}

/** Roundings of clients must not push a rectangle off its page. */
const TOLERANCE = 0.01

function spanIn(
  { near, far, size }: Span,
  total: number,
  unit: number,
  names: string,
  refused: typeof wrong,
): readonly [number, number] {
  const given = [near, far, size].map((value) => (typeof value === 'number' ? value * unit : undefined))
  const [from, to, long] = given
  const length = long ?? (from !== undefined && to !== undefined ? total - from - to : undefined)
  if (length === undefined || given.every((value) => value !== undefined))
    throw refused(`Of ${names}, two must be given, or the size alone.`)
  const start = from ?? (to === undefined ? (total - length) / 2 : total - to - length)
  if (!(length > 0) || start < -TOLERANCE || start + length > total + TOLERANCE)
    throw refused(`By ${names}, the rectangle is empty or outside its area.`)
  return [Math.max(0, start), length]
}

/** The place of the next signature in a container: row by row, one place for each signature that is there. */
function nextFree(auto: NonNullable<PositionRequest['auto']>, page: Size, unit: Scale, signatures: number): Box {
  const container = boxIn(auto.container, page, unit)
  const width = auto.signatureRectangleSize.width * unit.x
  const height = auto.signatureRectangleSize.height * unit.y
  const spacing = (auto.rowSpacing ?? 0) * unit.y
  if (!(width > 0 && height > 0)) throw wrong('The size of the signature is not positive.')
  const columns = Math.floor((container.width + TOLERANCE) / width)
  const rows = Math.floor((container.height + spacing + TOLERANCE) / (height + spacing))
  if (signatures >= columns * rows) throw wrong(`The container has room for ${columns * rows} signatures.`)
  const [row, column] = [Math.floor(signatures / columns), signatures % columns]
  const across = column * width
  const along = row * (height + spacing)
  return {
    x: container.x + (auto.horizontalDirection === 'RightToLeft' ? container.width - width - across : across),
    y: container.y + (auto.verticalDirection === 'BottomUp' ? along : container.height - height - along),
    width,
    height,
  }
}
