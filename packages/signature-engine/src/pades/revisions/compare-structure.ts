import type { PdfView } from '../../pdf/pdf-file.ts'
import { isArray, isDict, nameOf, type PdfDict, type PdfObject } from '../../pdf/pdf-object.ts'
import { changedKeys, sameValue } from '../../pdf/same-value.ts'
import type { NewSignatures } from './compare-forms.ts'
import { asArray, asDict, type Comparison } from './comparison.ts'

/** Entries of the structure tree that grow when an element is added (ISO 32000-1 tables 37, 322 and 323). */
const GROWING: ReadonlySet<string> = new Set(['K', 'Nums'])
const FOLLOWING: ReadonlySet<string> = new Set(['ParentTreeNextKey', 'Limits'])

/**
 * The logical structure of a tagged document. A writer that adds a signature field also adds an element that leads
 * assistive technology to it; the structure of anything else must stay.
 */
export function compareStructure(step: Comparison, { widgets }: NewSignatures): void {
  if (widgets.size === 0) return
  let grown = false
  for (const [num, { old, now }] of step.changed) {
    if (step.isExplained(num) || !(isGrownElement(step, old, now) || isGrownList(step, num, old, now))) continue
    step.explain(num)
    grown = true
  }
  if (!grown) return
  step.say({
    kind: 'form-structure',
    needs: 2,
    code: 'pdf.not-permitted-change',
    description: 'the structure of the document gets an element for the new field',
  })
}

function isGrownElement(step: Comparison, old: PdfObject, now: PdfObject): boolean {
  if (!isDict(old) || !isDict(now) || !isStructure(old)) return false
  return changedKeys(old, now).every((key) => {
    const [before, after] = [step.before.resolve(old.get(key)), step.after.resolve(now.get(key))]
    if (key === 'ParentTree') return isGrownTree(step, asDict(before), asDict(after))
    return FOLLOWING.has(key) || (GROWING.has(key) && contains(after, before))
  })
}

/** A rewritten tree, with all its old numbers; its targets are elements, which are compared themselves. */
function isGrownTree(step: Comparison, old: PdfDict, now: PdfDict): boolean {
  const numbers = (view: PdfView, tree: PdfDict) =>
    asArray(view.resolve(tree.get('Nums'))).filter((_, position) => position % 2 === 0)
  return old.has('Nums') && contains(numbers(step.after, now), numbers(step.before, old))
}

/** The root, an element, or a leaf of the tree that maps content back to elements. */
function isStructure(dict: PdfDict): boolean {
  const type = nameOf(dict.get('Type'))
  return type === 'StructTreeRoot' || type === 'StructElem' || dict.has('Nums')
}

function isGrownList(step: Comparison, num: number, old: PdfObject, now: PdfObject): boolean {
  const referrers = step.graph.referrersOf(num)
  return isArray(old) && contains(now, old) && referrers.length > 0 && referrers.every(({ key }) => GROWING.has(key))
}

/** Whether everything of the old value is in the new list, in the same order. */
function contains(now: PdfObject | undefined, old: PdfObject | undefined): boolean {
  const elements = isArray(old) ? old : old === undefined || old === null ? [] : [old]
  let at = 0
  for (const element of isArray(now) ? now : []) {
    if (at < elements.length && sameValue(element, elements[at]!)) at++
  }
  return at === elements.length
}
