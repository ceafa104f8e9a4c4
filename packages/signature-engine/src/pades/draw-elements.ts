// Content streams of drawings: elements in boxes, turned and seen through as they say.
import { dict, name, type PdfDict, type PdfObject, type PdfRef } from '../pdf/pdf-object.ts'
import type { Color, Drawing, DrawingBox, DrawingElement, QrCodeElement, TextElement, TextStyle } from './drawing.ts'
import type { DrawnAppearance } from './drawn-appearance.ts'
import { type EmbeddedFont, embedFont } from './embedded-font.ts'
import { type EmbeddedImage, embedImage, imageSize } from './embedded-image.ts'
import { refusePades } from './errors.ts'
import { mixed, WHITE } from './mixed-colors.ts'
import { number } from './operators.ts'
import { qrCodeOperators } from './qr-code.ts'
import { layOutText, type ShapedRun, type TextLine } from './text-layout.ts'
import { writtenOnce } from './written-once.ts'

/** Draws pictures that go into one document: what they share, fonts and images, is written once for all of them. */
export async function drawAll(drawings: readonly Drawing[]): Promise<DrawnAppearance[]> {
  drawings.forEach(requireDrawable)
  const elements = drawings.flatMap((drawing) => drawing.elements)
  const shared = { runs: await shapedRuns(elements), images: embeddedImages(elements) }
  return drawings.map((drawing) => drawn(drawing, shared))
}

/** What the elements of all drawings use. */
interface Shared {
  readonly runs: ReadonlyMap<TextElement, readonly ShapedRun[]>
  readonly images: ReadonlyMap<Uint8Array, SharedImage>
}

/** An image, and what is seen of it over a colour. */
type SharedImage = Pick<EmbeddedImage, 'width' | 'height' | 'hasInks'> & {
  readonly plain: EmbeddedImage
  over(behind: Color, seen: number): EmbeddedImage
}

function requireDrawable({ width, height, elements }: Drawing): void {
  const hasSize = width > 0 && height > 0 && Number.isFinite(width) && Number.isFinite(height)
  if (!hasSize) throw unusable('the box has no size')
  for (const { box } of elements) if (!(box.width > 0 && box.height > 0)) throw unusable('the box is too small')
}

const unusable = (reason: string) => refusePades('pades.appearance', { reason })

const isText = (element: DrawingElement): element is TextElement => element.kind === 'text'

const LINE_END = /\r\n|\r|\n/

/** The glyphs of all texts: one font for each style, with what is needed of it. */
async function shapedRuns(elements: readonly DrawingElement[]): Promise<Shared['runs']> {
  const texts = elements.filter(isText)
  const lines: Record<TextStyle, string[]> = { normal: [], bold: [], italic: [] }
  const runs = texts.map((element) =>
    element.runs.map(({ text, style = 'normal', ...rest }) => {
      const own = text.split(LINE_END)
      const from = lines[style].push(...own) - own.length
      return { ...rest, style, from, to: from + own.length }
    }),
  )
  const fonts = new Map<TextStyle, EmbeddedFont>()
  for (const style of Object.keys(lines) as TextStyle[])
    if (lines[style].length > 0) fonts.set(style, await embedFont(lines[style], style))
  const shaped = ({ style, from, to, size, color }: (typeof runs)[number][number]): ShapedRun => {
    const font = fonts.get(style)!
    return { font, lines: font.lines.slice(from, to), size, color }
  }
  return new Map(texts.map((element, at) => [element, runs[at]!.map(shaped)]))
}

/** Pixels of all images together: each is held as it is drawn. */
const MOST_PIXELS = 16 * 1024 * 1024

function embeddedImages(elements: readonly DrawingElement[]): Shared['images'] {
  const files = new Set(elements.flatMap((element) => (element.kind === 'image' ? [element.image] : [])))
  const pixels = [...files].map(imageSize).reduce((sum, { width, height }) => sum + width * height, 0)
  if (pixels > MOST_PIXELS) throw unusable('the images together are too large')
  return new Map([...files].map((file) => [file, sharedImage(file)]))
}

function sharedImage(file: Uint8Array): SharedImage {
  const image = embedImage(file)
  const { width, height, hasInks } = image
  const mixtures = new Map<string, EmbeddedImage>()
  const over = (behind: Color, seen: number): EmbeddedImage => {
    const key = [behind.red, behind.green, behind.blue, seen].join(' ')
    const known = mixtures.get(key) ?? onceWritten(image.over(behind, seen))
    mixtures.set(key, known)
    return known
  }
  return { width, height, hasInks, plain: onceWritten(image), over }
}

const onceWritten = (image: EmbeddedImage): EmbeddedImage => ({
  ...image,
  write: writtenOnce((add) => image.write(add)),
})

function drawn(drawing: Drawing, shared: Shared): DrawnAppearance {
  const hasInks = drawing.elements.some((one) => one.kind === 'image' && shared.images.get(one.image)!.hasInks)
  const appearance = (resources: Resources, opaque: () => DrawnAppearance): DrawnAppearance => ({
    ...painted(drawing, shared, resources),
    hasInks,
    get opaque() {
      return opaque()
    },
  })
  let opaque: DrawnAppearance | undefined
  const inArchive = (): DrawnAppearance => {
    opaque ??= appearance(new Resources(backdropOf(drawing)), inArchive)
    return opaque
  }
  return appearance(new Resources(), inArchive)
}

/** What is behind the elements of a drawing, if nothing is seen through it: paper, where it has no background. */
const backdropOf = ({ background }: Drawing): Color => (background ? mixed(background, WHITE) : WHITE)

type Painted = Pick<DrawnAppearance, 'place' | 'content' | 'resources'>

function painted(drawing: Drawing, shared: Shared, resources: Resources): Painted {
  const content = [
    backgroundOf(drawing, resources),
    ...drawing.elements.map((element) => elementOf(element, shared, resources)),
    borderOf(drawing, resources),
  ].join('')
  return { place: drawing, content, resources: (add) => resources.write(add) }
}

/** What a content stream names: in each kind, everything once. */
class Resources {
  /** What shows through, where that is drawn instead of transparency. */
  readonly #backdrop: Color | undefined
  readonly #fonts = new Map<EmbeddedFont, string>()
  readonly #images = new Map<EmbeddedImage, string>()
  readonly #alphas = new Map<number, string>()

  constructor(backdrop?: Color) {
    this.#backdrop = backdrop
  }

  font = (font: EmbeddedFont): string => named(this.#fonts, font, 'F')

  image(image: SharedImage, seen: number): string {
    const isMixed = this.#backdrop !== undefined
    return named(this.#images, isMixed ? image.over(this.#backdrop, seen) : image.plain, 'I')
  }

  /** The colour to draw with, so that as much is seen of it as should be. */
  shade = (color: Color, seen = 1, behind = this.#backdrop): Color =>
    this.#backdrop && behind ? mixed(color, behind, seen) : color

  /** Sets how much is seen of what is drawn next. */
  alpha = (value: number): string =>
    this.#backdrop ? '' : `/${named(this.#alphas, Math.round(value * 1000) / 1000, 'G')} gs `

  /** Nothing where all of it is seen: what is not used needs no explaining to those who allow no transparency. */
  alphaUnlessFull = (value: number): string => (value >= 1 ? '' : this.alpha(value))

  write(add: (object: PdfObject) => PdfRef): PdfDict {
    const kinds: Record<string, PdfDict> = {
      Font: written(this.#fonts, (font) => font.write(add)),
      XObject: written(this.#images, (image) => image.write(add)),
      ExtGState: written(this.#alphas, (alpha) => dict({ Type: name('ExtGState'), ca: alpha, CA: alpha })),
    }
    return dict(Object.fromEntries(Object.entries(kinds).filter(([, entries]) => entries.size > 0)))
  }
}

function named<Key>(names: Map<Key, string>, key: Key, letter: string): string {
  const known = names.get(key) ?? `${letter}${names.size || ''}`
  names.set(key, known)
  return known
}

const written = <Key>(names: ReadonlyMap<Key, string>, write: (key: Key) => PdfObject): PdfDict =>
  new Map([...names].map(([key, short]) => [short, write(key)]))

const BLACK: Color = { red: 0, green: 0, blue: 0 }

const channels = ({ red, green, blue }: Color): string => `${number(red)} ${number(green)} ${number(blue)}`
const isGrey = ({ red, green, blue }: Color): boolean => red === green && green === blue

const fill = (color: Color): string => (isGrey(color) ? `${number(color.red)} g` : `${channels(color)} rg`)
const stroke = (color: Color): string => (isGrey(color) ? `${number(color.red)} G` : `${channels(color)} RG`)

const rectangle = ({ x, y, width, height }: DrawingBox): string =>
  `${number(x)} ${number(y)} ${number(width)} ${number(height)} re`

function backgroundOf({ background, width, height }: Drawing, resources: Resources): string {
  const alpha = background?.alpha ?? 1
  if (!background || alpha <= 0) return ''
  return `q ${resources.alphaUnlessFull(alpha)}${fill(resources.shade(background, 1, WHITE))} ${rectangle({ x: 0, y: 0, width, height })} f Q\n`
}

function borderOf({ border, width, height }: Drawing, resources: Resources): string {
  const { width: line, color = BLACK } = border ?? { width: 0 }
  const alpha = color.alpha ?? 1
  if (line <= 0 || alpha <= 0) return ''
  if (line * 2 > Math.min(width, height)) throw unusable('the border is thicker than the box')
  // A line lies on both sides of its path; what is outside the box is not shown, and a thin one there not at all.
  const inset = Math.max(line / 2, 0.5)
  const inside = { x: inset, y: inset, width: width - 2 * inset, height: height - 2 * inset }
  return `q ${resources.alphaUnlessFull(alpha)}${stroke(resources.shade(color))} ${number(line)} w ${rectangle(inside)} S Q\n`
}

function elementOf(element: DrawingElement, shared: Shared, resources: Resources): string {
  const opacity = element.opacity ?? 1
  if (opacity <= 0) return ''
  const { box, turn } = turned(element)
  return `q ${turn}${paint(element, box, opacity, shared, resources)}Q\n`
}

function paint(
  element: DrawingElement,
  box: DrawingBox,
  opacity: number,
  shared: Shared,
  resources: Resources,
): string {
  if (element.kind === 'text') return textOf(element, box, opacity, shared.runs.get(element)!, resources)
  const seen = resources.alphaUnlessFull(opacity)
  if (element.kind === 'qr-code') return `${seen}${qrCodeOf(element, box, opacity, resources)}`
  const image = shared.images.get(element.image)!
  const { x, y, width, height } = fitted(image, box, element)
  const matrix = `${number(width)} 0 0 ${number(height)} ${number(x)} ${number(y)} cm`
  return `${seen}${matrix} /${resources.image(image, opacity)} Do `
}

/**
 * The operators that turn an element around the middle of its box, and the box it has then. A quarter turn uses the
 * whole box; at any other angle the element is as large as it can be without leaving it.
 */
function turned({ box, rotation = 0 }: DrawingElement): { box: DrawingBox; turn: string } {
  const degrees = ((rotation % 360) + 360) % 360
  if (degrees === 0) return { box, turn: '' }
  const angle = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const { width, height } = insideTurned(box, degrees, Math.abs(cos), Math.abs(sin))
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2].map(number)
  const turn = `${precise(cos)} ${precise(sin)} ${precise(-sin)} ${precise(cos)} ${x} ${y} cm `
  return { box: { x: -width / 2, y: -height / 2, width, height }, turn }
}

const precise = (value: number): string => String(Math.round(value * 1e6) / 1e6)

function insideTurned({ width, height }: DrawingBox, degrees: number, cos: number, sin: number) {
  if (degrees % 180 === 0) return { width, height }
  if (degrees % 90 === 0) return { width: height, height: width }
  const scale = Math.min(width / (width * cos + height * sin), height / (width * sin + height * cos))
  return { width: width * scale, height: height * scale }
}

type Alignment = Pick<DrawingElement, 'horizontal' | 'vertical'>

const across = { left: 0, center: 0.5, right: 1 } as const
const upwards = { bottom: 0, center: 0.5, top: 1 } as const

/** As large as the box allows, and where the element wants it. */
function fitted(
  { width, height }: Pick<DrawingBox, 'width' | 'height'>,
  box: DrawingBox,
  { horizontal = 'center', vertical = 'center' }: Alignment,
): DrawingBox {
  const scale = Math.min(box.width / width, box.height / height)
  const size = { width: width * scale, height: height * scale }
  return {
    x: box.x + (box.width - size.width) * across[horizontal],
    y: box.y + (box.height - size.height) * upwards[vertical],
    ...size,
  }
}

function qrCodeOf(element: QrCodeElement, box: DrawingBox, opacity: number, resources: Resources): string {
  const square = fitted({ width: 1, height: 1 }, box, element)
  const light = element.quietZone ? resources.shade(WHITE, opacity) : undefined
  const dark = resources.shade(BLACK, opacity, light)
  return qrCodeOperators(element.text, square, { dark: fill(dark), ...(light && { light: fill(light) }) })
}

function textOf(
  { horizontal = 'left', vertical = 'top', fit }: TextElement,
  box: DrawingBox,
  opacity: number,
  runs: readonly ShapedRun[],
  resources: Resources,
): string {
  const { lines, height } = layOutText(runs, box.width, box.height, fit)
  // A run says how much is seen of it wherever the one before it may have said otherwise.
  const isSeenThrough = opacity < 1 || runs.some(({ color }) => (color?.alpha ?? 1) < 1)
  const alpha = (value: number): string => (isSeenThrough ? resources.alpha(value * opacity) : '')
  let top = box.y + height + (box.height - height) * upwards[vertical]
  let operators = 'BT\n'
  for (const line of lines) {
    const start = box.x + (box.width - line.width) * across[horizontal]
    operators += lineOf(line, start, top - line.ascent, { opacity, alpha }, resources)
    top -= line.ascent + line.descent
  }
  return `${operators}ET\n`
}

function lineOf(
  { pieces }: TextLine,
  start: number,
  baseline: number,
  { opacity, alpha }: { readonly opacity: number; readonly alpha: (value: number) => string },
  resources: Resources,
): string {
  let x = start
  let operators = ''
  for (const { run, size, hex, width } of pieces) {
    const { color = BLACK, font } = run
    const at = `1 0 0 1 ${number(x)} ${number(baseline)} Tm`
    const look = `${alpha(color.alpha ?? 1)}${fill(resources.shade(color, opacity))} /${resources.font(font)} ${number(size)} Tf`
    if (hex !== '') operators += `${look} ${at} <${hex}> Tj\n`
    x += width
  }
  return operators
}
