import type { PdfRevision, PdfView } from '../../pdf/pdf-file.ts'
import { isArray, isDict, isRef, type PdfDict, type PdfObject } from '../../pdf/pdf-object.ts'
import { sameValue } from '../../pdf/same-value.ts'
import type { XrefEntry } from '../../pdf/xref-section.ts'
import type { FindingCode, LaterChangeKind } from '../../report/report.ts'
import type { PermissionLevel } from '../signature-locks.ts'
import { type ObjectGraph, objectOf, type Referrer } from './object-graph.ts'
import { SameContent } from './same-content.ts'
import type { WorkLimit } from './work-limit.ts'

/** One change that a revision makes to the document. */
export interface Change {
  readonly kind: LaterChangeKind
  /** The lowest permission that allows it; `never` for what no signature allows; `3 or unstated` where no rule speaks against it. */
  readonly needs: PermissionLevel | '3 or unstated' | 'never'
  /** What it is called when it is not allowed. */
  readonly code: FindingCode
  readonly description: string
  /** The form field that gets a value, for locks. */
  readonly field?: string
}

/** One changed object. */
interface ObjectChange {
  /** Null when there was none: a new object. */
  readonly old: PdfObject
  /** What references to the old object resolve to now; null when it is gone. */
  readonly now: PdfObject
  /** The new cross-reference points to bytes older than the revision: content that was hidden there. */
  readonly fromOlderBytes: boolean
}

/**
 * The document before and after one revision. Each rule reports the changes it knows, and explains the objects that
 * changed with them; a change that no rule explains, and the signed document shows, is not allowed.
 */
export class Comparison {
  readonly before: PdfView
  readonly after: PdfRevision
  readonly graph: ObjectGraph
  readonly changed: ReadonlyMap<number, ObjectChange>
  /** Objects that are written otherwise and say the same. */
  readonly rewritten: ReadonlySet<number>
  readonly same: SameContent
  readonly changes: Change[] = []
  private readonly explained = new Set<number>()

  constructor(before: PdfView, after: PdfRevision, graph: ObjectGraph, limit: WorkLimit) {
    this.before = before
    this.after = after
    this.graph = graph
    this.same = new SameContent(before, after, limit)
    const changed = changedObjects(before, after, limit)
    this.rewritten = rewrittenAmong(changed, this.same)
    this.changed = new Map([...changed].filter(([num]) => !this.rewritten.has(num)))
  }

  say(change: Change): void {
    this.changes.push(change)
  }

  explain(num: number): void {
    this.explained.add(num)
  }

  isExplained(num: number): boolean {
    return this.explained.has(num)
  }

  /** Explains an overwritten object if nothing else of the document shows it; returns whether it was overwritten. */
  explainIfOnly(num: number, expected: (referrer: Referrer) => boolean): boolean {
    if (!this.changed.has(num)) return false
    if (this.graph.referrersOf(num).every(expected)) this.explain(num)
    return true
  }

  /** The dictionary under a key of the catalog, before and after; empty when there is none. */
  catalogEntry(key: string): { old: PdfDict; now: PdfDict } {
    return {
      old: asDict(this.before.resolve(this.before.catalog().get(key))),
      now: asDict(this.after.resolve(this.after.catalog().get(key))),
    }
  }

  get catalogNumber(): number {
    return numberOf(this.before.trailer.get('Root')) ?? -1
  }
}

const NO_ENTRIES: PdfDict = new Map()

export const asDict = (value: PdfObject): PdfDict => (isDict(value) ? value : NO_ENTRIES)
export const asArray = (value: PdfObject): readonly PdfObject[] => (isArray(value) ? value : [])

/** The object number of a reference; undefined for any other value. */
export const numberOf = (value: PdfObject | undefined): number | undefined => (isRef(value) ? value.num : undefined)

function changedObjects(before: PdfView, after: PdfRevision, limit: WorkLimit): Map<number, ObjectChange> {
  const changed = new Map<number, ObjectChange>()
  for (const num of listedNumbers(after)) {
    limit.spend()
    const [oldEntry, newEntry] = [before.entry(num), after.entry(num)]
    if (sameEntry(before, after, oldEntry, newEntry)) continue
    const old = objectOf(before, num)
    const gen = oldEntry?.kind === 'offset' ? oldEntry.gen : 0
    const now = old === null ? objectOf(after, num) : after.object({ kind: 'ref', num, gen })
    if (!sameValue(old, now)) changed.set(num, { old, now, fromOlderBytes: isOlder(after, newEntry) })
  }
  return changed
}

function rewrittenAmong(changed: ReadonlyMap<number, ObjectChange>, same: SameContent): Set<number> {
  const rewritten = new Set<number>()
  for (const [num, { old, now, fromOlderBytes }] of changed)
    if (old !== null && now !== null && !fromOlderBytes && same.isSame(old, now)) rewritten.add(num)
  return rewritten
}

function* listedNumbers({ sections }: PdfRevision): Iterable<number> {
  for (const section of sections) {
    for (const part of section.hybrid ? [section, section.hybrid] : [section]) {
      yield* part.numbers()
    }
  }
}

function sameEntry(before: PdfView, after: PdfView, a: XrefEntry | undefined, b: XrefEntry | undefined): boolean {
  if (!a || !b || a.kind !== b.kind) return (a?.kind ?? 'free') === 'free' && (b?.kind ?? 'free') === 'free'
  if (a.kind === 'offset') return b.kind === 'offset' && a.offset === b.offset && a.gen === b.gen
  if (a.kind === 'free' || b.kind !== 'compressed') return true
  return (
    a.stream === b.stream &&
    a.index === b.index &&
    sameEntry(before, after, before.entry(a.stream), after.entry(b.stream))
  )
}

function isOlder(after: PdfRevision, entry: XrefEntry | undefined): boolean {
  const place = entry?.kind === 'compressed' ? after.entry(entry.stream) : entry
  return place?.kind === 'offset' && place.offset < after.start
}
