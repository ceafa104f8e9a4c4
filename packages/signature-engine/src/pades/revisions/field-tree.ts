import { damaged, tooComplex } from '../../pdf/errors.ts'
import { limits } from '../../pdf/limits.ts'
import type { PdfView } from '../../pdf/pdf-file.ts'
import { isArray, isDict, isRef, isString, nameOf, type PdfDict, type PdfObject } from '../../pdf/pdf-object.ts'
import { decodeText } from '../../pdf/text-string.ts'
import type { WorkLimit } from './work-limit.ts'

/** A field or widget of the form's tree, with what it inherits. */
export interface FieldNode {
  /** Object number; undefined for a direct object. */
  readonly num: number | undefined
  readonly dict: PdfDict
  /** Partial names from the root down, joined by dots (ISO 32000-1 §12.7.3.2). */
  readonly name: string
  readonly type: string | undefined
  /** The value as stored; null when the field is empty. */
  readonly value: PdfObject
  /** The widgets of a terminal field, itself included when both are one dictionary; empty for the nodes above. */
  readonly widgets: readonly Widget[]
  readonly terminal: boolean
}

export interface Widget {
  readonly num: number | undefined
  readonly dict: PdfDict
}

/** The form of each view, read once. */
export class FieldTrees {
  private readonly known = new Map<PdfView, readonly FieldNode[]>()
  private readonly limit: WorkLimit

  constructor(limit: WorkLimit) {
    this.limit = limit
  }

  /** All nodes of the form, fields above and terminal ones; a cycle is refused. */
  of(view: PdfView): readonly FieldNode[] {
    let nodes = this.known.get(view)
    if (!nodes) {
      nodes = fieldTree(view)
      this.limit.spend(nodes.length)
      this.known.set(view, nodes)
    }
    return nodes
  }
}

function fieldTree(view: PdfView): FieldNode[] {
  const form = view.resolve(view.catalog().get('AcroForm'))
  const fields = isDict(form) ? view.resolve(form.get('Fields')) : null
  const nodes: FieldNode[] = []
  if (isArray(fields)) walk(view, fields, { name: '', type: undefined, value: null }, nodes, new Set(), 0)
  return nodes
}

type Inherited = Pick<FieldNode, 'name' | 'type' | 'value'>

function walk(
  view: PdfView,
  fields: readonly PdfObject[],
  above: Inherited,
  nodes: FieldNode[],
  path: Set<number>,
  depth: number,
): void {
  if (depth > limits.treeDepth) throw tooComplex('the form fields are nested too deeply')
  for (const field of fields) {
    const dict = view.resolve(field)
    if (!isDict(dict)) continue
    const num = isRef(field) ? field.num : undefined
    if (num !== undefined && path.has(num)) throw damaged(0, `form field ${num} is met twice`)
    if (nodes.length >= limits.fields) throw tooComplex('too many form fields')
    const own = inherit(view, dict, above)
    const kids = kidsOf(view, dict)
    // Kids without a partial name are widgets of this very field, not fields below it (§12.7.3.1).
    const below = kids.filter((kid) => hasName(view, kid))
    const terminal = below.length === 0
    nodes.push({ num, dict, ...own, terminal, widgets: terminal ? widgetsOf(view, num, dict, kids) : [] })
    // Along one path only: the same field under two parents is two fields to a reader, and a loop is on a path.
    if (num !== undefined) path.add(num)
    walk(view, below, own, nodes, path, depth + 1)
    if (num !== undefined) path.delete(num)
  }
}

function kidsOf(view: PdfView, dict: PdfDict): readonly PdfObject[] {
  const kids = view.resolve(dict.get('Kids'))
  return isArray(kids) ? kids : []
}

function hasName(view: PdfView, kid: PdfObject): boolean {
  const dict = view.resolve(kid)
  return isDict(dict) && isString(view.resolve(dict.get('T')))
}

function inherit(view: PdfView, dict: PdfDict, above: Inherited): Inherited {
  const partial = view.resolve(dict.get('T'))
  const text = isString(partial) ? decodeText(partial) : ''
  return {
    name: [above.name, text].filter(Boolean).join('.'),
    type: nameOf(view.resolve(dict.get('FT'))) ?? above.type,
    value: dict.get('V') ?? above.value,
  }
}

function widgetsOf(view: PdfView, num: number | undefined, dict: PdfDict, kids: readonly PdfObject[]): Widget[] {
  if (kids.length === 0) return nameOf(view.resolve(dict.get('Subtype'))) === 'Widget' ? [{ num, dict }] : []
  return kids.flatMap((kid) => {
    const widget = view.resolve(kid)
    return isDict(widget) ? [{ num: isRef(kid) ? kid.num : undefined, dict: widget }] : []
  })
}
