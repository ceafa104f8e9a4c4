// Where marks stand on the pages of a PDF, and what they show there (pki-core facts 4.4).
import type { Color, Drawing, DrawingElement, TextRun } from '@chancela/signature-engine/pades'
import type { ColorRequest, MarkElementRequest, MarkRequest } from '../../contract/pdf-marks.ts'
import { refuse } from '../../rules/refuse.ts'
import {
  A4,
  type Box,
  boxIn,
  measuresOn,
  type PositionDefaults,
  paperFor,
  pointsOf,
  type Size,
} from '../../rules/visual-position.ts'

/** A mark on pages that are all of one size. */
export interface MarkedPages {
  readonly mark: MarkRequest
  readonly size: Size
  /** From 1; empty for a page that is added for it. */
  readonly pages: readonly number[]
  readonly isNewPage: boolean
}

/** Characters that one request may have drawn, over all sizes of pages: each is laid out on its own. */
const MOST_WORK = 250_000
/** What else costs as much as so many characters: an element, and a character of a QR code. */
const ELEMENT_WORK = 500
const CODE_WORK = 25
/** Times that marks stand on a page. */
const MOST_PLACES = 100_000

const wrong = (reason: string) => refuse('CannotApplyPdfMarks', { reason })

/** Which pages each mark is for; refused where there is no such page, or too much to draw. */
export function placeMarks(
  marks: readonly MarkRequest[],
  { units, optimization }: PositionDefaults,
  pages: readonly Size[],
): readonly MarkedPages[] {
  const placed = marks.flatMap((mark): MarkedPages[] =>
    mark.pageOption === 'NewPage'
      ? [{ mark, size: newPageFor(pages, optimization, pointsOf(units)), pages: [], isNewPage: true }]
      : bySize(pagesOf(mark, pages.length), pages).map((sheet) => ({ mark, ...sheet, isNewPage: false })),
  )
  requireModest(placed)
  return placed
}

function requireModest(placed: readonly MarkedPages[]): void {
  const work = sumOf(placed.flatMap(({ mark }) => mark.elements.map(workOf)))
  if (work > MOST_WORK || sumOf(placed.map(({ pages }) => pages.length)) > MOST_PLACES)
    throw wrong('There is too much to draw: fewer marks, shorter texts, or fewer pages and sizes of them.')
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

const workOf = ({ textSections, qrCodeData }: MarkElementRequest): number =>
  ELEMENT_WORK + sumOf((textSections ?? []).map(({ text }) => text.length)) + (qrCodeData?.length ?? 0) * CODE_WORK

function pagesOf({ pageOption, pageOptionNumber }: MarkRequest, count: number): readonly number[] {
  if ((pageOption ?? 'AllPages') === 'AllPages') return Array.from({ length: count }, (_, at) => at + 1)
  const asked = pageOptionNumber ?? 1
  const number = pageOption === 'SinglePageFromEnd' ? count + 1 - asked : asked
  if (number < 1 || number > count) throw refuse('InvalidPage', { page: asked, pages: count })
  return [number]
}

function bySize(numbers: readonly number[], pages: readonly Size[]): { size: Size; pages: number[] }[] {
  const found = new Map<string, { size: Size; pages: number[] }>()
  for (const number of numbers) {
    const { width, height } = pages[number - 1]!
    const key = `${width} ${height}`
    const known = found.get(key) ?? { size: { width, height }, pages: [] }
    known.pages.push(number)
    found.set(key, known)
  }
  return [...found.values()]
}

/** The paper that is named, or the one that most pages have; upright, unless it is said. */
function newPageFor(pages: readonly Size[], optimization: PositionDefaults['optimization'], points: number): Size {
  const numbers = pages.map((_, at) => at + 1)
  const [most] = bySize(numbers, pages).toSorted((one, other) => other.pages.length - one.pages.length)
  const { width, height } = most?.size ?? A4
  const upright = { width: Math.min(width, height), height: Math.max(width, height) }
  return paperFor(optimization, upright, points) ?? upright
}

/** The bytes of the picture of an element. */
type ImageOf = (element: MarkElementRequest) => Uint8Array

/** What a mark shows on pages of a size. */
export function drawingOf(
  { mark, size }: MarkedPages,
  { units, optimization }: PositionDefaults,
  imageOf: ImageOf,
): Drawing {
  const { elements, container, borderWidth, borderColor, backgroundColor } = mark
  const { unit, scale } = measuresOn(size, optimization, pointsOf(units))
  const box = container ? boxIn(container, size, unit, wrong) : { x: 0, y: 0, ...size }
  const whole = { x: 0, y: 0, width: box.width, height: box.height }
  return {
    ...box,
    ...(backgroundColor && { background: colorOf(backgroundColor) }),
    border: { width: (borderWidth ?? 0) * scale, ...(borderColor && { color: colorOf(borderColor) }) },
    elements: elements.map((element) => {
      const { relativeContainer } = element
      const own = relativeContainer ? boxIn(relativeContainer, box, unit, wrong) : whole
      return elementOf(element, own, scale, imageOf)
    }),
  }
}

const colorOf = ({ red, green, blue, alpha }: ColorRequest): Color => ({
  red: red / 255,
  green: green / 255,
  blue: blue / 255,
  alpha: (alpha ?? 100) / 100,
})

const horizontals = { Left: 'left', Center: 'center', Right: 'right' } as const
const verticals = { Top: 'top', Center: 'center', Bottom: 'bottom' } as const

function elementOf(element: MarkElementRequest, box: Box, scale: number, imageOf: ImageOf): DrawingElement {
  const { elementType, rotation, opacity, align, verticalAlign, image } = element
  const make = makers[elementType as keyof typeof makers]
  if (!Object.hasOwn(makers, elementType ?? '') || !make) throw refuse('InvalidElementType', { elementType })
  return {
    box,
    rotation: rotation ?? 0,
    opacity: ((opacity ?? 100) / 100) * ((image?.opacity ?? 100) / 100),
    ...(align && { horizontal: horizontals[align] }),
    ...(verticalAlign && { vertical: verticals[verticalAlign] }),
    ...make(element, scale, imageOf),
  }
}

const makers = {
  Text: ({ textSections }: MarkElementRequest, scale: number) => {
    if (!textSections?.length) throw wrong('A text has no sections.')
    return { kind: 'text' as const, runs: textSections.map((section) => runOf(section, scale)) }
  },
  Image: (element: MarkElementRequest, _scale: number, imageOf: ImageOf) => ({
    kind: 'image' as const,
    image: imageOf(element),
  }),
  QRCode: ({ qrCodeData, qrCodeDrawQuietZones }: MarkElementRequest) => {
    if (!qrCodeData) throw wrong('A QR code has no data.')
    return { kind: 'qr-code' as const, text: qrCodeData, quietZone: qrCodeDrawQuietZones === true }
  },
}

const styles = { Normal: 'normal', Bold: 'bold', Italic: 'italic' } as const

function runOf(section: NonNullable<MarkElementRequest['textSections']>[number], scale: number): TextRun {
  const { text, style, color, fontSize } = section
  if (typeof fontSize === 'number' && fontSize <= 0) throw refuse('FontSizeZero')
  return {
    text,
    style: styles[style ?? 'Normal'],
    ...(color && { color: colorOf(color) }),
    ...(typeof fontSize === 'number' && { size: fontSize * scale }),
  }
}
