import type { PDFPage, PDFRef } from '@cantoo/pdf-lib'
import { type ReadingLimits, readingLimits } from '@chancela/signature-engine/pdf'
import { drawManifest } from './draw-manifest.ts'
import { flatten } from './flatten.ts'
import { colors, Ink, qrObject, type TextStyle } from './ink.ts'
import { drawOver, surroundContents } from './page-contents.ts'
import { cm, type Matrix, number, orderedBox, type ShownPage, shownPage } from './page-space.ts'
import { embedFonts, type Fonts, saved, type Workbench, withDocument } from './pdf-library.ts'
import type { RenditionLanguage, SignaturesInfo } from './rendition-info.ts'
import { type Say, sayIn } from './texts.ts'

/** Height of the note over the width of the page, and its bounds in points. */
const NOTE = { share: 0.062, least: 14, most: 37 } as const

/**
 * The version for printing: each page slightly smaller, with a note below that gives the verification URL, and the
 * manifest at the end. Visible signatures are drawn; the file itself is not signed.
 */
export const printerFriendly = (
  pdf: Uint8Array,
  info: SignaturesInfo,
  language: RenditionLanguage = 'pt',
  within: ReadingLimits = readingLimits,
): Promise<Buffer> =>
  withDocument(pdf, within, async (bench) => {
    await flatten(bench)
    const fonts = await embedFonts(bench)
    const note: Note = { info, say: sayIn(language), fonts, qr: qrObject(bench, info.verificationUrl) }
    const pages = bench.document.getPages()
    for (const [at, page] of pages.entries()) addNote(bench, page, note, { page: at + 1, pages: pages.length })
    await drawManifest(bench, fonts, info, language)
    return saved(bench)
  })

interface Note {
  readonly info: SignaturesInfo
  readonly say: Say
  readonly fonts: Fonts
  readonly qr: PDFRef
}

function addNote(bench: Workbench, page: PDFPage, note: Note, position: { page: number; pages: number }): void {
  const shown = shownPage(bench.library, page)
  const height = Math.min(Math.max(shown.width * NOTE.share, NOTE.least), NOTE.most)
  shrink(bench, page, shown, height)
  drawOver(bench, page, shown, noteInk(note, shown, height, position))
}

/** Makes everything on the page smaller, so that a strip at the bottom is free; the page keeps its size. */
function shrink(bench: Workbench, page: PDFPage, shown: ShownPage, strip: number): void {
  const scale = Math.max(0.1, 1 - strip / shown.height)
  const matrix = scaledAbout(shown, scale, [(shown.width * (1 - scale)) / 2, strip])
  const [x, y] = shown.matrix.slice(4) as [number, number]
  const [width, height] = sidesOf(shown)
  // Content outside the visible part must stay hidden.
  const clip = `${[x, y, width, height].map(number).join(' ')} re W n`
  surroundContents(bench, page, `q ${cm(matrix)} ${clip} q`, 'Q Q')
  moveLinks(bench, page, matrix)
}

/** Width and height of the visible part from its corner, in the page's own directions. */
function sidesOf({ width, height, matrix: [a, b, c, d] }: ShownPage): [number, number] {
  return [a * width + c * height, b * width + d * height]
}

/** Smaller by `scale` and moved by `shift` as the reader sees it, in the page's own coordinates. */
function scaledAbout(
  { matrix: [a, b, c, d, e, f] }: ShownPage,
  scale: number,
  [shiftX, shiftY]: readonly [number, number],
): Matrix {
  const moveX = (1 - scale) * e + a * shiftX + c * shiftY
  const moveY = (1 - scale) * f + b * shiftX + d * shiftY
  return [scale, 0, 0, scale, moveX, moveY]
}

function moveLinks({ library, document }: Workbench, page: PDFPage, [scale, , , , moveX, moveY]: Matrix): void {
  for (const entry of page.node.Annots()?.asArray() ?? []) {
    const link = document.context.lookup(entry, library.PDFDict)
    const [left, bottom, right, top] = orderedBox(link.lookup(library.PDFName.of('Rect'), library.PDFArray))
    const moved = [left * scale + moveX, bottom * scale + moveY, right * scale + moveX, top * scale + moveY]
    link.set(library.PDFName.of('Rect'), document.context.obj(moved))
    link.delete(library.PDFName.of('QuadPoints'))
  }
}

/** The QR code at the left, beside it two lines, the number of the page at the right. */
function noteInk(
  { info, say, fonts, qr }: Note,
  { width }: ShownPage,
  height: number,
  position: { page: number; pages: number },
): Ink {
  const ink = new Ink(fonts)
  const pad = height * 0.12
  const side = height - 2 * pad
  const style: TextStyle = { size: height * 0.19, color: colors.quiet }
  const pageNumber = say('page.number', position)
  const numberWidth = ink.width(pageNumber, style)
  const left = pad * 4 + side
  const room = width - left - numberWidth - pad * 6
  const [url, ...more] = ink.wrapped(say('page.note', { url: info.verificationUrl }), room, style)
  const lines = [say('page.key', { key: info.key }), url ?? '', ...more].slice(0, 3)
  ink.rectangle(0, 0, width, height, [1, 1, 1])
  ink.object(qr, [side, 0, 0, side, pad * 3, pad])
  lines.forEach((line, at) => {
    ink.text(line, left, height - pad - style.size * (1 + at * 1.32), at === 0 ? { ...style, font: 'bold' } : style)
  })
  ink.text(pageNumber, width - numberWidth - pad * 3, height - pad - style.size, style)
  return ink
}
