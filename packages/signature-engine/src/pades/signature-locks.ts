import type { FormField } from '../pdf/form-fields.ts'
import type { PdfView } from '../pdf/pdf-file.ts'
import { isArray, isDict, isInteger, isString, nameOf, type PdfDict } from '../pdf/pdf-object.ts'
import { decodeText } from '../pdf/text-string.ts'
import { refusePades } from './errors.ts'

/** /P of a DocMDP rule (ISO 32000-2 table 257): 1 only evidence may come, 2 also form filling and signatures, 3 also annotations. */
export type PermissionLevel = 1 | 2 | 3

/** The same in words: what a document still allows after its first signature. */
export type CertifiedFor = 'no-changes' | 'form-filling' | 'annotations'

/** The value of /P for what is still allowed. */
export const permissionLevels = {
  'no-changes': 1,
  'form-filling': 2,
  annotations: 3,
} as const satisfies Record<CertifiedFor, PermissionLevel>

/** What the signatures of a document make of the next one. */
export interface Standing {
  /** Whether nobody signed before, and nobody put a certification into the catalog. */
  readonly isFirst: boolean
  readonly signatures: readonly { readonly name: string; readonly dict: PdfDict }[]
  /** The strictest DocMDP rule in force; nothing when no signature states one. */
  readonly level: PermissionLevel | undefined
}

/** Reads the signatures in these fields, and the rule that they or the catalog's certification state. */
export function standingOf(view: PdfView, fields: readonly FormField[]): Standing {
  const levels: PermissionLevel[] = []
  const signatures: { name: string; dict: PdfDict }[] = []
  for (const { name, value, dict: field } of fields) {
    const dict = view.resolve(value)
    if (!isDict(dict)) continue
    signatures.push({ name, dict })
    levels.push(...docMdpLevels(view, dict), ...lockLevels(view, field))
  }
  const certification = certificationOf(view)
  if (certification) levels.push(...docMdpLevels(view, certification))
  return { isFirst: signatures.length === 0 && !certification, signatures, level: strictest(levels) }
}

/** The signature that the catalog's /Perms calls the document's certification. */
export function certificationOf(view: PdfView): PdfDict | undefined {
  const permissions = view.resolve(view.catalog().get('Perms'))
  const certification = isDict(permissions) ? view.resolve(permissions.get('DocMDP')) : null
  return isDict(certification) ? certification : undefined
}

/** What a signature's own /Reference says by DocMDP, whether or not the catalog knows of it. */
export const docMdpLevels = (view: PdfView, signature: PdfDict): PermissionLevel[] =>
  // Table 257: 2 when it is not said.
  [...transformParameters(view, signature, 'DocMDP')].map((parameters) => levelIn(view, parameters)[0] ?? 2)

/** ISO 32000-2 table 236: the lock of a signed field may also restrict the whole document. */
export function lockLevels(view: PdfView, field: PdfDict): PermissionLevel[] {
  const lock = view.resolve(field.get('Lock'))
  return isDict(lock) ? levelIn(view, lock) : []
}

/** /P of transform parameters or of a field's lock, if it is there; a number nobody knows allows nothing. */
function levelIn(view: PdfView, parameters: PdfDict): PermissionLevel[] {
  const level = view.resolve(parameters.get('P'))
  if (!isInteger(level)) return []
  return level === 2 || level === 3 ? [level] : [1]
}

export const strictest = (levels: readonly PermissionLevel[]): PermissionLevel | undefined =>
  levels.length > 0 ? (Math.min(...levels) as PermissionLevel) : undefined

/**
 * Refuses a signature that earlier ones forbid, before anything is signed: it would make them invalid. `name` is the
 * field to sign.
 */
export function requireUnlocked(view: PdfView, { signatures, level }: Standing, name: string): void {
  if (level === 1) throw refusePades('pades.locked', { reason: 'an earlier signature allows no changes' })
  for (const { name: lockedBy, dict } of signatures) {
    for (const parameters of transformParameters(view, dict, 'FieldMDP')) {
      if (locks(view, parameters, name)) {
        throw refusePades('pades.locked', { reason: `the signature ${lockedBy} locks the field ${name}` })
      }
    }
  }
}

/** Whether the field is among those that a FieldMDP transform locks (ISO 32000-2 table 258). */
export function locks(view: PdfView, parameters: PdfDict, name: string): boolean {
  const action = nameOf(view.resolve(parameters.get('Action')))
  const listed = view.resolve(parameters.get('Fields'))
  const named =
    isArray(listed) &&
    listed.some((entry) => {
      const text = view.resolve(entry)
      // A listed field includes those below it.
      return isString(text) && (decodeText(text) === name || name.startsWith(`${decodeText(text)}.`))
    })
  if (action === 'Include') return named
  if (action === 'Exclude') return !named
  return action === 'All'
}

export function* transformParameters(view: PdfView, signature: PdfDict, method: string): Iterable<PdfDict> {
  const references = view.resolve(signature.get('Reference'))
  if (!isArray(references)) return
  for (const entry of references) {
    const reference = view.resolve(entry)
    if (!isDict(reference) || nameOf(view.resolve(reference.get('TransformMethod'))) !== method) continue
    const parameters = view.resolve(reference.get('TransformParams'))
    yield isDict(parameters) ? parameters : new Map()
  }
}
