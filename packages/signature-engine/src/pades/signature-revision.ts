import { refusePdf } from '../pdf/errors.ts'
import { type FormField, formFields, interactiveForm } from '../pdf/form-fields.ts'
import { IncrementalUpdate } from '../pdf/incremental-update.ts'
import { writeObject, writeRef, writeText } from '../pdf/object-writer.ts'
import { allPages, findPage, type PdfPage, pageCount } from '../pdf/page-tree.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { dict, isDict, name, type PdfDict, type PdfObject, type PdfRef } from '../pdf/pdf-object.ts'
import { formXObject } from './appearance-form.ts'
import { archivalPart } from './archival-rules.ts'
import { declareExtension, setInCatalog } from './catalog-update.ts'
import type { DrawnAppearance } from './drawn-appearance.ts'
import { refusePades } from './errors.ts'
import { widgetOf } from './field-widgets.ts'
import { fittedTo } from './fitted-pictures.ts'
import { addToForm, SIGNED, updateForm } from './form-update.ts'
import { addAnnotation, addStamp } from './page-annotations.ts'
import { rectangleOn, requireShown } from './page-places.ts'
import { requireTimestampWanted } from './seeded-options.ts'
import {
  byteRangeNumbers,
  type SignatureDictionary,
  type SignatureEntries,
  signatureDictionary,
  signatureReference,
} from './signature-dictionary.ts'
import type { HoledRevision } from './signature-hole.ts'
import { type CertifiedFor, permissionLevels, requireUnlocked, type Standing, standingOf } from './signature-locks.ts'

/** What the first signature of a document says by DocMDP; `unsaid` leaves it to readers. */
export type Permits = CertifiedFor | 'unsaid'

export interface SignatureRevisionOptions {
  readonly type: 'Sig' | 'DocTimeStamp'
  readonly entries: SignatureEntries
  /** Bytes to reserve for the signature. */
  readonly room: number
  readonly fieldName?: string | undefined
  readonly appearance?: DrawnAppearance | undefined
  readonly stamps?: readonly DrawnAppearance[] | undefined
  /** Certifies the document in the catalog, too; refused for a later signature. */
  readonly certify?: CertifiedFor | undefined
  /** What a first signature says may come after it; a later one says nothing. Default `unsaid`. */
  readonly permits?: Permits | undefined
  /** Locks every field and the document: its field says so, and its signature. */
  readonly lockDocument?: boolean | undefined
  /** Names the version of the document. Default: a new one. */
  readonly uuid?: string | undefined
}

// ISO 32000-1 table 165: Print, so that PDF/A allows it; Locked, so that users cannot move it.
const WIDGET_FLAGS = 4 + 128

/**
 * Writes the revision that holds one signature field, its signature dictionary with a gap, and the references to both.
 * The digits of the gap are zeros, or left out: the gap is then only its two brackets.
 */
export function writeSignatureRevision(
  file: PdfFile,
  asked: SignatureRevisionOptions,
  digits: 'zeros' | 'left-out' = 'zeros',
): HoledRevision {
  requireStaticForm(file)
  const options = withFittedPictures(file, asked)
  const fields = formFields(file)
  const target = chooseField(file, fields, options)
  const standing = standingOf(file, fields)
  if (options.type === 'Sig') requireUnlocked(file, standing, target.name)
  else if (target.existing) requireTimestampWanted(file, target.existing)
  if (options.certify && !standing.isFirst) throw refusePades('pades.certification-not-first')

  file.encryption?.requirePermission(target.existing ? 'fill-form' : 'add-field')

  const update = new IncrementalUpdate(file, options.uuid)
  const signature = update.reserve()
  if (target.existing) fillField(file, update, target.existing, signature, options)
  else addField(file, update, target.name, signature, options, standing)
  for (const stamp of options.stamps ?? []) {
    requireAnnotations(standing.isFirst || standing.level === 3)
    file.encryption?.requirePermission('annotate')
    stampOn(update, pagesFor(file, stamp), stamp)
  }
  updateCatalog(file, update, signature, options)
  const references = referencesOf(file, target.existing, options, standing)
  const entries =
    references.length > 0 ? { ...options.entries, Reference: `[${references.join(' ')}]` } : options.entries
  const stored = file.encryption ? storedEntries(update, signature, entries) : entries
  return withHole(file, update, signature, signatureDictionary(options.type, stored, options.room), digits)
}

/** Invisible signatures, which are most, need not know what the document allows of pictures. */
function withFittedPictures(file: PdfFile, options: SignatureRevisionOptions): SignatureRevisionOptions {
  const { appearance, stamps = [] } = options
  if (!appearance && stamps.length === 0) return options
  const fitted = fittedTo(file)
  return { ...options, appearance: appearance && fitted(appearance), stamps: stamps.map(fitted) }
}

const storedEntries = (update: IncrementalUpdate, signature: PdfRef, entries: SignatureEntries): SignatureEntries =>
  Object.fromEntries(Object.entries(entries).map(([key, text]) => [key, update.textFor(signature, text)]))

function withHole(
  file: PdfFile,
  update: IncrementalUpdate,
  signature: PdfRef,
  { before, room, after, numbersAt, holeStart, holeEnd }: SignatureDictionary,
  digits: 'zeros' | 'left-out',
): HoledRevision {
  update.setText(signature, before, 2 * room, after)
  const { appended, fileLength, bodyOffset } = update.finish(digits)
  const body = bodyOffset(signature)
  const at = body - file.source.length
  // The numbers count the digits, even if they are left out.
  appended.write(byteRangeNumbers(body + holeStart, body + holeEnd, fileLength), at + numbersAt, 'latin1')
  return { appended, holeStart: at + holeStart, holeEnd: at + (digits === 'zeros' ? holeEnd : holeStart + 2) }
}

/** The viewer renders a dynamic XFA form from XML: what is signed would not be what is shown. */
function requireStaticForm(file: PdfFile): void {
  if (file.resolve(file.catalog().get('NeedsRendering')) === true && interactiveForm(file)?.has('XFA')) {
    throw refusePdf('pdf.xfa-dynamic')
  }
}

const isSigned = (file: PdfFile, { type, value }: FormField): boolean => type === 'Sig' && isDict(file.resolve(value))

interface Target {
  readonly name: string
  readonly existing?: FormField
}

function chooseField(
  file: PdfFile,
  fields: readonly FormField[],
  { type, fieldName }: SignatureRevisionOptions,
): Target {
  if (fieldName === undefined) return { name: freeName(fields, type === 'Sig' ? 'Signature' : 'Timestamp') }
  const existing = fields.find((field) => field.name === fieldName)
  if (existing) {
    if (existing.type !== 'Sig') throw refusePades('pades.field-not-signature', { field: fieldName })
    if (isSigned(file, existing)) throw refusePades('pades.field-signed', { field: fieldName })
    return { name: fieldName, existing }
  }
  // A full stop separates the levels of the field tree (ISO 32000-1 §12.7.3.2).
  if (fieldName === '' || fieldName.includes('.')) throw refusePades('pades.field-name', { field: fieldName })
  return { name: fieldName }
}

function freeName(fields: readonly FormField[], stem: string): string {
  if (fields.length === 0) return `${stem}1`
  const taken = new Set(fields.map((field) => field.name.split('.')[0]))
  let number = 1
  while (taken.has(`${stem}${number}`)) number++
  return `${stem}${number}`
}

/** Nearly every first signature has one of these: written once. */
const docMdpReferences: Readonly<Record<CertifiedFor, string>> = {
  'no-changes': signatureReference('DocMDP', { P: permissionLevels['no-changes'] }),
  'form-filling': signatureReference('DocMDP', { P: permissionLevels['form-filling'] }),
  annotations: signatureReference('DocMDP', { P: permissionLevels.annotations }),
}

function referencesOf(
  file: PdfFile,
  existing: FormField | undefined,
  { certify, permits = 'unsaid', lockDocument = false }: SignatureRevisionOptions,
  { isFirst }: Standing,
): string[] {
  const references: string[] = []
  const rule = certify ?? permits
  // ISO 32000-2 §12.8.2.2.1: one signature of a document may have the rule, and it is the first.
  if (isFirst && rule !== 'unsaid') references.push(docMdpReferences[rule])
  const own = file.resolve(existing?.dict.get('Lock'))
  const lock = lockDocument && !isDict(own) ? lockOfDocument(null) : own
  // ISO 32000-2 §12.7.5.5: signing a field with a lock dictionary activates the lock.
  if (isDict(lock)) {
    const parameters: Record<string, PdfObject> = { Action: file.resolve(lock.get('Action')) }
    if (lock.has('Fields')) parameters.Fields = file.resolve(lock.get('Fields'))
    references.push(signatureReference('FieldMDP', parameters))
  }
  return references
}

/** ISO 32000-2 table 236: what the field locks already, and that nobody may change the document from then on. */
const lockOfDocument = (own: PdfObject): PdfDict => {
  const kept: PdfDict = isDict(own) ? own : dict({ Type: name('SigFieldLock'), Action: name('All') })
  return new Map([...kept, ['P', permissionLevels['no-changes']]])
}

/** Fills an existing empty signature field. */
function fillField(
  file: PdfFile,
  update: IncrementalUpdate,
  field: FormField,
  signature: PdfRef,
  { appearance, lockDocument }: SignatureRevisionOptions,
): void {
  if (!field.ref) throw refusePades('pades.field-not-signature', { field: field.name })
  update.change(field.ref, field.dict, 'V', signature)
  if (lockDocument)
    update.change(field.ref, field.dict, 'Lock', update.add(lockOfDocument(file.resolve(field.dict.get('Lock')))))
  updateForm(file, update, SIGNED)
  if (!appearance) return
  const widget = widgetOf(file, field)
  const { page, rectangle } = widget ?? {}
  if (!widget || !page || !rectangle) throw refusePades('pades.field-not-shown', { field: field.name })
  requireShown(rectangle, page)
  const form = update.add(formXObject(update, appearance, page.rotate))
  const current = update.resolve(widget.ref)
  const kept = [...(isDict(current) ? current : widget.dict)]
  update.set(widget.ref, new Map([...kept, ['F', WIDGET_FLAGS], ['AP', dict({ N: form })]] as [string, PdfObject][]))
}

/** ISO 19005-1 §6.9 wants an appearance of every field, of an invisible one, too. */
const NOTHING_DRAWN: PdfObject = {
  kind: 'stream',
  dict: dict({ Type: name('XObject'), Subtype: name('Form'), BBox: [0, 0, 0, 0] }),
  raw: new Uint8Array(),
}

/** Adds a field merged with its widget, on its page and in the form. */
function addField(
  file: PdfFile,
  update: IncrementalUpdate,
  fieldName: string,
  signature: PdfRef,
  { appearance, lockDocument }: SignatureRevisionOptions,
  { level }: Standing,
): void {
  const [page, ...further] = pagesFor(file, appearance)
  const field = update.reserve()
  let rect = '[0 0 0 0]'
  let shown = ''
  if (appearance) {
    rect = writeObject(rectangleOn(appearance.place, page!))
    shown = `/AP <</N ${writeRef(update.add(formXObject(update, appearance, page!.rotate)))}>>\n`
    // Where no rule is stated, readers take the picture of a new signature on further pages for a part of it.
    if (further.length > 0) requireAnnotations(level === undefined || level === 3)
    stampOn(update, further, appearance)
  } else if (archivalPart(file) === '1') shown = `/AP <</N ${writeRef(update.add(NOTHING_DRAWN))}>>\n`
  const named = `<</Type /Annot\n/Subtype /Widget\n/FT /Sig\n/T ${writeText(fieldName)}\n/V ${writeRef(signature)}\n`
  const locked = lockDocument ? `/Lock ${writeRef(update.add(lockOfDocument(null)))}\n` : ''
  const placed = `/F ${WIDGET_FLAGS}\n/Rect ${rect}\n/P ${writeRef(page!.ref)}\n${locked}${shown}>>`
  update.setText(field, update.textFor(field, named + placed))
  addAnnotation(update, page!, field)
  addToForm(file, update, [field], SIGNED)
}

function pagesFor(file: PdfFile, appearance: DrawnAppearance | undefined): PdfPage[] {
  const wanted = appearance?.place.page ?? 1
  if (wanted === 'all') return allPages(file)
  return [findPage(file, wanted === 'last' ? Math.max(0, pageCount(file) - 1) : wanted - 1)]
}

/**
 * A picture on further pages, as stamps. ISO 32000-2 §12.7.5.5 allows a signature field one widget only, and a second
 * field with the same signature would look like an attack; stamps of the same revision are signed content.
 */
function stampOn(update: IncrementalUpdate, pages: readonly PdfPage[], appearance: DrawnAppearance): void {
  if (pages.length === 0) return
  const resources = appearance.resources((object) => update.add(object))
  const forms = new Map<number, PdfRef>()
  for (const page of pages) {
    const form = forms.get(page.rotate) ?? update.add(formXObject(update, appearance, page.rotate, resources))
    forms.set(page.rotate, form)
    addStamp(update, page, appearance, form)
  }
}

/** A stamp is an annotation: where earlier signatures allow none, it would make them invalid. */
function requireAnnotations(allowed: boolean): void {
  if (allowed) return
  const reason = 'earlier signatures allow no annotations, so that this one can be shown in one place only'
  throw refusePades('pades.locked', { reason })
}

function updateCatalog(
  file: PdfFile,
  update: IncrementalUpdate,
  signature: PdfRef,
  { certify }: SignatureRevisionOptions,
): void {
  if (certify) {
    const permissions = file.resolve(file.catalog().get('Perms'))
    const others = isDict(permissions) ? [...permissions] : []
    setInCatalog(file, update, 'Perms', new Map<string, PdfObject>([...others, ['DocMDP', signature]]))
  }
  declareExtension(file, update)
}
