import Type, { type Static } from 'typebox'
import type { TableView } from '../contents/tables.ts'
import { alignments } from '../drawing/paragraph.ts'
import { Blocks, common, FlowItem, oneOf, strict } from './blocks.ts'
import { checkShape, invalid, requireKnownNames, requireKnownTags, textsOf, textsOfItem } from './check-template.ts'
import { readRichText, tagsIn } from './rich-text.ts'

const Heading = Type.String({ maxLength: 200 })

const TableColumn = Type.Object(
  {
    column: Type.String({ maxLength: 40, description: 'A column that the table has' }),
    title: Type.Optional(Heading),
    share: Type.Number({ minimum: 1, maximum: 100, description: 'Width relative to the other columns' }),
    align: Type.Optional(oneOf(alignments, 'Default left')),
  },
  strict,
)

const Section = Type.Object(
  {
    title: Heading,
    table: Type.String({ maxLength: 40, description: 'A table that the document has; left out where it is empty' }),
    group: Type.Optional(Type.String({ maxLength: 40, description: 'Gathers rows under headings' })),
    columns: Type.Array(TableColumn, { minItems: 1, maxItems: 12 }),
    size: Type.Optional(Type.Number({ minimum: 5, maximum: 14, description: 'In points; default 7.6' })),
  },
  strict,
)
export type Section = Static<typeof Section>

/** How a document of many rows looks: sheets that are filled from the top down. */
export const SheetTemplate = Type.Object(
  {
    kind: oneOf(['transcript', 'curriculum'], 'What it is for'),
    ...common,
    margin: Type.Object(
      {
        side: Type.Number({ minimum: 5, maximum: 60 }),
        top: Type.Number({ minimum: 5, maximum: 100 }),
        bottom: Type.Number({ minimum: 12, maximum: 100 }),
      },
      strict,
    ),
    background: Type.Optional(Blocks),
    /** On the first sheet only. */
    firstSheet: Type.Optional(Blocks),
    head: Type.Array(FlowItem, { maxItems: 60 }),
    /** At the top of every sheet but the first. */
    running: Type.String({ maxLength: 400 }),
    sections: Type.Array(Section, { maxItems: 20 }),
    closing: Type.Array(FlowItem, { maxItems: 60 }),
    /** Beside the QR code at the end. */
    verification: Type.Object(
      { side: Type.Number({ minimum: 15, maximum: 80 }), items: Type.Array(FlowItem, { maxItems: 20 }) },
      strict,
    ),
    /** At the foot of every sheet; {{pagina}} and {{paginas}} count them. */
    footer: Type.String({ maxLength: 400 }),
  },
  { additionalProperties: false },
)
export type SheetTemplate = Static<typeof SheetTemplate>

/** The two tags that only a footer and a running head know. */
const pageTags = ['pagina', 'paginas'] as const

/** The template, or the problem it has. */
export function checkSheetTemplate(
  kind: SheetTemplate['kind'],
  template: unknown,
  tags: readonly string[],
  tables: Readonly<Record<string, TableView<never>>>,
): SheetTemplate {
  const checked = checkShape(SheetTemplate, template)
  if (checked.kind !== kind) throw invalid(`it is for a ${checked.kind}`)
  const {
    head,
    closing,
    verification,
    running,
    footer,
    background = [],
    firstSheet = [],
    palette,
    pictures = {},
  } = checked
  const items = [...head, ...closing, ...verification.items]
  const blocks = [...background, ...firstSheet]
  requireKnownTags([...items.flatMap(textsOfItem), ...textsOf(blocks)], tags)
  requireKnownTags([running, footer], [...tags, ...pageTags])
  requireKnownNames(blocks, items, palette, pictures)
  for (const section of checked.sections) requireKnownTable(section, tables)
  const shown = [...items.flatMap(textsOfItem), ...textsOf(blocks), footer].flatMap((text) =>
    tagsIn(readRichText(text)),
  )
  if (!shown.includes('codigo')) throw invalid('it does not show {{codigo}}')
  return checked
}

function requireKnownTable(
  { table, columns, group }: Section,
  tables: Readonly<Record<string, TableView<never>>>,
): void {
  const view = tables[table]
  if (!view) throw invalid(`there is no table ${table}; known are ${Object.keys(tables).join(', ')}`)
  const unknown = columns.find(({ column }) => !view.columnNames.includes(column))
  if (unknown)
    throw invalid(`the table ${table} has no column ${unknown.column}; known are ${view.columnNames.join(', ')}`)
  if (group !== undefined && !view.groupNames.includes(group))
    throw invalid(`the table ${table} has no group ${group}; known are ${view.groupNames.join(', ') || 'none'}`)
}
