import type { Canvas } from '../drawing/canvas.ts'
import { layOut, type Placeable } from '../drawing/paragraph.ts'
import { RepresentationProblem } from '../errors.ts'
import type { FlowItem } from './blocks.ts'
import { drawBlocks } from './draw-blocks.ts'
import { flowOf, partsOf, spansOf } from './flow.ts'
import type { Setting } from './setting.ts'
import type { SheetTemplate } from './sheet-template.ts'

/** Sheets that are filled from the top down; a new one begins where something does not fit. */
export class Sheets {
  readonly left: number
  readonly width: number
  /** Top of what comes next. */
  y = 0
  private readonly template: SheetTemplate
  private readonly setting: Setting
  private readonly onPage: (canvas: Canvas) => void

  constructor(template: SheetTemplate, setting: Setting, onPage: (canvas: Canvas) => void) {
    this.template = template
    this.setting = setting
    this.onPage = onPage
    this.left = template.margin.side
    this.width = template.page.width - 2 * template.margin.side
    this.begin()
  }

  get canvas(): Canvas {
    return this.setting.document.pages.at(-1)!
  }

  /** What is left of the sheet. */
  get room(): number {
    return this.template.page.height - this.template.margin.bottom - this.y
  }

  begin(): void {
    const { document } = this.setting
    const isFirst = document.pages.length === 0
    const page = document.addPage(this.template.page)
    this.onPage(page)
    const { background = [], firstSheet = [], margin } = this.template
    drawBlocks(page, isFirst ? [...background, ...firstSheet] : background, this.setting)
    this.y = margin.top
  }

  /** Draws a part that is not divided. */
  put(part: Placeable, x = this.left): void {
    if (part.height > this.room) this.begin()
    if (part.height > this.room) throw new RepresentationProblem('content.too-long', { part: 'a row or paragraph' })
    part.draw(this.canvas, x, this.y)
    this.y += part.height
  }

  skip(height: number): void {
    this.y += Math.min(height, Math.max(0, this.room))
  }

  /** Items on one sheet where they fit on one at all: a date does not stay behind when its signatures go on. */
  together(items: readonly FlowItem[]): void {
    const { page, margin } = this.template
    const { height } = flowOf(items, this.width, 1, this.setting)
    if (height > this.room && height <= page.height - margin.top - margin.bottom) this.begin()
    this.flow(items)
  }

  /** Items one by one, each on one sheet; a text that is longer goes on, line by line. */
  flow(items: readonly FlowItem[]): void {
    for (const item of items) for (const part of partsOf(item, this.width, this.setting)) this.put(part)
  }

  /** The lines at the top and the foot of each sheet, now that their number is known. */
  finish(): void {
    const { pages } = this.setting.document
    pages.forEach((page, at) => {
      const counted = withPages(this.setting, at + 1, pages.length)
      if (at > 0) this.line(page, this.template.running, this.template.margin.top - 7, counted)
      this.line(page, this.template.footer, this.template.page.height - this.template.margin.bottom + 4, counted)
    })
  }

  private line(page: Canvas, text: string, y: number, setting: Setting): void {
    const color = setting.colorOf('quiet')
    const style = { family: 'sans', bold: false, italic: false, smallCaps: false, spacing: 0, size: 7, color } as const
    const paragraph = layOut(setting.document.fonts, spansOf(text, style, setting), this.width, {
      align: 'center',
      leading: 1.2,
    })
    page.line([this.left, y - 0.8], [this.left + this.width, y - 0.8], setting.colorOf('accent'), 0.4)
    paragraph.draw(page, this.left, y)
  }
}

const withPages = (setting: Setting, page: number, pages: number): Setting => ({
  ...setting,
  valueOf: (tag) => ({ pagina: String(page), paginas: String(pages) })[tag] ?? setting.valueOf(tag),
})
