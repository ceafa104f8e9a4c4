import { damaged, refusePdf, tooComplex } from './errors.ts'
import { limits } from './limits.ts'
import type { PdfView } from './pdf-file.ts'
import { isArray, isDict, isInteger, isRef, type PdfDict, type PdfObject, type PdfRef } from './pdf-object.ts'

/** Left, bottom, right, top in user units, always in this order. */
type PdfBox = readonly [left: number, bottom: number, right: number, top: number]

/** One page with what it inherits from the tree above it (ISO 32000-1 §7.7.3.4). */
export interface PdfPage {
  /** From 0. */
  readonly index: number
  readonly ref: PdfRef
  readonly dict: PdfDict
  readonly mediaBox: PdfBox
  /** The part that viewers show, within the media box. */
  readonly cropBox: PdfBox
  /** Degrees clockwise: 0, 90, 180 or 270. */
  readonly rotate: number
  /** Points of one user unit, which the boxes are in. */
  readonly userUnit: number
}

/** What the pages below a page tree node inherit. */
type Inherited = Readonly<Record<'MediaBox' | 'CropBox' | 'Rotate', PdfObject>>

const LETTER: PdfBox = [0, 0, 612, 792]
const NOTHING: Inherited = { MediaBox: null, CropBox: null, Rotate: null }

/** Number of pages as the page tree's root says. */
export function pageCount(view: PdfView): number {
  const root = view.resolve(view.catalog().get('Pages'))
  const count = isDict(root) ? view.resolve(root.get('Count')) : null
  if (!isInteger(count) || count < 0) throw damaged(0, 'the page tree has no count')
  return count
}

/** The page at an index from 0; subtrees before it are skipped by their count. */
export function findPage(view: PdfView, index: number): PdfPage {
  const [page] = Number.isSafeInteger(index) && index >= 0 ? walk(view, index, 1) : []
  if (!page) throw refusePdf('pdf.no-such-page', { page: index + 1, pages: pageCount(view) })
  return page
}

/** All pages in order. */
export const allPages = (view: PdfView): PdfPage[] => walk(view, 0, limits.pages)

interface Walk {
  readonly view: PdfView
  /** Index of the first page that is wanted, and how many. */
  readonly from: number
  readonly count: number
  /** Index of the next page met. */
  next: number
  readonly seen: Set<number>
  readonly found: PdfPage[]
}

function walk(view: PdfView, from: number, count: number): PdfPage[] {
  const root = view.catalog().get('Pages')
  if (!isRef(root)) throw damaged(0, 'the document has no page tree')
  const found: PdfPage[] = []
  walkNode({ view, from, count, next: 0, seen: new Set(), found }, root, NOTHING, 0)
  return found
}

function walkNode(walk: Walk, ref: PdfRef, above: Inherited, depth: number): void {
  const { view, from, seen, found } = walk
  const node = view.resolve(ref)
  if (!isDict(node)) throw damaged(0, `page tree node ${ref.num} is missing`)
  if (seen.has(ref.num)) throw damaged(0, `page tree node ${ref.num} is met twice`)
  seen.add(ref.num)
  if (depth > limits.treeDepth || seen.size > limits.pages) throw tooComplex('the page tree is too large')
  const kids = view.resolve(node.get('Kids'))
  const inherited = inheritFrom(view, node, above)
  if (!isArray(kids)) {
    const index = walk.next++
    if (index >= from) found.push(new Page(index, ref, node, inherited, view))
    return
  }
  const count = view.resolve(node.get('Count'))
  if (isInteger(count) && count >= 0 && walk.next + count <= from) {
    walk.next += count
    return
  }
  for (const kid of kids) {
    if (found.length >= walk.count) return
    if (!isRef(kid)) throw damaged(0, 'a page is not an indirect object')
    walkNode(walk, kid, inherited, depth + 1)
  }
}

const inheritFrom = (view: PdfView, node: PdfDict, above: Inherited): Inherited => {
  const own = (key: keyof Inherited) => view.resolve(node.get(key)) ?? above[key]
  return { MediaBox: own('MediaBox'), CropBox: own('CropBox'), Rotate: own('Rotate') }
}

/** A page whose boxes are computed on demand: an invisible signature needs the page, not its size. */
class Page implements PdfPage {
  readonly index: number
  readonly ref: PdfRef
  readonly dict: PdfDict
  private readonly view: PdfView
  private readonly inherited: Inherited

  constructor(index: number, ref: PdfRef, dict: PdfDict, inherited: Inherited, view: PdfView) {
    this.index = index
    this.ref = ref
    this.dict = dict
    this.inherited = inherited
    this.view = view
  }

  get mediaBox(): PdfBox {
    return boxOf(this.inherited.MediaBox, this.view) ?? LETTER
  }

  get cropBox(): PdfBox {
    return intersect(boxOf(this.inherited.CropBox, this.view) ?? this.mediaBox, this.mediaBox)
  }

  get rotate(): number {
    const { Rotate } = this.inherited
    const turn = isInteger(Rotate) ? ((Rotate % 360) + 360) % 360 : 0
    return turn - (turn % 90)
  }

  /** ISO 32000-1 table 30: not inherited. */
  get userUnit(): number {
    const unit = this.view.resolve(this.dict.get('UserUnit'))
    return typeof unit === 'number' && unit > 0 ? unit : 1
  }
}

function boxOf(value: PdfObject, view: PdfView): PdfBox | undefined {
  if (!isArray(value) || value.length < 4) return undefined
  const numbers = value.slice(0, 4).map((number) => view.resolve(number))
  if (!numbers.every((number): number is number => typeof number === 'number')) return undefined
  const [x1, y1, x2, y2] = numbers as [number, number, number, number]
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]
}

/** §14.11.2.1: the crop box counts only where it overlaps the media box; without overlap it is ignored. */
function intersect(crop: PdfBox, media: PdfBox): PdfBox {
  const box: PdfBox = [
    Math.max(crop[0], media[0]),
    Math.max(crop[1], media[1]),
    Math.min(crop[2], media[2]),
    Math.min(crop[3], media[3]),
  ]
  return box[0] < box[2] && box[1] < box[3] ? box : media
}
