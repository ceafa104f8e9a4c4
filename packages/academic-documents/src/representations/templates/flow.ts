import type { TextStyle } from '../drawing/canvas.ts'
import { type Alignment, layOut, type Paragraph, type Placeable, type Span, stacked } from '../drawing/paragraph.ts'
import type { DividerItem, FieldsItem, FlowItem, SignaturesItem, TextItem } from './blocks.ts'
import { filledIn, readRichText } from './rich-text.ts'
import type { Setting } from './setting.ts'

/** Items as they stand below each other in this width; `scale` makes letters and room smaller. */
export const flowOf = (items: readonly FlowItem[], width: number, scale: number, setting: Setting): Placeable =>
  stacked(
    items
      .filter(({ when }) => when === undefined || setting.valueOf(when) !== undefined)
      .map((item) => itemOf(item, width, scale, setting))
      .filter((part) => part !== undefined),
  )

function itemOf(item: FlowItem, width: number, scale: number, setting: Setting): Placeable | undefined {
  const part = partOf(item, width, scale, setting)
  return part && below(part, (item.before ?? 0) * scale)
}

/** The same item for a sheet that may end within it: a text by its lines, anything else in one piece. */
export function partsOf(item: FlowItem, width: number, setting: Setting): readonly Placeable[] {
  if (item.when !== undefined && setting.valueOf(item.when) === undefined) return []
  const room: Placeable = { height: item.before ?? 0, draw: () => {} }
  if (item.kind === 'text') return [room, ...(textPart(item, width, 1, setting)?.lines ?? [])]
  const part = partOf(item, width, 1, setting)
  return part ? [room, part] : []
}

const below = (part: Placeable, room: number): Placeable => ({
  height: part.height + room,
  draw: (canvas, x, y) => part.draw(canvas, x, y + room),
})

function partOf(item: FlowItem, width: number, scale: number, setting: Setting): Placeable | undefined {
  if (item.kind === 'text') return textPart(item, width, scale, setting)
  if (item.kind === 'divider') return dividerPart(item, width, scale, setting)
  if (item.kind === 'fields') return fieldsPart(item, width, scale, setting)
  return signaturesPart(item, width, scale, setting)
}

type Look = Pick<TextItem, 'font' | 'size' | 'bold' | 'italic' | 'smallCaps' | 'spacing' | 'color'>

/** The style of an item's letters. */
const styleOf = (look: Look, scale: number, setting: Setting): TextStyle => ({
  family: look.font ?? 'serif',
  bold: look.bold ?? false,
  italic: look.italic ?? false,
  smallCaps: look.smallCaps ?? false,
  spacing: look.spacing ?? 0,
  size: (look.size ?? 11) * scale,
  color: setting.colorOf(look.color),
})

/** A text of the template for this document; each of its lines by itself. */
export function spansOf(text: string, style: TextStyle, setting: Setting): Span[] {
  return filledIn(readRichText(text), setting.valueOf).map((part) => ({
    text: part.text,
    style: { ...style, bold: style.bold || part.bold, italic: style.italic || part.italic },
  }))
}

const isEmpty = (spans: readonly Span[]): boolean => spans.every(({ text }) => text.trim() === '')

interface TextPart extends Placeable {
  readonly lines: readonly Placeable[]
}

function textPart(item: TextItem, width: number, scale: number, setting: Setting): TextPart | undefined {
  const style = styleOf(item, scale, setting)
  const room = Math.min(item.width ?? width, width)
  const spans = spansOf(item.text, style, setting)
  if (isEmpty(spans)) return undefined
  const { align = 'left', leading = 1.25 } = item
  const paragraph = layOut(setting.document.fonts, spans, room, { align, leading })
  const centred = (part: Placeable): Placeable => ({
    height: part.height,
    draw: (canvas, x, y) => part.draw(canvas, x + (width - room) / 2, y),
  })
  return { ...centred(paragraph), lines: paragraph.lines.map(centred) }
}

const ORNAMENT = 2.4

function dividerPart(item: DividerItem, width: number, scale: number, setting: Setting): Placeable {
  const room = Math.min(item.width ?? width, width)
  const color = setting.colorOf(item.color)
  const height = (item.style === 'ornament' ? ORNAMENT : 0.3) * scale
  return {
    height,
    draw: (canvas, x, y) => {
      const [left, right, middle] = [x + (width - room) / 2, x + (width + room) / 2, y + height / 2]
      if (item.style !== 'ornament') return canvas.line([left, middle], [right, middle], color, 0.5)
      const [center, half] = [(left + right) / 2, height / 2]
      canvas.line([left, middle], [center - 2 * half, middle], color, 0.5)
      canvas.line([center + 2 * half, middle], [right, middle], color, 0.5)
      canvas.diamond([center, middle], half, color)
      for (const side of [-1, 1]) canvas.diamond([center + side * 1.55 * half, middle], half / 3, color)
    },
  }
}

/** Labels in small letters above their values, in columns that are filled row by row. */
function fieldsPart(item: FieldsItem, width: number, scale: number, setting: Setting): Placeable | undefined {
  const { columns = 1 } = item
  const gap = 4 * scale
  const column = (width - gap * (columns - 1)) / columns
  const rows: { readonly part: Placeable; readonly at: number; readonly span: number }[][] = [[]]
  let used = 0
  for (const row of item.rows) {
    const span = Math.min(row.span ?? 1, columns)
    const part = fieldPart(row, item, column * span + gap * (span - 1), scale, setting)
    if (!part) continue
    if (used + span > columns) {
      rows.push([])
      used = 0
    }
    rows.at(-1)!.push({ part, at: used * (column + gap), span })
    used += span
  }
  if (rows[0]!.length === 0) return undefined
  return stacked(rows.map((cells, at) => below(sideBySide(cells), at === 0 ? 0 : 1.6 * scale)))
}

const sideBySide = (cells: readonly { readonly part: Placeable; readonly at: number }[]): Placeable => ({
  height: Math.max(...cells.map(({ part }) => part.height)),
  draw: (canvas, x, y) => {
    for (const { part, at } of cells) part.draw(canvas, x + at, y)
  },
})

type Field = FieldsItem['rows'][number]

function fieldPart({ label, value }: Field, item: FieldsItem, width: number, scale: number, setting: Setting) {
  const style = styleOf(item, scale, setting)
  const values = spansOf(value, style, setting)
  if (isEmpty(values)) return undefined
  const labelStyle: TextStyle = {
    ...style,
    size: style.size * 0.74,
    color: setting.colorOf(item.labelColor ?? item.color),
  }
  const lay = (spans: readonly Span[], leading: number): Paragraph =>
    layOut(setting.document.fonts, spans, width, { align: 'left', leading })
  return stacked([lay(spansOf(label, labelStyle, setting), 1.2), lay(values, 1.18)])
}

function signaturesPart(item: SignaturesItem, width: number, scale: number, setting: Setting): Placeable | undefined {
  const { signatories } = setting
  if (signatories.length === 0) return undefined
  const columns = Math.min(item.columns ?? signatories.length, signatories.length)
  const rows = Array.from({ length: Math.ceil(signatories.length / columns) }, (_, row) =>
    signatories.slice(row * columns, (row + 1) * columns),
  )
  return stacked(
    rows.map((people) =>
      sideBySide(
        people.map((person, at) => ({
          part: signatureLine(person, item, width / people.length, scale, setting),
          at: (at * width) / people.length,
        })),
      ),
    ),
  )
}

function signatureLine(
  { name, role }: Setting['signatories'][number],
  item: SignaturesItem,
  width: number,
  scale: number,
  setting: Setting,
): Placeable {
  const style = styleOf(item, scale, setting)
  const inner = width * 0.84
  const lay = (spans: readonly Span[], align: Alignment = 'center') =>
    layOut(setting.document.fonts, spans, inner, { align, leading: 1.2 })
  const note = lay(item.note ? spansOf(item.note, { ...style, size: style.size * 0.78, italic: true }, setting) : [])
  const names = stacked([
    lay([{ text: name, style: { ...style, bold: true } }]),
    lay([{ text: role, style: { ...style, size: style.size * 0.9 } }]),
  ])
  const room = Math.max((item.room ?? 10) * scale, note.height)
  return {
    height: room + 0.8 * scale + names.height,
    draw: (canvas, x, y) => {
      const left = x + (width - inner) / 2
      note.draw(canvas, left, y + room - note.height - 0.4 * scale)
      canvas.line([left, y + room], [left + inner, y + room], style.color, 0.5)
      names.draw(canvas, left, y + room + 0.8 * scale)
    },
  }
}
