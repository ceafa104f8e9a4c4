import { damaged, tooComplex } from './errors.ts'
import { limits } from './limits.ts'
import type { PdfView } from './pdf-file.ts'
import { isArray, isDict, isRef, isString, nameOf, type PdfDict, type PdfObject, type PdfRef } from './pdf-object.ts'
import { decodeText } from './text-string.ts'

/** One terminal form field, with what it inherits. */
export interface FormField {
  /** Undefined when the field is a direct object, which no writer should make. */
  readonly ref: PdfRef | undefined
  readonly dict: PdfDict
  /** Partial names from the root down, joined by dots (ISO 32000-1 §12.7.3.2). */
  readonly name: string
  /** `Sig`, `Tx`, `Btn`, `Ch`; undefined when absent. */
  readonly type: string | undefined
  /** The value as stored, mostly a reference for signatures; null when the field is empty. */
  readonly value: PdfObject
}

/** The interactive form; undefined when the document has none. */
export function interactiveForm(view: PdfView): PdfDict | undefined {
  const form = view.resolve(view.catalog().get('AcroForm'))
  return isDict(form) ? form : undefined
}

/** All terminal fields of the form. A field met twice in the tree is refused: readers would disagree on its name. */
export function formFields(view: PdfView): FormField[] {
  const found: FormField[] = []
  const fields = view.resolve(interactiveForm(view)?.get('Fields'))
  if (isArray(fields))
    walkFields({ view, found, seen: new Set() }, fields, { name: '', type: undefined, value: null }, 0)
  return found
}

/** The signature fields, empty and filled. */
export const signatureFields = (view: PdfView): FormField[] => formFields(view).filter(({ type }) => type === 'Sig')

interface Inherited {
  readonly name: string
  readonly type: string | undefined
  readonly value: PdfObject
}

interface Walk {
  readonly view: PdfView
  readonly found: FormField[]
  readonly seen: Set<number>
}

function walkFields(walk: Walk, fields: readonly PdfObject[], above: Inherited, depth: number): void {
  const { view, found, seen } = walk
  if (depth > limits.treeDepth) throw tooComplex('the form fields are nested too deeply')
  for (const field of fields) {
    const node = view.resolve(field)
    if (!isDict(node)) continue
    if (isRef(field)) {
      if (seen.has(field.num)) throw damaged(0, `form field ${field.num} is met twice`)
      seen.add(field.num)
    }
    if (found.length >= limits.fields) throw tooComplex('too many form fields')
    const own = inherit(view, node, above)
    const kids = view.resolve(node.get('Kids'))
    // Kids without a partial name are widgets of this very field, not fields below it (§12.7.3.1).
    const below = isArray(kids) ? kids.filter((kid) => hasName(view, kid)) : []
    if (below.length > 0) walkFields(walk, below, own, depth + 1)
    else found.push({ ref: isRef(field) ? field : undefined, dict: node, ...own })
  }
}

function inherit(view: PdfView, node: PdfDict, above: Inherited): Inherited {
  const partial = view.resolve(node.get('T'))
  const text = isString(partial) ? decodeText(partial) : undefined
  return {
    name: [above.name, text].filter(Boolean).join('.'),
    type: nameOf(view.resolve(node.get('FT'))) ?? above.type,
    value: node.get('V') ?? above.value,
  }
}

function hasName(view: PdfView, kid: PdfObject): boolean {
  const node = view.resolve(kid)
  return isDict(node) && isString(view.resolve(node.get('T')))
}
