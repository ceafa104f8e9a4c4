import type { DocumentFonts, LetterStyle, Shaped } from '../fonts/document-fonts.ts'
import { array, dict, number, type ObjectNumber, type PdfText, ref } from '../pdf/syntax.ts'
import { type Color, fill, stroke } from './colors.ts'

/** One millimetre in points. */
export const MM = 72 / 25.4

/** How a text looks. */
export interface TextStyle extends LetterStyle {
  /** In points. */
  readonly size: number
  readonly color: Color
}

/** A part of a line. */
export interface TextPart {
  readonly shaped: Shaped
  readonly style: TextStyle
  /** Room added after it, in millimetres. */
  readonly stretch?: number
}

/** In millimetres from the top left corner of the page. */
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface PageSize {
  /** In millimetres. */
  readonly width: number
  readonly height: number
}

/** A page that is being drawn. Its places are millimetres from the top left corner. */
export class Canvas {
  readonly size: PageSize
  readonly fonts: DocumentFonts
  private content = ''
  private readonly objects = new Map<string, ObjectNumber>()

  constructor(size: PageSize, fonts: DocumentFonts) {
    this.size = size
    this.fonts = fonts
  }

  /** The operators of the page, in points from the bottom left corner. */
  get operators(): PdfText {
    return this.content
  }

  get pageBox(): PdfText {
    return array([0, 0, this.size.width * MM, this.size.height * MM])
  }

  /** Pictures and drawings that the page shows. */
  resources(): PdfText {
    return dict(Object.fromEntries([...this.objects].map(([name, object]) => [name, ref(object)])))
  }

  /** Shows one line; `y` is its base line. */
  text(parts: readonly TextPart[], x: number, y: number): void {
    let set = ''
    let shown = ''
    for (const { shaped, style, stretch = 0 } of parts) {
      for (const run of shaped.runs) {
        const setting = `${fill(style.color)} /${run.font} ${number(style.size)} Tf`
        if (setting !== set) shown += ` ${setting}`
        set = setting
        shown += ` ${run.shown} TJ`
      }
      // TJ moves to the left by thousandths of the font size.
      if (stretch !== 0) shown += ` [${number((-stretch * MM * 1000) / style.size)}] TJ`
    }
    if (shown) this.content += `BT ${this.point(x, y)} Td${shown} ET\n`
  }

  /** A line whose middle is at this place, turned by degrees counterclockwise. */
  turnedText({ shaped, style }: TextPart, x: number, y: number, degrees: number): void {
    const shown = shaped.runs.map((run) => `/${run.font} ${number(style.size)} Tf ${run.shown} TJ`).join(' ')
    const left = -(shaped.width * style.size) / 2000
    this.at(x, y, `BT ${fill(style.color)} ${number(left)} ${number(-style.size * 0.33)} Td ${shown} ET`, degrees)
  }

  rectangle({ x, y, width, height }: Box, color: Color): void {
    this.content += `${fill(color)} ${this.point(x, y + height)} ${number(width * MM)} ${number(height * MM)} re f\n`
  }

  /** A frame whose line is centred on the edge of the box. */
  frame({ x, y, width, height }: Box, color: Color, points: number): void {
    this.content += `${stroke(color)} ${number(points)} w ${this.point(x, y + height)} ${number(width * MM)} ${number(height * MM)} re S\n`
  }

  line(from: readonly [number, number], to: readonly [number, number], color: Color, points: number): void {
    this.content += `${stroke(color)} ${number(points)} w ${this.point(...from)} m ${this.point(...to)} l S\n`
  }

  /** A square on its corner, `half` of a diagonal from its middle to each. */
  diamond([x, y]: readonly [number, number], half: number, color: Color): void {
    const corners = [this.point(x - half, y), this.point(x, y - half), this.point(x + half, y), this.point(x, y + half)]
    this.content += `${fill(color)} ${corners[0]} m ${corners.slice(1).join(' l ')} l f\n`
  }

  /** Operators whose origin is this place, in points, y upwards, turned by degrees counterclockwise. */
  at(x: number, y: number, operators: PdfText, degrees = 0): void {
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
    this.content += `q ${[cos, sin, -sin, cos].map(number).join(' ')} ${this.point(x, y)} cm\n${operators}\nQ\n`
  }

  /** A picture, whose own size is one by one. */
  picture(object: ObjectNumber, { x, y, width, height }: Box): void {
    const shown = `${number(width * MM)} 0 0 ${number(height * MM)} 0 0 cm ${this.show(object)}`
    this.at(x, y + height, shown)
  }

  /** The operator that shows a picture or a drawing of the document. */
  show(object: ObjectNumber): PdfText {
    this.objects.set(`X${object}`, object)
    return `/X${object} Do`
  }

  private point(x: number, y: number): PdfText {
    return `${number(x * MM)} ${number((this.size.height - y) * MM)}`
  }
}
