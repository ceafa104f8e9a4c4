import type { TableGroup, TableView } from '../contents/tables.ts'
import type { TextStyle } from '../drawing/canvas.ts'
import { tint } from '../drawing/colors.ts'
import { layOut, type Paragraph, type Placeable } from '../drawing/paragraph.ts'
import type { Setting } from './setting.ts'
import type { Section } from './sheet-template.ts'
import type { Sheets } from './sheets.ts'

const PADDING = { x: 1.2, y: 0.7 } as const

/** A table under its title. Where it goes on on another sheet, title and headings stand there again. */
export function drawSection<Data>(
  sheets: Sheets,
  section: Section,
  view: TableView<Data>,
  data: Data,
  setting: Setting,
): void {
  const groups = view.gathered(
    data,
    section.columns.map(({ column }) => column),
    section.group,
  )
  if (groups.length === 0) return
  const table = new TableDrawing(sheets, section, view, setting)
  sheets.skip(4)
  table.begin(false)
  for (const group of groups) table.group(group)
}

class TableDrawing {
  private readonly sheets: Sheets
  private readonly section: Section
  private readonly setting: Setting
  private readonly titles: readonly string[]
  private readonly widths: readonly number[]
  private count = 0

  constructor(sheets: Sheets, section: Section, view: TableView<never>, setting: Setting) {
    this.sheets = sheets
    this.section = section
    this.setting = setting
    const total = section.columns.reduce((sum, { share }) => sum + share, 0)
    this.widths = section.columns.map(({ share }) => (sheets.width * share) / total)
    this.titles = section.columns.map(({ column, title }) => title ?? view.label(column))
  }

  /** Title and headings; never at the foot of a sheet without a row. */
  begin(isContinued: boolean): void {
    const title = this.paragraph(
      `${this.section.title}${isContinued ? ' (continuação)' : ''}`,
      this.sheets.width,
      this.look({
        family: 'serif',
        bold: true,
        smallCaps: true,
        spacing: 20,
        size: 12,
        color: this.setting.colorOf('primary'),
      }),
    )
    const heading = this.row(this.titles, this.look({ bold: true, color: '#ffffff' }), this.setting.colorOf('primary'))
    if (title.height + heading.height + 12 > this.sheets.room) this.sheets.begin()
    this.sheets.put(title)
    this.sheets.skip(0.8)
    this.sheets.put(heading)
    this.count = 0
  }

  group({ heading, rows }: TableGroup): void {
    if (heading !== undefined) this.heading(heading)
    for (const row of rows)
      this.put(this.row(row, this.look({}), this.count++ % 2 === 1 ? this.shade(0.05) : undefined))
  }

  /** The name of a group stays with its first row. */
  private heading(text: string): void {
    const part = this.row([text], this.look({ bold: true, color: this.setting.colorOf('primary') }), this.shade(0.12), [
      this.sheets.width,
    ])
    if (part.height + 6 > this.sheets.room) this.next()
    this.put(part)
    this.count = 0
  }

  private put(part: Placeable): void {
    if (part.height > this.sheets.room) this.next()
    this.sheets.put(part)
  }

  private next(): void {
    this.sheets.begin()
    this.begin(true)
  }

  private shade(share: number): string {
    return tint(this.setting.colorOf('primary'), share)
  }

  private look(change: Partial<TextStyle>): TextStyle {
    const { size = 7.6 } = this.section
    return {
      family: 'sans',
      bold: false,
      italic: false,
      smallCaps: false,
      spacing: 0,
      size,
      color: this.setting.colorOf('text'),
      ...change,
    }
  }

  private row(
    cells: readonly string[],
    style: TextStyle,
    background: string | undefined,
    widths = this.widths,
  ): Placeable {
    const parts = cells.map((cell, at) => this.paragraph(cell, widths[at]! - 2 * PADDING.x, style, at))
    const height = Math.max(style.size * 0.45, ...parts.map((part) => part.height)) + 2 * PADDING.y
    const { left, width } = this.sheets
    return {
      height,
      draw: (canvas, _, y) => {
        if (background) canvas.rectangle({ x: left, y, width, height }, background)
        let x = left
        parts.forEach((part, at) => {
          part.draw(canvas, x + PADDING.x, y + PADDING.y)
          x += widths[at]!
        })
        canvas.line([left, y + height], [left + width, y + height], this.shade(0.25), 0.25)
      },
    }
  }

  private paragraph(text: string, width: number, style: TextStyle, column?: number): Paragraph {
    const align = (column !== undefined && this.section.columns[column]?.align) || 'left'
    return layOut(this.setting.document.fonts, text ? [{ text, style }] : [], width, { align, leading: 1.15 })
  }
}
