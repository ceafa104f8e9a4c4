import { type ReadingLimits, readingLimits } from '@chancela/signature-engine/pdf'
import { type Color, Ink, type TextStyle } from './ink.ts'
import { drawOver } from './page-contents.ts'
import { type ShownPage, shownPage } from './page-space.ts'
import { embedFonts, saved, type Workbench, withDocument } from './pdf-library.ts'
import type { LabelledMark } from './rendition-info.ts'

export interface DrawMarksOptions {
  /** `pages`: on the document. `blank`: on empty pages of the same sizes. Default `pages`. */
  readonly on?: 'pages' | 'blank'
}

const PADDING = 4
const LARGEST_FONT = 10
const SMALLEST_FONT = 3
/** Colours assigned to labels in turn; dark enough for white paper. */
const palette: readonly Color[] = [
  [0.09, 0.35, 0.62],
  [0.62, 0.27, 0.07],
  [0.1, 0.48, 0.3],
  [0.48, 0.17, 0.53],
  [0.6, 0.13, 0.25],
  [0.3, 0.34, 0.4],
]

/** Draws a labelled box at each mark. Marks on pages that do not exist are skipped. */
export const drawMarks = (
  pdf: Uint8Array,
  marks: readonly LabelledMark[],
  { on = 'pages' }: DrawMarksOptions = {},
  within: ReadingLimits = readingLimits,
): Promise<Buffer> =>
  withDocument(pdf, within, async (bench) => {
    if (on === 'blank') clear(bench)
    const fonts = await embedFonts(bench)
    const labels = [...new Set(marks.map(({ label }) => label))]
    for (const [at, page] of bench.document.getPages().entries()) {
      const here = marks.filter(({ pageNumber = 1 }) => pageNumber === at + 1)
      if (here.length === 0) continue
      const shown = shownPage(bench.library, page)
      const ink = new Ink(fonts)
      for (const mark of here) drawMark(ink, shown, mark, palette[labels.indexOf(mark.label) % palette.length]!)
      drawOver(bench, page, shown, ink)
    }
    return saved(bench)
  })

function clear({ library: { PDFName }, document }: Workbench): void {
  document.catalog.delete(PDFName.of('AcroForm'))
  for (const { node } of document.getPages())
    for (const name of ['Contents', 'Annots', 'AA']) node.delete(PDFName.of(name))
}

function drawMark(ink: Ink, shown: ShownPage, mark: LabelledMark, color: Color): void {
  const { topLeftX: x, topLeftY, width, height, label, detail } = mark
  const y = shown.height - topLeftY - height
  ink.rectangle(x, y, width, height, tinted(color))
  ink.frame(x, y, width, height, color, 0.8)
  const texts = [label, ...(detail === undefined ? [] : [detail])]
  const { size, lines } = fitted(ink, texts, width - 2 * PADDING, height - 2 * PADDING, mark.fontSize)
  lines.forEach(({ text, isLabel }, at) => {
    const baseline = y + height - PADDING - size * (0.9 + at * 1.25)
    ink.text(text, x + PADDING, baseline, { size, color, font: isLabel ? 'bold' : 'regular' })
  })
}

const tint = (part: number): number => 1 - (1 - part) * 0.12

const tinted = ([red, green, blue]: Color): Color => [tint(red), tint(green), tint(blue)]

interface FittedLines {
  readonly size: number
  readonly lines: readonly { readonly text: string; readonly isLabel: boolean }[]
}

/** The largest font with which all lines fit into the box, or the smallest there is. */
function fitted(ink: Ink, texts: readonly string[], width: number, height: number, asked?: number): FittedLines {
  for (let size = asked ?? LARGEST_FONT; ; size -= 0.5) {
    const lines = texts.flatMap((text, at) => {
      const style: TextStyle = { size, font: at === 0 ? 'bold' : 'regular' }
      return ink.wrapped(text, Math.max(width, 1), style).map((line) => ({ text: line, isLabel: at === 0 }))
    })
    if (asked !== undefined || size <= SMALLEST_FONT || lines.length * size * 1.25 <= height) return { size, lines }
  }
}
