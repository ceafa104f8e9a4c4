// A visible signature as a drawing: picture at the left, text in the middle, QR code at the right.
import type { Appearance, PictureBehind } from './appearance.ts'
import { drawAll } from './draw-elements.ts'
import type { Color, Drawing, DrawingBox, DrawingElement, ImageElement, QrCodeElement, TextElement } from './drawing.ts'
import type { DrawnAppearance } from './drawn-appearance.ts'
import { imageSize } from './embedded-image.ts'
import { refusePades } from './errors.ts'

const PADDING = 4
const BORDER = 0.5
const MAX_LINES = 100
/** Text that stands on this is legible over every picture. */
const LEGIBLE: Color = { red: 1, green: 1, blue: 1, alpha: 0.85 }
/** Beside text, a picture takes at most this part of the width. */
const IMAGE_SHARE = 0.35

/** Draws pictures that share one font: in a document it is written once for all of them. */
export async function draw(appearances: readonly Appearance[]): Promise<DrawnAppearance[]> {
  appearances.forEach(requireDrawable)
  return drawAll(appearances.map(asDrawing))
}

function requireDrawable({ width, height, lines = [] }: Appearance): void {
  if (!(width > 2 * PADDING && height > 2 * PADDING))
    throw refusePades('pades.appearance', { reason: 'the box is too small' })
  if (lines.length > MAX_LINES) throw refusePades('pades.appearance', { reason: 'there are too many lines' })
}

function asDrawing(appearance: Appearance): Drawing {
  const { width, height, image, qrCode, lines = [], behind, textBox, border, background, ...place } = appearance
  let area: DrawingBox = { x: PADDING, y: PADDING, width: width - 2 * PADDING, height: height - 2 * PADDING }
  const elements: DrawingElement[] = []
  if (image && behind) elements.push(pictureBehind(image, area, behind))
  else if (image) {
    const picture = pictureBeside(image, area, lines.length > 0)
    elements.push(picture)
    area = { ...area, x: area.x + picture.box.width + PADDING, width: area.width - picture.box.width - PADDING }
  }
  if (qrCode !== undefined) {
    const code = qrCodeAtRight(qrCode, area)
    elements.push(code)
    area = { ...area, width: area.width - code.box.width - PADDING }
  }
  if (lines.length > 0) elements.push(textIn(textBox ? inside(textBox, appearance) : area, appearance))
  const shade = background ?? (lines.length > 0 ? LEGIBLE : 'none')
  return {
    ...place,
    width,
    height,
    ...(shade !== 'none' && { background: shade }),
    elements,
    border: { width: border ? BORDER : 0 },
  }
}

function inside(box: DrawingBox, { width, height }: Pick<Appearance, 'width' | 'height'>): DrawingBox {
  const { x, y } = box
  const isInside = x >= 0 && y >= 0 && box.width > 0 && box.height > 0
  if (!isInside || x + box.width > width || y + box.height > height)
    throw refusePades('pades.appearance', { reason: 'the text lies outside the box' })
  return box
}

/** Behind the text, which has the whole area. */
const pictureBehind = (image: Uint8Array, box: DrawingBox, place: PictureBehind): ImageElement => ({
  kind: 'image',
  image,
  box,
  ...place,
})

/** At the left, as large as it fits; in the middle where it is alone. */
function pictureBeside(image: Uint8Array, area: DrawingBox, besideText: boolean): ImageElement {
  const pixels = imageSize(image)
  const most = besideText ? area.width * IMAGE_SHARE : area.width
  const scale = Math.min(most / pixels.width, area.height / pixels.height)
  const width = pixels.width * scale
  const x = besideText ? area.x : area.x + (area.width - width) / 2
  return { kind: 'image', image, box: { x, y: area.y, width, height: area.height } }
}

function qrCodeAtRight(text: string, area: DrawingBox): QrCodeElement {
  const side = Math.min(area.height, area.width)
  const box = { x: area.x + area.width - side, y: area.y, width: side, height: area.height }
  return { kind: 'qr-code', text, box }
}

function textIn(box: DrawingBox, { lines = [], fontSize, textAlign = 'left' }: Appearance): TextElement {
  if (box.width <= 0) throw refusePades('pades.appearance', { reason: 'the box is too narrow for its text' })
  const text = lines.map((line) => line.replaceAll(/\s+/g, ' ')).join('\n')
  const run = { text, ...(fontSize !== undefined && { size: fontSize }) }
  return { kind: 'text', box, runs: [run], horizontal: textAlign, vertical: 'center' }
}
