import { colors, Ink, type TextStyle } from './ink.ts'
import type { Fonts, Workbench } from './pdf-library.ts'

const A4 = { width: 595.28, height: 841.89 } as const
const MARGIN = 46
const FOOTER = 26
/** Line height relative to the font size. */
const LEADING = 1.32

/** Position of a text on its line. */
export interface TextPlace {
  /** From the left margin. Default 0. */
  readonly indent?: number
  /** Default: up to the right margin. */
  readonly width?: number
  /** Default left. */
  readonly align?: 'left' | 'right'
}

/** A text, how it looks and where it stands. */
export type Cell = readonly [text: string, style: TextStyle, place?: TextPlace]

/** A4 sheets filled from the top down; a new one begins where something does not fit. */
export class Sheets {
  readonly left = MARGIN
  readonly width = A4.width - 2 * MARGIN
  /** Top of the next element. */
  y = 0
  readonly #bench: Workbench
  readonly #fonts: Fonts
  readonly #footer: (page: number, pages: number) => readonly [left: string, right: string]
  readonly #inks: Ink[] = []

  constructor(
    bench: Workbench,
    fonts: Fonts,
    footer: (page: number, pages: number) => readonly [left: string, right: string],
  ) {
    this.#bench = bench
    this.#fonts = fonts
    this.#footer = footer
    this.#begin()
  }

  /** The current sheet. */
  get ink(): Ink {
    return this.#inks.at(-1)!
  }

  skip(height: number): void {
    this.y -= height
  }

  /** Starts a new sheet unless this height fits on the current one. */
  room(height: number): void {
    if (this.y - height < MARGIN + FOOTER) this.#begin()
  }

  rule(): void {
    this.ink.line(this.left, this.y, this.width)
  }

  /** A text in as many lines as it takes. */
  lines(text: string, style: TextStyle, place: TextPlace = {}): void {
    this.row([text, style, place])
  }

  /** Texts side by side, each in as many lines as it takes. */
  row(...cells: readonly Cell[]): void {
    const columns = cells.map(([text, style, place = {}]) => ({
      style,
      place,
      lines: this.#wrapped(text, style, place),
    }))
    const size = Math.max(...cells.map(([, style]) => style.size))
    const rows = Math.max(...columns.map(({ lines }) => lines.length))
    for (let row = 0; row < rows; row++) {
      this.room(size * LEADING)
      for (const { lines, style, place } of columns)
        if (lines[row] !== undefined) this.#place(lines[row]!, style, place, this.y - size)
      this.y -= size * LEADING
    }
  }

  /** Height of texts one below the other. */
  heightOf(texts: readonly (readonly [text: string, style: TextStyle, width: number])[]): number {
    const heights = texts.map(
      ([text, style, width]) => this.#wrapped(text, style, { width }).length * style.size * LEADING,
    )
    return heights.reduce((sum, height) => sum + height, 0)
  }

  /** Adds the sheets to the document, now that their number is known. */
  finish(): void {
    this.#inks.forEach((ink, at) => {
      this.#drawFooter(ink, ...this.#footer(at + 1, this.#inks.length))
      this.#addPage(ink)
    })
  }

  #begin(): void {
    this.#inks.push(new Ink(this.#fonts))
    this.y = A4.height - MARGIN
  }

  #wrapped(text: string, style: TextStyle, { indent = 0, width = this.width - indent }: TextPlace): string[] {
    return this.ink.wrapped(text, width, style)
  }

  #place(line: string, style: TextStyle, place: TextPlace, baseline: number): void {
    const { indent = 0, width = this.width - indent, align = 'left' } = place
    const shift = align === 'right' ? width - this.ink.width(line, style) : 0
    this.ink.text(line, this.left + indent + shift, baseline, style)
  }

  #drawFooter(ink: Ink, left: string, right: string): void {
    const style: TextStyle = { size: 7.5, color: colors.quiet }
    const rightWidth = ink.width(right, style)
    ink.line(this.left, MARGIN + 2, this.width)
    const [fitting = ''] = ink.wrapped(left, this.width - rightWidth - MARGIN, style)
    ink.text(fitting, this.left, MARGIN - 9, style)
    ink.text(right, this.left + this.width - rightWidth, MARGIN - 9, style)
  }

  #addPage(ink: Ink): void {
    const { library, document } = this.#bench
    const { node } = document.addPage([A4.width, A4.height])
    node.set(library.PDFName.of('Contents'), document.context.register(document.context.flateStream(ink.content)))
    node.set(library.PDFName.of('Resources'), document.context.obj(ink.resources()))
  }
}
