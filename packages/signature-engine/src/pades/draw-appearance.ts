import { encode } from 'uqr'
import { dict, name, type PdfObject, type PdfRef } from '../pdf/pdf-object.ts'
import type { Appearance, AppearanceBox, PictureBehind } from './appearance.ts'
import type { DrawnAppearance } from './drawn-appearance.ts'
import { type EmbeddedFont, embedFont, type ShapedText } from './embedded-font.ts'
import { type EmbeddedImage, embedImage } from './embedded-image.ts'
import { refusePades } from './errors.ts'

const PADDING = 4
const LARGEST_FONT = 12
const SMALLEST_FONT = 1
const FONT_STEP = 0.25
const MAX_LINES = 100
/** Beside text, a picture takes at most this part of the width. */
const IMAGE_SHARE = 0.35

interface Area {
  x: number
  readonly y: number
  width: number
  readonly height: number
}

/** Draws pictures that share one font: in a document it is written once for all of them. */
export async function draw(appearances: readonly Appearance[]): Promise<DrawnAppearance[]> {
  appearances.forEach(requireDrawable)
  const texts = appearances.flatMap(({ lines = [] }) => lines)
  const font = texts.length > 0 ? await embedFont(texts, 'normal') : undefined
  let at = 0
  return appearances.map((appearance) => {
    const count = appearance.lines?.length ?? 0
    at += count
    return drawOne(appearance, font && count > 0 ? { ...font, lines: font.lines.slice(at - count, at) } : undefined)
  })
}

function requireDrawable({ width, height, lines = [] }: Appearance): void {
  if (!(width > 2 * PADDING && height > 2 * PADDING))
    throw refusePades('pades.appearance', { reason: 'the box is too small' })
  if (lines.length > MAX_LINES) throw refusePades('pades.appearance', { reason: 'there are too many lines' })
}

function drawOne(appearance: Appearance, font: EmbeddedFont | undefined): DrawnAppearance {
  const { width, height, qrCode, behind, textBox } = appearance
  const image = appearance.image && embedImage(appearance.image)
  const area: Area = { x: PADDING, y: PADDING, width: width - 2 * PADDING, height: height - 2 * PADDING }
  const drawn = [
    appearance.border ? `q 0.5 w 0.5 0.5 ${number(width - 1)} ${number(height - 1)} re S Q\n` : '',
    image ? (behind ? drawBehind(image, area, behind) : drawImage(image, area, Boolean(font))) : '',
    qrCode === undefined ? '' : drawQrCode(qrCode, area),
    font ? drawText(font, textBox ? inside(textBox, appearance) : area, appearance) : '',
  ]
  const opacity = image && behind?.opacity
  return { place: appearance, content: drawn.join(''), resources: (add) => writeResources(add, font, image, opacity) }
}

function inside({ x, y, width, height }: AppearanceBox, box: Pick<Appearance, 'width' | 'height'>): Area {
  const isInside = x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= box.width && y + height <= box.height
  if (!isInside) throw refusePades('pades.appearance', { reason: 'the text lies outside the box' })
  return { x, y, width, height }
}

/** Behind the text: the area stays as it is. */
function drawBehind(image: EmbeddedImage, area: Area, { horizontal, vertical, opacity }: PictureBehind): string {
  const scale = Math.min(area.width / image.width, area.height / image.height)
  const [width, height] = [image.width * scale, image.height * scale]
  const x = area.x + (area.width - width) * { left: 0, center: 0.5, right: 1 }[horizontal]
  const y = area.y + (area.height - height) * { bottom: 0, center: 0.5, top: 1 }[vertical]
  const state = opacity === undefined ? '' : '/G gs '
  return `q ${state}${number(width)} 0 0 ${number(height)} ${number(x)} ${number(y)} cm /I Do Q\n`
}

function writeResources(
  add: (object: PdfObject) => PdfRef,
  font: EmbeddedFont | undefined,
  image: EmbeddedImage | undefined,
  opacity: number | undefined,
): ReturnType<DrawnAppearance['resources']> {
  const resources: Record<string, PdfObject> = {}
  if (font) resources.Font = dict({ F: font.write(add) })
  if (image) resources.XObject = dict({ I: image.write(add) })
  if (opacity !== undefined)
    resources.ExtGState = dict({ G: dict({ Type: name('ExtGState'), ca: opacity, CA: opacity }) })
  return dict(resources)
}

/** At the left, as large as it fits; the area shrinks by its size. */
function drawImage(image: EmbeddedImage, area: Area, besideText: boolean): string {
  const most = besideText ? area.width * IMAGE_SHARE : area.width
  const scale = Math.min(most / image.width, area.height / image.height)
  const [width, height] = [image.width * scale, image.height * scale]
  const x = besideText ? area.x : area.x + (area.width - width) / 2
  const y = area.y + (area.height - height) / 2
  area.x += width + PADDING
  area.width -= width + PADDING
  return `q ${number(width)} 0 0 ${number(height)} ${number(x)} ${number(y)} cm /I Do Q\n`
}

/** At the right, a square; dark modules of one row that touch are one rectangle, so that no seams show. */
function drawQrCode(text: string, area: Area): string {
  const { size, data } = qrModules(text)
  const side = Math.min(area.height, area.width)
  const module = side / size
  const left = area.x + area.width - side
  const bottom = area.y + (area.height - side) / 2
  let rectangles = ''
  data.forEach((row, y) => {
    for (let x = 0; x < size; x++) {
      if (!row[x]) continue
      const start = x
      while (row[x + 1]) x++
      const up = bottom + (size - 1 - y) * module
      rectangles += `${number(left + start * module)} ${number(up)} ${number((x - start + 1) * module)} ${number(module)} re\n`
    }
  })
  area.width -= side + PADDING
  return `q 0 g\n${rectangles}f Q\n`
}

function qrModules(text: string): { size: number; data: boolean[][] } {
  try {
    return encode(text, { ecc: 'M', border: 0 })
  } catch (cause) {
    throw refusePades('pades.appearance', { reason: 'the text of the QR code is too long' }, cause)
  }
}

/** Lines from the top, vertically centred in the rest, wrapped between words where they are too long. */
function drawText(
  font: EmbeddedFont,
  area: Area,
  { fontSize: asked, textAlign }: Pick<Appearance, 'fontSize' | 'textAlign'>,
): string {
  if (area.width <= 0) throw refusePades('pades.appearance', { reason: 'the box is too narrow for its text' })
  const lineHeight = (font.ascent + font.descent) / 1000
  const { size, lines } = asked === undefined ? largestFit(font, area, lineHeight) : atSize(font, area, asked)
  const top = area.y + (area.height + size * lineHeight * lines.length) / 2
  let text = `BT 0 g /F ${number(size)} Tf\n`
  lines.forEach(({ hex, width }, i) => {
    const baseline = top - size * lineHeight * i - (size * font.ascent) / 1000
    const indent = textAlign === 'right' ? area.width - (width * size) / 1000 : 0
    text += `1 0 0 1 ${number(area.x + indent)} ${number(baseline)} Tm <${hex}> Tj\n`
  })
  return `${text}ET\n`
}

interface FittedText {
  readonly size: number
  readonly lines: readonly ShapedText[]
}

/** The largest font with which the wrapped lines fit; the smallest one if none does. */
function largestFit(font: EmbeddedFont, area: Area, lineHeight: number): FittedText {
  for (let size = LARGEST_FONT; size > SMALLEST_FONT; size -= FONT_STEP) {
    const fitted = atSize(font, area, size)
    const widest = Math.max(...fitted.lines.map(({ width }) => width))
    if (fitted.lines.length * lineHeight * size <= area.height && (widest * size) / 1000 <= area.width) return fitted
  }
  return atSize(font, area, SMALLEST_FONT)
}

function atSize({ lines, space }: EmbeddedFont, { width }: Area, size: number): FittedText {
  const most = (width * 1000) / size
  const broken: ShapedText[] = []
  for (const words of lines) {
    let line: ShapedText | undefined
    for (const word of words) {
      const longer: ShapedText = line
        ? { hex: line.hex + space.hex + word.hex, width: line.width + space.width + word.width }
        : word
      if (line && longer.width > most) {
        broken.push(line)
        line = word
      } else line = longer
    }
    broken.push(line ?? { hex: '', width: 0 })
  }
  return { size, lines: broken }
}

const number = (value: number): string => String(Math.round(value * 1000) / 1000)
