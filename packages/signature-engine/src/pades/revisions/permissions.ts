import type { PdfView } from '../../pdf/pdf-file.ts'
import { isDict, isInteger, type PdfDict } from '../../pdf/pdf-object.ts'
import { locks, transformParameters } from '../signature-locks.ts'

/** Permitted changes (ISO 32000-2 table 257): 1 evidence, 2 also form fields and signatures, 3 also annotations. */
export type PermissionLevel = 1 | 2 | 3

/** The changes a signature permits after it. */
export interface Permissions {
  readonly level: PermissionLevel
  /** Whether the field's value must stay. */
  locked(field: string): boolean
}

/**
 * Without a certification: only filling in and signing existing fields. Readers differ on comments; a signature without
 * a statement about comments does not cover them.
 */
const UNCERTIFIED: PermissionLevel = 2

/** Reads what a signature, its field and the document's certification permit, in its own revision. */
export function permissionsOf(view: PdfView, signature: PdfDict, field: PdfDict | undefined): Permissions {
  const lock = view.resolve(field?.get('Lock'))
  const certification = view.resolve(permissionsDict(view)?.get('DocMDP'))
  const stated = [
    ...docMdpLevels(view, signature),
    ...(isDict(certification) ? docMdpLevels(view, certification) : []),
    // ISO 32000-2 table 236: a lock may also restrict the whole document.
    ...(isDict(lock) ? levelIn(view, lock) : []),
  ]
  const fieldLocks = [...transformParameters(view, signature, 'FieldMDP'), ...(isDict(lock) ? [lock] : [])]
  return {
    level: stated.length > 0 ? (Math.min(...stated) as PermissionLevel) : UNCERTIFIED,
    locked: (name) => fieldLocks.some((parameters) => locks(view, parameters, name)),
  }
}

function permissionsDict(view: PdfView): PdfDict | undefined {
  const permissions = view.resolve(view.catalog().get('Perms'))
  return isDict(permissions) ? permissions : undefined
}

const docMdpLevels = (view: PdfView, signature: PdfDict): PermissionLevel[] =>
  // Table 257: 2 when it is not said.
  [...transformParameters(view, signature, 'DocMDP')].map((parameters) => levelIn(view, parameters)[0] ?? 2)

function levelIn(view: PdfView, parameters: PdfDict): PermissionLevel[] {
  const level = view.resolve(parameters.get('P'))
  if (!isInteger(level)) return []
  return level === 2 || level === 3 ? [level] : [1]
}
