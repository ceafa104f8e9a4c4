import type { PdfView } from '../../pdf/pdf-file.ts'
import { isArray, isDict, isRef, isStream, nameOf, type PdfDict, type PdfObject } from '../../pdf/pdf-object.ts'
import { sameValue } from '../../pdf/same-value.ts'
import { appearanceObjects, normalAppearance } from './appearance-objects.ts'
import type { NewSignatures } from './compare-forms.ts'
import { asArray, type Change, type Comparison, numberOf } from './comparison.ts'

/** Annotations that are no comments: they hide content, play media or imitate fields. */
const NO_COMMENT: ReadonlySet<string> = new Set([
  'Redact',
  'Widget',
  'Watermark',
  'Screen',
  'Movie',
  'RichMedia',
  '3D',
  'TrapNet',
  'PrinterMark',
])

const content = (description: string, code: Change['code']): Change => ({
  kind: 'content',
  needs: 'never',
  code,
  description,
})

/** The effect of a changed page entry; any other changes what the page shows. */
const pageEntries: Readonly<Record<string, Change | undefined>> = {
  // Compared one by one below.
  Annots: undefined,
  // The tab order; shows nothing.
  Tabs: undefined,
  Parent: { kind: 'pages', needs: 'never', code: 'pdf.pages-changed', description: 'a page is moved' },
}

/** Compares pages: only their list of annotations may change, and only as far as allowed. */
export function comparePages(step: Comparison, signatures: NewSignatures): void {
  for (const [num, { old, now }] of step.changed) {
    if (isPage(old)) comparePage(step, num, old, now, signatures)
    else if (isPageTreeNode(old)) compareTreeNode(step, num, old, now)
  }
  compareSharedLists(step, signatures)
  for (const [num, { old, now }] of step.changed) compareAnnotation(step, num, old, now)
}

const typeOf = (value: PdfObject): string | undefined => (isDict(value) ? nameOf(value.get('Type')) : undefined)
const isPage = (value: PdfObject): value is PdfDict => typeOf(value) === 'Page'
const isPageTreeNode = (value: PdfObject): value is PdfDict => typeOf(value) === 'Pages'

function comparePage(step: Comparison, num: number, old: PdfDict, now: PdfObject, signatures: NewSignatures): void {
  step.explain(num)
  if (!step.graph.isReachable(num)) return
  if (!isPage(now)) {
    step.say({ kind: 'pages', needs: 'never', code: 'pdf.pages-changed', description: `the page ${num} is removed` })
    return
  }
  for (const key of step.same.changedKeys(old, now)) {
    const change = Object.hasOwn(pageEntries, key)
      ? pageEntries[key]
      : content(`the entry ${key} of the page ${num} is changed`, 'pdf.incremental-saving')
    if (change) step.say(change)
  }
  compareLists(step, num, old.get('Annots'), now.get('Annots'), signatures)
}

/** Valid entries of a page tree node (ISO 32000-1 tables 29 and 30); other entries are not displayed. */
const TREE_ENTRIES: ReadonlySet<string> = new Set([
  ...['Type', 'Kids', 'Count', 'Parent'],
  ...['Resources', 'MediaBox', 'CropBox', 'Rotate'],
])

function compareTreeNode(step: Comparison, num: number, old: PdfDict, now: PdfObject): void {
  step.explain(num)
  if (!step.graph.isReachable(num)) return
  const keys = (isDict(now) ? step.same.changedKeys(old, now) : ['Kids']).filter((key) => TREE_ENTRIES.has(key))
  if (keys.length === 0) return
  const pages = keys.some((key) => key === 'Kids' || key === 'Count' || key === 'Parent')
  if (pages)
    step.say({
      kind: 'pages',
      needs: 'never',
      code: 'pdf.pages-changed',
      description: 'pages are added, removed or moved',
    })
  else step.say(content(`what pages inherit is changed: ${keys.join(', ')}`, 'pdf.incremental-saving'))
}

/** Annotation lists that are indirect objects, overwritten while the page stays. */
function compareSharedLists(step: Comparison, signatures: NewSignatures): void {
  for (const [num, { old }] of step.changed) {
    const referrers = step.graph.referrersOf(num)
    if (!isArray(old) || referrers.length === 0 || !referrers.every(({ key }) => key === 'Annots')) continue
    step.explain(num)
    for (const { from } of referrers) {
      // A page that is overwritten as well has been compared already.
      if (!step.changed.has(from)) compareLists(step, from, refTo(num), refTo(num), signatures)
    }
  }
}

const refTo = (num: number): PdfObject => ({ kind: 'ref', num, gen: 0 })

function compareLists(
  step: Comparison,
  page: number,
  oldList: PdfObject | undefined,
  newList: PdfObject | undefined,
  signatures: NewSignatures,
): void {
  const shared = numberOf(oldList)
  if (shared !== undefined) step.explainIfOnly(shared, ({ key }) => key === 'Annots')
  const old = asArray(step.before.resolve(oldList))
  const now = asArray(step.after.resolve(newList))
  for (const annotation of missingFrom(now, old)) step.say(removed(step.before, page, annotation))
  for (const annotation of missingFrom(old, now)) {
    const num = numberOf(annotation)
    if (num !== undefined && (signatures.widgets.has(num) || signatures.placed.has(num))) continue
    step.say(isRepeated(step.after, annotation, signatures) ? repeated(page) : addition(step.after, page, annotation))
  }
}

/** Elements of the second list that the first does not have. */
function missingFrom(list: readonly PdfObject[], elements: readonly PdfObject[]): PdfObject[] {
  const numbers = new Set(list.map(numberOf))
  return elements.filter((element) =>
    isRef(element) ? !numbers.has(element.num) : element !== null && !list.some((other) => sameValue(other, element)),
  )
}

function removed(view: PdfView, page: number, annotation: PdfObject): Change {
  const subtype = subtypeOf(view, annotation)
  return {
    kind: subtype === 'Widget' ? 'form-structure' : 'annotation',
    needs: subtype === 'Widget' ? 'never' : 3,
    // What it covered becomes visible.
    code: 'pdf.shadow-hide',
    description: `an annotation (${subtype ?? 'unknown'}) of the page ${page} is removed`,
  }
}

function addition(view: PdfView, page: number, annotation: PdfObject): Change {
  const subtype = subtypeOf(view, annotation)
  return {
    kind: 'annotation',
    needs: subtype !== undefined && !NO_COMMENT.has(subtype) && !acts(view, annotation) ? 3 : 'never',
    code: 'pdf.evil-annotation',
    description: `an annotation (${subtype ?? 'unknown'}) is added to the page ${page}`,
  }
}

/** A signature shown on further pages: a field has one widget only, so stamps with the same picture repeat it. */
function isRepeated(view: PdfView, annotation: PdfObject, { pictures }: NewSignatures): boolean {
  const dict = view.resolve(annotation)
  if (!isDict(dict) || subtypeOf(view, dict) !== 'Stamp' || acts(view, dict)) return false
  const picture = normalAppearance(view, dict)
  return isStream(picture) && pictures.some((known) => Buffer.compare(known, picture.raw) === 0)
}

const repeated = (page: number): Change => ({
  kind: 'signature',
  // A stamp is an annotation, which a stated rule of level 2 does not allow.
  needs: '3 or unstated',
  code: 'pdf.evil-annotation',
  description: `the new signature is shown on the page ${page}, too`,
})

/** Whether a click, or less, runs an action. */
function acts(view: PdfView, annotation: PdfObject): boolean {
  const dict = view.resolve(annotation)
  if (!isDict(dict)) return false
  const action = view.resolve(dict.get('A'))
  const kind = isDict(action) ? nameOf(view.resolve(action.get('S'))) : undefined
  return dict.has('AA') || (kind !== undefined && kind !== 'URI' && kind !== 'GoTo')
}

function subtypeOf(view: PdfView, annotation: PdfObject): string | undefined {
  const dict = view.resolve(annotation)
  return isDict(dict) ? nameOf(view.resolve(dict.get('Subtype'))) : undefined
}

/** An annotation, or the picture of one, overwritten in place. */
function compareAnnotation(step: Comparison, num: number, old: PdfObject, now: PdfObject): void {
  if (step.isExplained(num)) return
  const listed = step.graph.referrersOf(num).some(({ key }) => key === 'Annots')
  const subtype = subtypeOf(step.before, old)
  if (listed && isDict(old) && subtype !== undefined) {
    step.explain(num)
    if (subtype === 'Widget' || now === null) step.say(removed(step.before, 0, old))
    else step.say(edited(step.after, subtype, now))
    return
  }
  if (isStream(old) && isStream(now) && isPictureOfComment(step, num)) {
    step.explain(num)
    step.say(edited(step.after, 'Text', null))
  }
}

function edited(view: PdfView, subtype: string, now: PdfObject): Change {
  const change = addition(view, 0, now)
  return {
    ...change,
    needs: now === null ? 3 : change.needs,
    description: `an annotation (${subtype}) is changed`,
  }
}

function isPictureOfComment(step: Comparison, num: number): boolean {
  return step.graph.referrersOf(num).every(({ from }) => {
    const annotation = step.before.resolve(refTo(from))
    const subtype = subtypeOf(step.before, annotation)
    const comment = subtype !== undefined && !NO_COMMENT.has(subtype)
    const listed = step.graph.referrersOf(from).some(({ key }) => key === 'Annots')
    return comment && listed && isDict(annotation) && appearanceObjects(step.before, annotation).includes(num)
  })
}
