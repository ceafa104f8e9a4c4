// Marks as data: what a visible signature shows, whoever signs.
import { drawAll } from './draw-elements.ts'
import type { Color, Drawing, DrawingBox, DrawingElement, TextElement, TextStyle } from './drawing.ts'
import type { AppearancePlace, DrawnAppearance } from './drawn-appearance.ts'
import { imageSize } from './embedded-image.ts'
import { refusePades } from './errors.ts'
import { filledText, type MarkLanguage, type MarkValues, textIn } from './mark-values.ts'

/** What a mark shows, and where: data that `readMarkTemplate` also takes from JSON. Everything has a default. */
export interface MarkTemplate {
  /** Default: 36 points from the lower left corner of the first page, 220 by 70 points. */
  readonly place?: Partial<AppearancePlace>
  /** Behind everything. Default: white, of which 85 % is seen, so that text is legible over pictures. */
  readonly background?: MarkShade | 'none'
  /** Default: a thin blue line. */
  readonly border?: MarkBorder | 'none'
  readonly image?: MarkImage
  /** Default: who signed, when, why and where. */
  readonly text?: MarkText | 'none'
  readonly qrCode?: MarkQrCode
  /** Of the text and of times. Default pt-BR. */
  readonly language?: MarkLanguage
  /** Of times. Default America/Sao_Paulo. */
  readonly timeZone?: string
}

/** A colour as `#rrggbb`. */
type HexColor = string

interface MarkShade {
  readonly color?: HexColor
  /** From 0, which shows nothing, to 1. */
  readonly opacity?: number
}

interface MarkBorder extends MarkShade {
  /** In points. */
  readonly width?: number
}

interface MarkImage {
  /** A PNG or a JPEG. */
  readonly data: Uint8Array
  /** Default left; behind the text it has the whole mark. */
  readonly side?: 'left' | 'right' | 'behind'
  /** Default 1; behind text 0.25. */
  readonly opacity?: number
}

interface MarkText {
  /** In one language, or in several. Fields such as `{name}` are filled in. */
  readonly lines: MarkLines | Partial<Record<MarkLanguage, MarkLines>>
  /** Default black. */
  readonly color?: HexColor
  /** In points: text is as large as fits between them, and refused where the least does not. Default 12 and 5. */
  readonly size?: number
  readonly leastSize?: number
  readonly align?: 'left' | 'center' | 'right'
}

type MarkLines = readonly (string | MarkLine)[]

interface MarkLine {
  readonly text: string
  readonly style?: TextStyle
  readonly color?: HexColor
}

interface MarkQrCode {
  /** Fields are filled in. */
  readonly text: string
  /** Default right. */
  readonly side?: 'left' | 'right'
}

const PLACE: AppearancePlace = { page: 1, x: 36, y: 36, width: 220, height: 70 }
const PADDING = 5
const INK = '#000000'
const PAPER = '#ffffff'
const LINE = '#1f4e79'
/** Of what is between the edges, a picture or a QR code beside text takes at most this part. */
const SIDE_SHARE = 0.35

const SAID: Readonly<Record<MarkLanguage, MarkLines>> = {
  'pt-BR': [
    'Assinado digitalmente por',
    { text: '{name}', style: 'bold' },
    'CPF {cpf}',
    'CNPJ {cnpj}',
    '{time}',
    'Motivo: {reason}',
    'Local: {location}',
  ],
  'en-US': [
    'Digitally signed by',
    { text: '{name}', style: 'bold' },
    'CPF {cpf}',
    'CNPJ {cnpj}',
    '{time}',
    'Reason: {reason}',
    'Location: {location}',
  ],
}

/** Draws a mark for these values; `place` overrides what the template says of it. */
export async function drawTemplate(
  template: MarkTemplate,
  values: MarkValues,
  place: Partial<AppearancePlace> = {},
): Promise<DrawnAppearance> {
  const [drawn] = await drawAll([drawingOf(template, values, { ...PLACE, ...template.place, ...place })])
  return drawn!
}

function drawingOf(template: MarkTemplate, values: MarkValues, place: AppearancePlace): Drawing {
  const { background = {}, border = {}, image } = template
  const { width, height } = place
  const elements: DrawingElement[] = []
  let area: DrawingBox = { x: PADDING, y: PADDING, width: width - 2 * PADDING, height: height - 2 * PADDING }
  const runs = runsOf(template, values)
  if (image?.side === 'behind')
    elements.push({ kind: 'image', image: image.data, box: area, opacity: image.opacity ?? 0.25 })
  for (const { side, ratio, element } of beside(template, values)) {
    const [own, rest] = cut(area, side, ratio, runs.length > 0)
    elements.push({ ...element, box: own })
    area = rest
  }
  if (runs.length > 0) elements.push(textOf(template, runs, area))
  return {
    ...place,
    ...(background !== 'none' && { background: shadeOf({ color: PAPER, opacity: 0.85, ...background }) }),
    ...(border !== 'none' && { border: { width: border.width ?? 0.75, color: shadeOf({ color: LINE, ...border }) } }),
    elements,
  }
}

type Beside = {
  readonly side: 'left' | 'right'
  /** Width by height. */
  readonly ratio: number
  readonly element:
    | { kind: 'image'; image: Uint8Array; opacity: number }
    | { kind: 'qr-code'; text: string; quietZone: boolean }
}

function beside({ image, qrCode }: MarkTemplate, values: MarkValues): Beside[] {
  const found: Beside[] = []
  if (image && image.side !== 'behind') {
    const { width, height } = imageSize(image.data)
    const element = { kind: 'image', image: image.data, opacity: image.opacity ?? 1 } as const
    found.push({ side: image.side ?? 'left', ratio: width / height, element })
  }
  if (qrCode) {
    const element = { kind: 'qr-code', text: filledText(qrCode.text, values), quietZone: true } as const
    found.push({ side: qrCode.side ?? 'right', ratio: 1, element })
  }
  return found
}

/** A part of an area at one of its sides, and what it leaves; all of it where nothing stands beside. */
function cut(area: DrawingBox, side: 'left' | 'right', ratio: number, besideText: boolean): [DrawingBox, DrawingBox] {
  const most = besideText ? area.width * SIDE_SHARE : area.width
  const width = Math.min(area.height * ratio, most)
  const own = { ...area, width, x: side === 'left' ? area.x : area.x + area.width - width }
  const rest = Math.max(0, area.width - width - PADDING)
  return [own, { ...area, width: rest, x: side === 'left' ? area.x + area.width - rest : area.x }]
}

type Run = TextElement['runs'][number]

/** The lines for the language, filled in; those whose fields are all empty are left out. */
function runsOf({ text, language = 'pt-BR', timeZone }: MarkTemplate, values: MarkValues): Run[] {
  if (text === 'none') return []
  const { lines, color = INK } = text ?? { lines: SAID }
  const said = Array.isArray(lines) ? lines : ((lines as Partial<Record<MarkLanguage, MarkLines>>)[language] ?? [])
  const shown = (said as MarkLines).flatMap((line) => {
    const { text: words, style = 'normal', color: own = color } = typeof line === 'string' ? { text: line } : line
    const filled = textIn(words, values, { language, ...(timeZone !== undefined && { timeZone }) })
    return filled === undefined ? [] : [{ text: filled, style, color: shadeOf({ color: own }) }]
  })
  return shown.map((run, at) => ({ ...run, text: at < shown.length - 1 ? `${run.text}\n` : run.text }))
}

function textOf({ text }: MarkTemplate, runs: readonly Run[], box: DrawingBox): TextElement {
  const { size = 12, leastSize = 5, align = 'left' } = text === undefined || text === 'none' ? {} : text
  if (!(box.width > 0 && box.height > 0))
    throw refusePades('pades.appearance', { reason: 'no room is left for the text' })
  return {
    kind: 'text',
    box,
    runs,
    horizontal: align,
    vertical: 'center',
    fit: { least: Math.min(leastSize, size), most: size },
  }
}

function shadeOf({ color = INK, opacity = 1 }: MarkShade): Color {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255) as [
    number,
    number,
    number,
  ]
  return { red, green, blue, alpha: opacity }
}
