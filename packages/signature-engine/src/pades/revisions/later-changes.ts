import { EngineError } from '../../errors/engine-error.ts'
import type { PdfFile, PdfRevision } from '../../pdf/pdf-file.ts'
import type { PdfDict } from '../../pdf/pdf-object.ts'
import { type Finding, finding, type LaterChange } from '../../report/report.ts'
import { findingForRefusal } from '../validate-refusals.ts'
import { compareRevisions } from './compare-revisions.ts'
import type { Change } from './comparison.ts'
import type { FieldTrees } from './field-tree.ts'
import { ObjectGraph } from './object-graph.ts'
import type { Permissions } from './permissions.ts'
import type { WorkLimit } from './work-limit.ts'

/** The changes of each revision after a signed one, by the revision's index. */
export type RevisionChanges = ReadonlyMap<number, readonly Change[]>

/** Kind and revision of a signature; undefined for one that signs no whole revision or is not intact. */
export type SoundSignature = (
  signature: PdfDict,
) => { readonly kind: 'signature' | 'document-timestamp'; readonly revision: PdfRevision } | undefined

/** Compares every revision after `first` with the one before it, each once for all signatures. */
export function revisionChanges(
  file: PdfFile,
  first: number,
  trees: FieldTrees,
  limit: WorkLimit,
  soundSignature: SoundSignature,
): RevisionChanges {
  const changes = new Map<number, readonly Change[]>()
  const later = file.revisions.slice(first + 1)
  if (later.length === 0) return changes
  const graph = new ObjectGraph(file.bytes, file.revisions[first]!, limit)
  for (const after of later) {
    const kindOf = (dict: PdfDict) => {
      const sound = soundSignature(dict)
      return sound?.revision === after ? sound.kind : undefined
    }
    const before = file.revisions[after.index - 1]!
    changes.set(
      after.index,
      readable(() => compareRevisions(before, after, { graph, trees, limit }, kindOf)),
    )
  }
  return changes
}

/** A revision that cannot be read is a change that cannot be allowed. */
function readable(compare: () => readonly Change[]): readonly Change[] {
  try {
    return compare()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const { code } = findingForRefusal(error)
    return [{ kind: 'other', needs: 'never', code, description: error.message }]
  }
}

/** The changes after the signature of one revision, checked against what it permits. */
export function judgeLaterChanges(
  changes: RevisionChanges,
  revision: PdfRevision,
  permissions: Permissions,
): { laterChanges: LaterChange[]; findings: Finding[] } {
  const laterChanges: LaterChange[] = []
  const findings: Finding[] = []
  for (const [index, list] of changes) {
    if (index <= revision.index) continue
    for (const change of list) {
      const { kind, description } = change
      const permitted = isPermitted(change, permissions)
      laterChanges.push({ revision: index + 1, kind, permitted, description })
      if (!permitted) findings.push(finding(change.code, { revision: index + 1, kind, change: description }))
    }
  }
  return { laterChanges, findings: [...findings, ...permittedFindings(laterChanges)] }
}

/** Of each kind in each revision once, with the first of them and how many there are: a filled form has dozens. */
function permittedFindings(laterChanges: readonly LaterChange[]): Finding[] {
  const groups = new Map<string, { readonly first: LaterChange; readonly count: number }>()
  for (const change of laterChanges.filter(({ permitted }) => permitted)) {
    const group = `${change.revision} ${change.kind}`
    const { first, count } = groups.get(group) ?? { first: change, count: 0 }
    groups.set(group, { first, count: count + 1 })
  }
  return [...groups.values()].map(({ first: { revision, kind, description }, count }) =>
    finding('pdf.permitted-change', { revision, kind, change: description, ...(count > 1 && { count }) }),
  )
}

const isPermitted = ({ needs, field }: Change, permissions: Permissions): boolean =>
  isAllowed(needs, permissions) && !(field !== undefined && permissions.locked(field))

function isAllowed(needs: Change['needs'], { level, isStated }: Permissions): boolean {
  if (needs === '3 or unstated') return level === 3 || !isStated
  return needs !== 'never' && needs <= level
}
