import type { Published } from './contents/degree-tags.ts'
import type { TableView } from './contents/tables.ts'
import type { TagTable } from './contents/tags.ts'
import { PdfADocument } from './document.ts'
import type { DocumentInformation } from './pdf/document-information.ts'
import { drawPreviewMark } from './preview.ts'
import { checkedPublication, type RepresentationInput } from './publication.ts'
import { drawQrCode } from './templates/draw-blocks.ts'
import { drawSection } from './templates/draw-tables.ts'
import { flowOf } from './templates/flow.ts'
import { type Setting, settingOf } from './templates/setting.ts'
import { checkSheetTemplate, type SheetTemplate } from './templates/sheet-template.ts'
import { Sheets } from './templates/sheets.ts'

/** What makes a kind of document of sheets. */
export interface SheetKind<Data> {
  readonly kind: SheetTemplate['kind']
  readonly template: SheetTemplate
  readonly tags: TagTable<Published<Data>>
  readonly tables: Readonly<Record<string, TableView<Data>>>
  readonly about: (data: Data, code: string) => Omit<DocumentInformation, 'madeAt'>
}

/** Draws a document of as many sheets as it needs. */
export function representSheets<Data>(kind: SheetKind<Data>, input: RepresentationInput<Data>): Buffer {
  const template =
    input.template === undefined
      ? kind.template
      : checkSheetTemplate(kind.kind, input.template, Object.keys(kind.tags), kind.tables)
  const publication = checkedPublication(input)
  const document = new PdfADocument()
  const setting = settingOf(
    document,
    template,
    kind.tags,
    { ...input.data, publication },
    {
      url: publication.url,
      signatories: input.signatories ?? [],
    },
  )
  const sheets = new Sheets(template, setting, (page) => {
    if (input.isPreview) drawPreviewMark(page, document)
  })
  sheets.flow(template.head)
  for (const section of template.sections)
    drawSection(sheets, section, kind.tables[section.table]!, input.data, setting)
  sheets.together(template.closing)
  putVerification(sheets, template.verification, setting)
  sheets.finish()
  return document.finish({ ...kind.about(input.data, publication.code), madeAt: input.madeAt })
}

/** The QR code with what is said beside it, in one piece. */
function putVerification(sheets: Sheets, { side, items }: SheetTemplate['verification'], setting: Setting): void {
  const gap = 5
  const text = flowOf(items, sheets.width - side - gap, 1, setting)
  const height = Math.max(side, text.height)
  sheets.skip(5)
  sheets.put({
    height,
    draw: (canvas, x, y) => {
      drawQrCode(canvas, setting, x, y, side)
      text.draw(canvas, x + side + gap, y + (height - text.height) / 2)
    },
  })
}
