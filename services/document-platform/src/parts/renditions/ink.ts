import type { PDFFont, PDFRef } from '@cantoo/pdf-lib'
import { asPrinted } from '@chancela/service-kernel/text'
import { encode } from 'uqr'
import { cm, type Matrix, number } from './page-space.ts'
import type { Fonts, Workbench } from './pdf-library.ts'

/** Red, green and blue from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number]

export const colors = {
  text: [0.13, 0.15, 0.18],
  quiet: [0.42, 0.45, 0.5],
  line: [0.82, 0.84, 0.87],
  accent: [0.09, 0.28, 0.48],
  good: [0.07, 0.47, 0.29],
  waiting: [0.72, 0.46, 0.04],
  bad: [0.7, 0.15, 0.15],
} as const satisfies Record<string, Color>

export interface TextStyle {
  /** In points. */
  readonly size: number
  /** Default regular. */
  readonly font?: keyof Fonts
  /** Default `colors.text`. */
  readonly color?: Color
}

const fontNames: Readonly<Record<keyof Fonts, string>> = { regular: 'R', bold: 'B' }

/** A drawing in points from the bottom left, written as the operators of a content stream. */
export class Ink {
  readonly #fonts: Fonts
  readonly #objects = new Map<string, PDFRef>()
  #content = ''

  constructor(fonts: Fonts) {
    this.#fonts = fonts
  }

  get content(): string {
    return this.#content
  }

  /** The resources the drawing needs. */
  resources(): Record<string, Record<string, PDFRef>> {
    const { regular, bold } = this.#fonts
    return {
      Font: { [fontNames.regular]: regular.ref, [fontNames.bold]: bold.ref },
      XObject: Object.fromEntries(this.#objects),
    }
  }

  /** One line; `y` is its base line. */
  text(text: string, x: number, y: number, style: TextStyle): void {
    const { size, font = 'regular', color = colors.text } = style
    const shown = this.#fonts[font].encodeText(asPrinted(text)).toString()
    this.#content += `BT ${rgb(color)} rg /${fontNames[font]} ${number(size)} Tf ${number(x)} ${number(y)} Td ${shown} Tj ET\n`
  }

  width(text: string, { size, font = 'regular' }: TextStyle): number {
    return this.#fonts[font].widthOfTextAtSize(asPrinted(text), size)
  }

  /** The text broken between words, and inside of a word that alone is too long, into lines of at most this width. */
  wrapped(text: string, width: number, style: TextStyle): string[] {
    return wrap(this.#fonts[style.font ?? 'regular'], asPrinted(text), width, style.size)
  }

  rectangle(x: number, y: number, width: number, height: number, fill: Color): void {
    this.#content += `${rgb(fill)} rg ${[x, y, width, height].map(number).join(' ')} re f\n`
  }

  frame(x: number, y: number, width: number, height: number, color: Color, lineWidth: number): void {
    this.#content += `${rgb(color)} RG ${number(lineWidth)} w ${[x, y, width, height].map(number).join(' ')} re S\n`
  }

  line(x: number, y: number, width: number): void {
    this.#content += `${rgb(colors.line)} RG 0.6 w ${number(x)} ${number(y)} m ${number(x + width)} ${number(y)} l S\n`
  }

  object(ref: PDFRef, matrix: Matrix): void {
    const name = `X${ref.objectNumber}`
    this.#objects.set(name, ref)
    this.#content += `q ${cm(matrix)} /${name} Do Q\n`
  }
}

const rgb = (color: Color): string => color.map(number).join(' ')

function wrap(font: PDFFont, text: string, width: number, size: number): string[] {
  const fits = (line: string) => font.widthOfTextAtSize(line, size) <= width
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).flatMap((one) => broken(one, fits))) {
    const longer = line ? `${line} ${word}` : word
    if (fits(longer) || !line) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return line ? [...lines, line] : lines
}

/** A word that does not fit on a line by itself, in parts that do. */
function broken(word: string, fits: (line: string) => boolean): string[] {
  if (fits(word)) return [word]
  const parts: string[] = []
  let part = ''
  for (const char of word) {
    if (part && !fits(part + char)) {
      parts.push(part)
      part = ''
    }
    part += char
  }
  return [...parts, part]
}

/** A QR code as an XObject of one by one point, reusable any number of times. */
export function qrObject({ document }: Workbench, text: string): PDFRef {
  const { size, data } = encode(text, { ecc: 'M', border: 0 })
  const rectangles = data.flatMap((row, y) =>
    darkRuns(row).map(([from, to]) => `${from} ${size - 1 - y} ${to - from} 1 re`),
  )
  const content = `${number(1 / size)} 0 0 ${number(1 / size)} 0 0 cm 0 g\n${rectangles.join('\n')}\nf\n`
  return document.context.register(
    document.context.flateStream(content, { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 1, 1] }),
  )
}

/** Dark modules that touch are one rectangle, so that no seams show. */
function darkRuns(row: readonly boolean[]): [from: number, to: number][] {
  const runs: [number, number][] = []
  row.forEach((isDark, x) => {
    if (!isDark) return
    const last = runs.at(-1)
    if (last?.[1] === x) last[1] = x + 1
    else runs.push([x, x + 1])
  })
  return runs
}
