import type { FormField } from '../pdf/form-fields.ts'
import type { PdfView } from '../pdf/pdf-file.ts'
import { isArray, isDict, isInteger, isString, nameOf, type PdfDict } from '../pdf/pdf-object.ts'
import { decodeText } from '../pdf/text-string.ts'
import { refusePades } from './errors.ts'

/** What a certified document still allows (ISO 32000-2 table 257): nothing, form filling and signing, annotations too. */
export type CertifiedFor = 'no-changes' | 'form-filling' | 'annotations'

const levels: readonly CertifiedFor[] = ['no-changes', 'form-filling', 'annotations']

/** The value of /P for a certification. */
export const certificationLevel = (certified: CertifiedFor): number => levels.indexOf(certified) + 1

/** What the document's certification permits; undefined when it is not certified. */
export function certifiedFor(view: PdfView): CertifiedFor | undefined {
  const permissions = view.resolve(view.catalog().get('Perms'))
  const certification = isDict(permissions) ? view.resolve(permissions.get('DocMDP')) : null
  if (!isDict(certification)) return undefined
  for (const parameters of transformParameters(view, certification, 'DocMDP')) {
    const level = view.resolve(parameters.get('P'))
    // Table 257: 2 when it is not said.
    return (isInteger(level) ? levels[level - 1] : undefined) ?? 'form-filling'
  }
  return undefined
}

/**
 * Refuses a signature that earlier ones forbid, before anything is signed: it would make them invalid. `name` is the
 * field to sign.
 */
export function requireUnlocked(view: PdfView, fields: readonly FormField[], name: string): void {
  if (certifiedFor(view) === 'no-changes')
    throw refusePades('pades.locked', { reason: 'the document is certified without changes' })
  for (const { value, name: lockedBy } of fields) {
    const signature = view.resolve(value)
    if (!isDict(signature)) continue
    for (const parameters of transformParameters(view, signature, 'FieldMDP')) {
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
