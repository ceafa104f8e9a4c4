import type { PdfRevision, PdfView } from '../../pdf/pdf-file.ts'
import { isDict, isRef, isStream, nameOf, type PdfObject, sameRef } from '../../pdf/pdf-object.ts'
import { sameValue } from '../../pdf/same-value.ts'
import { compareCatalogs } from './compare-catalog.ts'
import { compareForms, type SignatureKind } from './compare-forms.ts'
import { comparePages } from './compare-pages.ts'
import { compareStructure } from './compare-structure.ts'
import { type Change, Comparison } from './comparison.ts'
import type { FieldTrees } from './field-tree.ts'
import { type ObjectGraph, objectOf } from './object-graph.ts'
import type { WorkLimit } from './work-limit.ts'

/** What the comparisons of one file share. */
export interface FileHistory {
  /** References between the objects of the document before the revision. */
  readonly graph: ObjectGraph
  readonly trees: FieldTrees
  readonly limit: WorkLimit
}

/** The changes of a revision to the document before it; afterwards the graph includes its objects. */
export function compareRevisions(
  before: PdfView,
  after: PdfRevision,
  { graph, trees, limit }: FileHistory,
  kindOf: SignatureKind,
): readonly Change[] {
  const step = new Comparison(before, after, graph, limit)
  refuseHidden(step)
  if (sameCatalog(step)) {
    compareCatalogs(step)
    const signatures = compareForms(step, trees, kindOf)
    comparePages(step, signatures)
    compareStructure(step, signatures)
    refuseUnexplained(step)
  }
  graph.extend(after, [...step.changed.keys(), ...step.rewritten])
  return step.changes
}

/** Another catalog is another document, unless a writer has only renumbered the same one. */
function sameCatalog(step: Comparison): boolean {
  const { before, after } = step
  const [old, now] = [before.trailer.get('Root'), after.trailer.get('Root')]
  if (isRef(old) && isRef(now) && sameRef(old, now)) return true
  const place = isRef(now) ? after.entry(now.num) : undefined
  const wasThere = place?.kind === 'offset' && place.offset < after.start
  if (!wasThere && sameValue(before.catalog().get('Pages') ?? null, after.catalog().get('Pages') ?? null)) return true
  step.say({
    kind: 'content',
    needs: 'never',
    code: wasThere ? 'pdf.shadow-hide-and-replace' : 'pdf.incremental-saving',
    description: 'the document is replaced by another one',
  })
  return false
}

/**
 * A new cross-reference to older bytes reveals what the signer never saw: the hide-and-replace variant of shadow
 * attacks. No legitimate writer does it.
 */
function refuseHidden(step: Comparison): void {
  for (const [num, { fromOlderBytes }] of step.changed) {
    if (!fromOlderBytes) continue
    step.explain(num)
    step.say({
      kind: 'content',
      needs: 'never',
      code: 'pdf.shadow-hide-and-replace',
      description: `the object ${num} is replaced by one that was hidden in the signed bytes`,
    })
  }
}

/** Refuses changes that no rule explains, and the document shows. */
function refuseUnexplained(step: Comparison): void {
  for (const [num, { old, now }] of step.changed) {
    if (step.isExplained(num)) continue
    // Objects inside an object stream change with it, although no cross-reference row of theirs does.
    const holdsObjects = isStream(old) && nameOf(old.dict.get('Type')) === 'ObjStm'
    if (!holdsObjects && !step.graph.isReachable(num)) continue
    step.say({ needs: 'never', ...unexplained(step, num, old, now) })
  }
}

type Unexplained = Pick<Change, 'kind' | 'code' | 'description'>

function unexplained(step: Comparison, num: number, old: PdfObject, now: PdfObject): Unexplained {
  if (old === null) {
    return {
      kind: 'content',
      code: 'pdf.shadow-replace',
      description: `the object ${num}, which signed objects refer to, is there only now`,
    }
  }
  const role = roleOf(step, num, old)
  const gone = now === null || isStream(old) !== isStream(now)
  return {
    kind: role.kind,
    code: gone ? role.gone : role.replaced,
    description: `${role.what} (object ${num}) is ${gone ? 'removed' : 'replaced'}`,
  }
}

interface Role {
  readonly what: string
  readonly kind: Change['kind']
  /** The attack class when the object is removed, and when it is replaced. */
  readonly gone: Change['code']
  readonly replaced: Change['code']
}

const roles = {
  font: { what: 'a font', kind: 'content', gone: 'pdf.shadow-replace', replaced: 'pdf.shadow-replace' },
  picture: { what: 'a drawn object', kind: 'content', gone: 'pdf.shadow-hide', replaced: 'pdf.shadow-replace' },
  layer: { what: 'a layer', kind: 'content', gone: 'pdf.shadow-hide', replaced: 'pdf.shadow-hide' },
  content: {
    what: 'the content of a page',
    kind: 'content',
    gone: 'pdf.incremental-saving',
    replaced: 'pdf.incremental-saving',
  },
  resources: {
    what: 'a resource of a page',
    kind: 'content',
    gone: 'pdf.incremental-saving',
    replaced: 'pdf.incremental-saving',
  },
  pages: {
    what: 'a list of pages',
    kind: 'pages',
    gone: 'pdf.pages-changed',
    replaced: 'pdf.pages-changed',
  },
  signature: {
    what: 'a signature',
    kind: 'form-structure',
    gone: 'pdf.not-permitted-change',
    replaced: 'pdf.not-permitted-change',
  },
  other: {
    what: 'a part of the document',
    kind: 'other',
    gone: 'pdf.not-permitted-change',
    replaced: 'pdf.not-permitted-change',
  },
} as const satisfies Record<string, Role>

/** Keys of fonts and their parts. */
const FONT_KEY =
  /^(Font|FontDescriptor|FontFile[23]?|DescendantFonts|Encoding|ToUnicode|CharProcs|CIDToGIDMap|Widths|W)$/
const RESOURCE_KEY = /^(Resources|ExtGState|ColorSpace|Pattern|Shading|Properties|SMask|Group)$/

/** The role of an object in the signed document, by its own entries and its referrers. */
function roleOf(step: Comparison, num: number, old: PdfObject): Role {
  const dict = isStream(old) ? old.dict : isDict(old) ? old : new Map<string, PdfObject>()
  const type = nameOf(dict.get('Type'))
  const subtype = nameOf(dict.get('Subtype'))
  const keys = step.graph.referrersOf(num).map(({ key }) => key)
  if (step.graph.referrersOf(num).some(({ from, key }) => key === 'Kids' && isPageTreeNode(step, from)))
    return roles.pages
  if (keys.includes('Contents') || type === 'ObjStm') return roles.content
  if (type === 'Sig' || type === 'DocTimeStamp') return roles.signature
  if (type === 'OCG' || type === 'OCMD' || keys.includes('OCProperties')) return roles.layer
  if (type === 'Font' || type === 'FontDescriptor' || isFontPart(step, num)) return roles.font
  if (isStream(old) && (subtype === 'Image' || subtype === 'Form')) return roles.picture
  return keys.some((key) => RESOURCE_KEY.test(key)) ? roles.resources : roles.other
}

function isPageTreeNode(step: Comparison, num: number): boolean {
  const node = objectOf(step.before, num)
  return isDict(node) && nameOf(node.get('Type')) === 'Pages'
}

/** Names of fonts are arbitrary, so the font dictionary's own referrer may have to be checked. */
function isFontPart(step: Comparison, num: number): boolean {
  return step.graph
    .referrersOf(num)
    .some(({ from, key }) => FONT_KEY.test(key) || step.graph.referrersOf(from).some((above) => above.key === 'Font'))
}
