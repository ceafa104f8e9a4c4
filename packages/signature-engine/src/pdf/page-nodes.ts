import { ambiguous, damaged, tooComplex } from './errors.ts'
import { limits } from './limits.ts'
import type { PdfView } from './pdf-file.ts'
import {
  isArray,
  isDict,
  isInteger,
  isRef,
  isStream,
  nameOf,
  type PdfArray,
  type PdfDict,
  type PdfRef,
  sameRef,
} from './pdf-object.ts'

/** A node of the page tree, page or not, with what readers have to agree on. */
export interface PageNode {
  readonly type: 'Page' | 'Pages'
  /** Nothing for the root. */
  readonly parent: PdfRef | undefined
  /** Pages at and below it. */
  readonly count: number
}

interface Walk {
  readonly view: PdfView
  readonly maxPages: number
  readonly nodes: Map<number, PageNode>
  pages: number
}

/**
 * The page tree by object number. Some readers tell pages by /Type, some by /Kids; some count pages, some believe
 * /Count; some inherit along the tree, some along /Parent. A tree in which that makes a difference is refused.
 */
export function pageNodes(view: PdfView, maxPages: number): ReadonlyMap<number, PageNode> {
  const root = view.catalog().get('Pages')
  if (!isRef(root)) throw damaged(0, 'the document has no page tree')
  const walk: Walk = { view, maxPages, nodes: new Map(), pages: 0 }
  walkNode(walk, root, undefined, 0)
  return walk.nodes
}

function walkNode(walk: Walk, ref: PdfRef, parent: PdfRef | undefined, depth: number): void {
  const { view, nodes } = walk
  const dict = view.resolve(ref)
  if (!isDict(dict)) throw damaged(0, `page tree node ${ref.num} is missing`)
  if (nodes.has(ref.num)) throw damaged(0, `page tree node ${ref.num} is met twice`)
  if (depth > limits.treeDepth || nodes.size > limits.pages) throw tooComplex('the page tree is too large')
  const kids = kidsOf(view, ref, dict)
  requireParent(ref, dict, parent)
  nodes.set(ref.num, { type: kids ? 'Pages' : 'Page', parent, count: 1 })
  if (kids) walkKids(walk, ref, dict, kids, depth)
  else addPage(walk, ref, dict)
}

function walkKids(walk: Walk, ref: PdfRef, dict: PdfDict, kids: PdfArray, depth: number): void {
  const before = walk.pages
  for (const kid of kids) {
    if (!isRef(kid)) throw damaged(0, 'a page is not an indirect object')
    walkNode(walk, kid, ref, depth + 1)
  }
  const count = walk.pages - before
  const told = walk.view.resolve(dict.get('Count'))
  if (!isInteger(told) || told !== count) throw ambiguous(`page tree node ${ref.num} has not as many pages as it says`)
  walk.nodes.set(ref.num, { ...walk.nodes.get(ref.num)!, count })
}

function addPage(walk: Walk, ref: PdfRef, dict: PdfDict): void {
  walk.pages += 1
  if (walk.pages > walk.maxPages) throw tooComplex(`the document has more than ${walk.maxPages} pages`)
  requireContents(walk.view, ref, dict)
}

function kidsOf(view: PdfView, { num }: PdfRef, dict: PdfDict): PdfArray | undefined {
  const kids = view.resolve(dict.get('Kids'))
  if (kids === null) return undefined
  if (!isArray(kids) || nameOf(view.resolve(dict.get('Type'))) === 'Page')
    throw ambiguous(`object ${num} is a page and a node of pages`)
  return kids
}

function requireParent({ num }: PdfRef, dict: PdfDict, parent: PdfRef | undefined): void {
  const told = dict.get('Parent') ?? null
  if (told === null || (parent && isRef(told) && sameRef(told, parent))) return
  throw ambiguous(`page tree node ${num} names another parent than the one it stands under`)
}

/** A list with something else in it is drawn without that by some readers, and not at all by others. */
function requireContents(view: PdfView, { num }: PdfRef, dict: PdfDict): void {
  const contents = view.resolve(dict.get('Contents'))
  const parts = isArray(contents) ? contents.map((part) => view.resolve(part)) : contents === null ? [] : [contents]
  if (!parts.every(isStream)) throw ambiguous(`the contents of page ${num} are not all there`)
}
