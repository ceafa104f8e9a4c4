// The interactive form of a document, with new fields or signatures.
import { interactiveForm } from '../pdf/form-fields.ts'
import type { IncrementalUpdate } from '../pdf/incremental-update.ts'
import type { PdfFile } from '../pdf/pdf-file.ts'
import { isArray, isDict, isInteger, isRef, type PdfDict, type PdfObject, type PdfRef } from '../pdf/pdf-object.ts'
import { setInCatalog } from './catalog-update.ts'

/** SignaturesExist and AppendOnly (ISO 32000-1 table 219). */
export const SIGNED = 3
const EMPTY = 0

/** The form may also be absent, inside the catalog or an indirect object, and so may its list of fields. */
export function addToForm(
  file: PdfFile,
  update: IncrementalUpdate,
  added: readonly PdfRef[],
  flags: typeof SIGNED | typeof EMPTY,
): void {
  const stored = interactiveForm(file)?.get('Fields')
  const fields = file.resolve(stored)
  const extended = [...(isArray(fields) ? fields : []), ...added]
  const inPlace = isRef(stored) && isArray(fields)
  if (inPlace) update.set(stored, extended)
  updateForm(file, update, flags, inPlace ? undefined : extended)
}

const NO_FORM: PdfDict = new Map()

/** Rewrites the form with new fields, if given, and with the flags for existing signatures. */
export function updateForm(
  file: PdfFile,
  update: IncrementalUpdate,
  added: typeof SIGNED | typeof EMPTY,
  fields?: readonly PdfObject[],
): void {
  const form = interactiveForm(file) ?? NO_FORM
  const stored = file.resolve(form.get('SigFlags'))
  const flags = isInteger(stored) ? stored : 0
  const changes = new Map<string, PdfObject>()
  if ((flags | added) !== flags) changes.set('SigFlags', flags | added)
  if (fields) changes.set('Fields', fields)
  if (changes.size > 0) changeForm(file, update, form, changes)
}

function changeForm(file: PdfFile, update: IncrementalUpdate, form: PdfDict, changes: PdfDict): void {
  const stored = file.catalog().get('AcroForm')
  if (isRef(stored) && isDict(file.resolve(stored))) {
    for (const [key, value] of changes) update.change(stored, form, key, value)
    return
  }
  const changed: PdfDict = new Map([...form, ...changes])
  setInCatalog(file, update, 'AcroForm', isDict(stored) ? changed : update.add(changed))
}
