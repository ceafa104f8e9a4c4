import type { PDFDocument } from '@cantoo/pdf-lib'
import { plainLines } from '@chancela/service-kernel/text'
import { type ReadingLimits, readingLimits } from '@chancela/signature-engine/pdf'
import { flatten } from './flatten.ts'
import { embedFonts, type Fonts, type PdfLibrary, saved, type Workbench, withDocument } from './pdf-library.ts'

/** Values by full field name, or entries by name; values other than text are written as JSON. */
export type FormValues = Readonly<Record<string, unknown>>

/**
 * The document with its form filled and flattened, and entries added to its information dictionary. Names the form does
 * not have are ignored, as one set of values serves many forms.
 */
export const fillForm = (
  pdf: Uint8Array,
  fields: FormValues,
  metadata: FormValues = {},
  within: ReadingLimits = readingLimits,
): Promise<Buffer> =>
  withDocument(pdf, within, async (bench) => {
    if (Object.keys(fields).length > 0) {
      await fillFields(bench, fields)
      await flatten(bench)
    }
    addMetadata(bench, metadata)
    return saved(bench)
  })

type FormField = ReturnType<ReturnType<PDFDocument['getForm']>['getFields']>[number]

async function fillFields(bench: Workbench, values: FormValues): Promise<void> {
  const { library, document } = bench
  const form = document.catalog.lookupMaybe(library.PDFName.of('AcroForm'), library.PDFDict)
  if (!form) return
  form.delete(library.PDFName.of('XFA'))
  const fonts = await embedFonts(bench)
  for (const field of document.getForm().getFields()) {
    const name = field.getName()
    if (Object.hasOwn(values, name)) fillField(library, field, values[name], fonts)
  }
}

const OFF: ReadonlySet<string> = new Set(['', 'false', '0', 'off', 'no', 'não', 'nao'])

function fillField(library: PdfLibrary, field: FormField, value: unknown, { regular }: Fonts): void {
  const text = textOf(value)
  if (field instanceof library.PDFTextField) {
    // A value longer than the field's limit is shown in full rather than cut.
    if (text.length > (field.getMaxLength() ?? text.length)) field.removeMaxLength()
    field.setText(text)
    field.updateAppearances(regular)
  } else if (field instanceof library.PDFCheckBox) {
    if (OFF.has(text.toLowerCase())) field.uncheck()
    else field.check()
  } else if (field instanceof library.PDFRadioGroup) {
    if (field.getOptions().includes(text)) field.select(text)
  } else if (field instanceof library.PDFDropdown || field instanceof library.PDFOptionList) {
    if (!field.getOptions().includes(text)) field.addOptions(text)
    field.select(text)
    field.updateAppearances(regular)
  }
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return plainLines(typeof value === 'string' ? value : JSON.stringify(value))
}

function addMetadata(
  { library: { PDFDict, PDFName, PDFHexString }, document: { context } }: Workbench,
  entries: FormValues,
): void {
  if (Object.keys(entries).length === 0) return
  const known = context.lookup(context.trailerInfo.Info)
  const info = known instanceof PDFDict ? known : context.obj({})
  for (const [name, value] of Object.entries(entries))
    info.set(PDFName.of(nameBytes(name)), PDFHexString.fromText(textOf(value)))
  if (info !== known) context.trailerInfo.Info = context.register(info)
}

// Names are UTF-8 (ISO 32000-1 §7.3.5); the library writes one byte a character.
const nameBytes = (name: string): string => Buffer.from(name.replaceAll('\0', ''), 'utf8').toString('latin1')
