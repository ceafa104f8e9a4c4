import type { PdfView } from '../../pdf/pdf-file.ts'
import { isDict, isStream, type PdfDict, type PdfObject } from '../../pdf/pdf-object.ts'
import { changedKeys, onlyGrows, sameValue } from '../../pdf/same-value.ts'
import { appearanceObjects, normalAppearance } from './appearance-objects.ts'
import { asArray, asDict, type Change, type Comparison, numberOf } from './comparison.ts'
import type { FieldNode, FieldTrees, Widget } from './field-tree.ts'

/** The kind of a signature in the revision that adds it; undefined when it does not sign that very revision. */
export type SignatureKind = (signature: PdfDict) => 'signature' | 'document-timestamp' | undefined

/** What the new signature fields of a revision add. */
export interface NewSignatures {
  /** Object numbers of their widgets, allowed or not: that has been reported. */
  readonly widgets: ReadonlySet<number>
  /** Widgets of existing fields that this revision signs, or that show nothing: writers put them onto their page then. */
  readonly placed: ReadonlySet<number>
  /** Appearances of the signatures: the same picture may be stamped on further pages. */
  readonly pictures: readonly Uint8Array[]
}

/** Keys of a field or widget that change when it gets a value (ISO 32000-1 tables 164, 220 and 222). */
const FILLING: ReadonlySet<string> = new Set(['V', 'RV', 'I', 'AP', 'AS', 'M', 'DA', 'Q'])

/** A signer may also give an empty field its place, flags and page. */
const SIGNING: ReadonlySet<string> = new Set([...FILLING, 'F', 'P', 'Rect', 'MK', 'DR', 'Type', 'Subtype'])

/** Keys that decide whether and where a widget is visible. */
const SHOWING: ReadonlySet<string> = new Set(['F', 'Rect', 'OC', 'Parent', 'P'])

/**
 * Compares the interactive forms: values of existing fields, and signature fields that come with the signature of this
 * revision. Returns what those add, which pages may include.
 */
export function compareForms(step: Comparison, trees: FieldTrees, kindOf: SignatureKind): NewSignatures {
  compareFormDictionaries(step)
  const [old, now] = [byIdentity(trees.of(step.before)), byIdentity(trees.of(step.after))]
  const widgets = new Set<number>()
  const pictures: Uint8Array[] = []
  const placed = new Set<number>()
  for (const [identity, field] of old) {
    const successor = now.get(identity)
    if (successor && mayBePlaced(step, field, successor, kindOf))
      for (const { num } of successor.widgets) if (num !== undefined) placed.add(num)
    if (successor) compareFields(step, field, successor, kindOf)
    else step.say(structure(`the field ${field.name} is removed`))
  }
  for (const [identity, field] of now) {
    if (old.has(identity) || !field.terminal) continue
    const change = newField(step, field, kindOf)
    step.say(change)
    for (const { num, dict } of field.widgets) {
      if (num !== undefined) widgets.add(num)
      const picture = normalAppearance(step.after, dict)
      if (change.kind === 'signature' && isStream(picture)) pictures.push(picture.raw)
    }
  }
  comparePermissions(step, kindOf)
  return { widgets, placed, pictures }
}

/** A field that was there already, and that a page lists only now: shown as a signature is, or not at all. */
function mayBePlaced(step: Comparison, old: FieldNode, now: FieldNode, kindOf: SignatureKind): boolean {
  if (now.type !== 'Sig') return false
  const signature = step.after.resolve(now.value)
  const isSignedNow = step.before.resolve(old.value) === null && isDict(signature) && kindOf(signature) !== undefined
  return isSignedNow || !isVisible(step.after, now.widgets)
}

const structure = (description: string, code: Change['code'] = 'pdf.not-permitted-change'): Change => ({
  kind: 'form-structure',
  needs: 'never',
  code,
  description,
})

/** Fields are matched by object number; direct ones by name. */
const byIdentity = (fields: readonly FieldNode[]): Map<number | string, FieldNode> =>
  new Map(fields.map((field) => [field.num ?? field.name, field]))

/** Entries of the form dictionary that may change, and how. */
const formEntries: Readonly<Record<string, (old: PdfObject, now: PdfObject) => boolean>> = {
  // Judged field by field.
  Fields: () => true,
  SigFlags: () => true,
  // Resources of new appearances; existing ones have their own.
  DR: () => true,
  DA: () => true,
  Q: () => true,
}

function compareFormDictionaries(step: Comparison): void {
  const { before, after } = step
  const { old, now } = step.catalogEntry('AcroForm')
  for (const key of changedKeys(old, now)) {
    const [a, b] = [before.resolve(old.get(key)), after.resolve(now.get(key))]
    const allowed = Object.hasOwn(formEntries, key) && (formEntries[key]!(a, b) || sameValue(a, b))
    if (allowed) continue
    // Whether fields are redrawn from their values decides what is visible where picture and value differ.
    const code = key === 'NeedAppearances' ? 'pdf.shadow-replace' : undefined
    step.say(structure(`the form entry ${key} is changed`, code))
  }
  explainFormObjects(step, old)
}

/** Form dictionary, list of fields and default resources, where they are objects of their own. */
function explainFormObjects(step: Comparison, form: PdfDict): void {
  const own = numberOf(step.before.catalog().get('AcroForm'))
  const within = new Set([step.catalogNumber, ...(own === undefined ? [] : [own])])
  if (own !== undefined) step.explainIfOnly(own, ({ from, key }) => from === step.catalogNumber && key === 'AcroForm')
  const fields = numberOf(form.get('Fields'))
  if (fields !== undefined) step.explainIfOnly(fields, ({ from, key }) => within.has(from) && key === 'Fields')
  const resources = numberOf(form.get('DR'))
  if (resources !== undefined) explainGrowing(step, resources, within)
  for (const [, category] of asDict(step.before.resolve(form.get('DR')))) {
    const num = numberOf(category)
    if (num !== undefined)
      explainGrowing(step, num, new Set([...within, ...(resources === undefined ? [] : [resources])]))
  }
}

function explainGrowing(step: Comparison, num: number, within: ReadonlySet<number>): void {
  const change = step.changed.get(num)
  if (change && onlyGrows(change.old, change.now)) step.explainIfOnly(num, ({ from }) => within.has(from))
}

function compareFields(step: Comparison, old: FieldNode, now: FieldNode, kindOf: SignatureKind): void {
  const kids = numberOf(old.dict.get('Kids'))
  if (kids !== undefined) step.explainIfOnly(kids, ({ from, key }) => from === old.num && key === 'Kids')
  const keys = changedFieldKeys(step, old, now)
  const drawn = explainAppearances(step, old) || keys.has('AP') || keys.has('AS')
  const filled = !sameResolved(step, old.value, now.value)
  explainValue(step, old)
  for (const num of [old.num, ...old.widgets.map((widget) => widget.num)]) if (num !== undefined) step.explain(num)
  if (!drawn && !filled && keys.size === 0) return
  for (const change of judgeField(step, old, now, { keys, drawn, filled }, kindOf)) step.say(change)
}

interface FieldDifference {
  readonly keys: ReadonlySet<string>
  /** Its appearance changed. */
  readonly drawn: boolean
  /** Its value changed. */
  readonly filled: boolean
}

function* judgeField(
  step: Comparison,
  old: FieldNode,
  now: FieldNode,
  { keys, drawn, filled }: FieldDifference,
  kindOf: SignatureKind,
): Iterable<Change> {
  const wasEmpty = step.before.resolve(old.value) === null
  const signed = now.type === 'Sig' && filled && wasEmpty
  const allowed = signed ? SIGNING : FILLING
  for (const key of keys) {
    if (allowed.has(key) || (key === 'Kids' && !old.terminal) || isLocking(step, key, old, now)) continue
    yield structure(
      `the entry ${key} of the field ${old.name} is changed`,
      SHOWING.has(key) ? 'pdf.shadow-hide' : undefined,
    )
  }
  if (signed) yield signing(step, now, kindOf)
  else if (old.type === 'Sig' && filled) yield structure(`the signature in the field ${old.name} is replaced`)
  else if (filled) yield filling(old.name)
  else if (drawn && old.terminal) yield redrawn(old.name)
}

/** Bits that keep users from changing a field or moving its widget (ISO 32000-1 tables 165 and 221): not visible. */
const LOCKING: Readonly<Record<string, number>> = { Ff: 1, F: 64 + 128 + 512 }

/** Whether only such bits differ: signers who lock fields set them. */
function isLocking(step: Comparison, key: string, old: FieldNode, now: FieldNode): boolean {
  const bits = Object.hasOwn(LOCKING, key) ? LOCKING[key]! : 0
  const flags = (view: PdfView, dict: PdfDict | undefined) => Number(view.resolve(dict?.get(key)) ?? 0)
  const pairs = [
    { old: old.dict, now: now.dict },
    ...old.widgets.map(({ num, dict }) => ({ old: dict, now: now.widgets.find((widget) => widget.num === num)?.dict })),
  ]
  return bits > 0 && pairs.every((pair) => ((flags(step.before, pair.old) ^ flags(step.after, pair.now)) & ~bits) === 0)
}

const filling = (field: string): Change => ({
  kind: 'form-fill',
  needs: 2,
  code: 'pdf.not-permitted-change',
  description: `the field ${field} is filled in`,
  field,
})

// A field that keeps its value and shows another one: the replace variant of shadow attacks.
const redrawn = (field: string): Change => ({
  kind: 'content',
  needs: 'never',
  code: 'pdf.shadow-replace',
  description: `the field ${field} looks different, although its value is the same`,
})

function signing(step: Comparison, field: FieldNode, kindOf: SignatureKind): Change {
  const signature = step.after.resolve(field.value)
  const kind = isDict(signature) ? kindOf(signature) : undefined
  if (kind === 'signature') {
    const description = `the signature ${field.name} is added`
    return { kind, needs: 2, code: 'pdf.not-permitted-change', description, field: field.name }
  }
  if (kind) {
    const description = `the document timestamp ${field.name} is added`
    return { kind, needs: 1, code: 'pdf.not-permitted-change', description }
  }
  // A field that only looks signed is a picture over the page.
  return structure(
    `the field ${field.name} holds no signature of this revision`,
    isVisible(step.after, field.widgets) ? 'pdf.evil-annotation' : undefined,
  )
}

function newField(step: Comparison, field: FieldNode, kindOf: SignatureKind): Change {
  const acts = [field.dict, ...field.widgets.map(({ dict }) => dict)].some((dict) => dict.has('AA') || dict.has('A'))
  if (acts) return structure(`the new field ${field.name} has actions`)
  if (field.type !== 'Sig') return structure(`the field ${field.name} is added`, 'pdf.evil-annotation')
  if (step.after.resolve(field.value) !== null) return signing(step, field, kindOf)
  if (isVisible(step.after, field.widgets))
    return structure(`the empty signature field ${field.name} has an appearance`, 'pdf.evil-annotation')
  return {
    kind: 'form-structure',
    needs: 2,
    code: 'pdf.not-permitted-change',
    description: `the empty signature field ${field.name} is added`,
  }
}

/** A certification may be entered in the catalog together with its signature; an existing entry must stay. */
function comparePermissions(step: Comparison, kindOf: SignatureKind): void {
  const { old, now } = step.catalogEntry('Perms')
  const num = numberOf(step.before.catalog().get('Perms'))
  if (num !== undefined) step.explainIfOnly(num, ({ from, key }) => from === step.catalogNumber && key === 'Perms')
  for (const key of changedKeys(old, now)) {
    const signature = step.after.resolve(now.get(key))
    if (old.has(key) || !isDict(signature) || !kindOf(signature))
      step.say(structure(`the permission ${key} of the document is changed`))
  }
}

function changedFieldKeys(step: Comparison, old: FieldNode, now: FieldNode): Set<string> {
  const keys = new Set(old.dict === now.dict ? [] : step.same.changedKeys(old.dict, now.dict))
  for (const widget of old.widgets) {
    const successor = now.widgets.find(({ num }) => num === widget.num)
    if (!successor || successor.dict === widget.dict) continue
    for (const key of step.same.changedKeys(widget.dict, successor.dict)) keys.add(key)
  }
  return keys
}

/** Explains overwritten appearance streams that only this field shows; returns whether there are any. */
function explainAppearances(step: Comparison, field: FieldNode): boolean {
  const owned = new Set(field.widgets.flatMap(({ dict }) => appearanceObjects(step.before, dict)))
  for (const { num } of field.widgets) if (num !== undefined) owned.add(num)
  let drawn = false
  for (const num of owned) {
    if (field.widgets.some((widget) => widget.num === num)) continue
    drawn = step.explainIfOnly(num, ({ from }) => owned.has(from)) || drawn
  }
  return drawn
}

function explainValue(step: Comparison, field: FieldNode): void {
  const num = numberOf(field.value)
  if (num !== undefined && field.type !== 'Sig')
    step.explainIfOnly(num, ({ from, key }) => from === field.num && key === 'V')
}

function sameResolved(step: Comparison, old: PdfObject, now: PdfObject): boolean {
  return sameValue(step.before.resolve(old), step.after.resolve(now))
}

/** Whether a widget draws something: it has an area and an appearance. */
function isVisible(view: PdfView, widgets: readonly Widget[]): boolean {
  return widgets.some(({ dict }) => {
    const [x1, y1, x2, y2] = asArray(view.resolve(dict.get('Rect'))).map((side) => view.resolve(side))
    return x1 !== x2 && y1 !== y2 && drawsSomething(view, dict)
  })
}

function drawsSomething(view: PdfView, widget: PdfDict): boolean {
  const normal = normalAppearance(view, widget)
  return isStream(normal) ? normal.raw.length > 0 : isDict(normal)
}
