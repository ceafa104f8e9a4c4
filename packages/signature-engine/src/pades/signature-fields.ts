// Signature fields for others to sign: made empty, with what they lock and what they ask for.
import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { type FormField, formFields, signatureFields } from '../pdf/form-fields.ts'
import { IncrementalUpdate } from '../pdf/incremental-update.ts'
import { findPage, type PdfPage, pageCount } from '../pdf/page-tree.ts'
import { openPdf, type PdfFile, type PdfPassword } from '../pdf/pdf-file.ts'
import {
  dict,
  isArray,
  isDict,
  isInteger,
  isString,
  name,
  nameOf,
  type PdfDict,
  type PdfObject,
  type PdfRef,
} from '../pdf/pdf-object.ts'
import { decodeText, textString } from '../pdf/text-string.ts'
import { archivalPart } from './archival-rules.ts'
import type { AppearancePlace } from './drawn-appearance.ts'
import { refusePades } from './errors.ts'
import { widgetOf } from './field-widgets.ts'
import { addToForm } from './form-update.ts'
import { addAnnotation } from './page-annotations.ts'
import { placeOn, rectangleOn } from './page-places.ts'
import { readSeedValue, type SeedValue, writeSeedValue } from './seed-value.ts'
import { type CertifiedFor, permissionLevels, requireUnlocked, standingOf } from './signature-locks.ts'

/** A signature field to be made. */
export interface NewSignatureField {
  readonly name: string
  /** Where its signature will be shown. Default: on the first page, invisibly. */
  readonly place?: Omit<AppearancePlace, 'page'> & { readonly page?: number | 'last' }
  /** What a reader calls it. */
  readonly tooltip?: string
  readonly lock?: FieldLock
  readonly seedValue?: SeedValue
}

/** What the signature in a field locks (ISO 32000-2 table 236). */
export interface FieldLock {
  /** Every field; those that are listed; all others. */
  readonly action: 'all' | 'include' | 'exclude'
  readonly fields?: readonly string[]
  /** What the document allows from then on. */
  readonly permits?: CertifiedFor
}

export interface AddFieldsOptions extends PdfPassword {
  /** Names the version of the document: the same gives the same bytes. Default: a new one. */
  readonly uuid?: string
}

/** A signature field that is there. */
export interface SignatureFieldSummary {
  readonly name: string
  readonly isSigned: boolean
  /** From 1; undefined where the field is on no page. */
  readonly page: number | undefined
  /** In points from the lower left corner, as the reader sees the page; undefined for an invisible one. */
  readonly place: Pick<AppearancePlace, 'x' | 'y' | 'width' | 'height'> | undefined
  readonly lock: FieldLock | undefined
  readonly seedValue: SeedValue | undefined
  /** An entry that its seed values require, and nobody here understands: it cannot be signed. */
  readonly unsupported: string | undefined
}

/** Adds empty signature fields as an update, where the signatures that are there allow it. */
export function addSignatureFields(
  document: Uint8Array,
  fields: readonly NewSignatureField[],
  options: AddFieldsOptions = {},
): Buffer {
  requireArguments('addSignatureFields', { document: [document, 'bytes'], fields: [fields, 'list'] }, options)
  const file = openPdf(document, options)
  requireAddable(file, fields)
  const update = new IncrementalUpdate(file, options.uuid)
  addToForm(
    file,
    update,
    fields.map((field) => addField(file, update, field)),
    0,
  )
  return Buffer.concat([file.bytes, update.finish().appended])
}

function requireAddable(file: PdfFile, fields: readonly NewSignatureField[]): void {
  const known = formFields(file)
  const standing = standingOf(file, known)
  // A name is taken also by the fields below it.
  const taken = new Set(known.flatMap(({ name: full }) => [full, full.split('.')[0]!]))
  for (const { name: field } of fields) {
    if (field === '' || field.includes('.')) throw refusePades('pades.field-name', { field })
    if (taken.has(field)) throw refusePades('pades.field-exists', { field })
    taken.add(field)
    requireUnlocked(file, standing, field)
  }
  file.encryption?.requirePermission('add-field')
}

/** ISO 32000-1 table 165: Print, so that PDF/A allows it. */
const PRINT = 4

function addField(file: PdfFile, update: IncrementalUpdate, field: NewSignatureField): PdfRef {
  const { place, tooltip, lock, seedValue } = field
  const page = pageOf(file, place?.page ?? 1)
  const rectangle = place ? rectangleOn(place, page) : [0, 0, 0, 0]
  const entries: Record<string, PdfObject> = {
    Type: name('Annot'),
    Subtype: name('Widget'),
    FT: name('Sig'),
    T: textString(field.name),
    F: PRINT,
    Rect: [...rectangle],
    P: page.ref,
  }
  if (tooltip !== undefined) entries.TU = textString(tooltip)
  if (lock) entries.Lock = update.add(writeLock(lock))
  if (seedValue) entries.SV = update.add(writeSeedValue(seedValue))
  // ISO 19005-1 §6.9 wants an appearance of every field, of an empty one, too.
  if (archivalPart(file) === '1') entries.AP = dict({ N: update.add(nothingDrawn(place)) })
  const widget = update.add(dict(entries))
  addAnnotation(update, page, widget)
  return widget
}

function pageOf(file: PdfFile, page: number | 'last'): PdfPage {
  return findPage(file, page === 'last' ? Math.max(0, pageCount(file) - 1) : page - 1)
}

const nothingDrawn = (
  { width, height }: Pick<AppearancePlace, 'width' | 'height'> = { width: 0, height: 0 },
): PdfObject => ({
  kind: 'stream',
  dict: dict({ Type: name('XObject'), Subtype: name('Form'), BBox: [0, 0, width, height] }),
  raw: new Uint8Array(),
})

const actions = { all: 'All', include: 'Include', exclude: 'Exclude' } as const

function writeLock({ action, fields = [], permits }: FieldLock): PdfDict {
  const lock: Record<string, PdfObject> = { Type: name('SigFieldLock'), Action: name(actions[action]) }
  if (action !== 'all') lock.Fields = fields.map(textString)
  if (permits) lock.P = permissionLevels[permits]
  return dict(lock)
}

/** The signature fields of a document, empty and signed. */
export function listSignatureFields(document: Uint8Array, options: PdfPassword = {}): SignatureFieldSummary[] {
  requireArguments('listSignatureFields', { document: [document, 'bytes'] }, options)
  const file = openPdf(document, options)
  return signatureFields(file).map((field) => {
    const { page, rectangle } = widgetOf(file, field) ?? {}
    return {
      name: field.name,
      isSigned: isDict(file.resolve(field.value)),
      page: page && page.index + 1,
      place: page && rectangle && placeOn(rectangle, page),
      lock: lockOf(file, field),
      ...seedOf(file, field),
    }
  })
}

function seedOf(file: PdfFile, { dict: field, name: fieldName }: FormField) {
  try {
    return { seedValue: readSeedValue(file, field, fieldName), unsupported: undefined }
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return { seedValue: undefined, unsupported: String(error.details?.entry) }
  }
}

const levels = Object.keys(permissionLevels) as CertifiedFor[]

function lockOf(file: PdfFile, { dict: field }: FormField): FieldLock | undefined {
  const lock = file.resolve(field.get('Lock'))
  if (!isDict(lock)) return undefined
  const named = nameOf(file.resolve(lock.get('Action')))
  const [action] = Object.entries(actions).find(([, one]) => one === named) ?? ['all']
  const listed = file.resolve(lock.get('Fields'))
  const fields = isArray(listed)
    ? listed.map((one) => file.resolve(one)).flatMap((one) => (isString(one) ? [decodeText(one)] : []))
    : undefined
  const level = file.resolve(lock.get('P'))
  const permits = isInteger(level) ? levels.find((one) => permissionLevels[one] === level) : undefined
  return { action: action as FieldLock['action'], ...(fields && { fields }), ...(permits && { permits }) }
}
