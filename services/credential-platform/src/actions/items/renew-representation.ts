// A representation is drawn anew, after the template has changed (credentials-platform facts 3).
import type { Context } from '../../context.ts'
import type { RepresentationView } from '../../contract/template-previews.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { record } from '../tenants/acting.ts'
import { representedOf, requiredItem } from './item-reads.ts'
import { redrawn } from './representations.ts'

const names = { Degree: 'rvdd', AcademicTranscript: 'rvhe', Curriculum: 'rvce' } as const

/** What is not valid is not drawn again; the XML, which is the document, stays as it is. */
export async function renewRepresentation(
  context: Context,
  caller: Caller,
  kind: keyof typeof names,
  id: string,
  now: Date,
): Promise<RepresentationView> {
  const { db } = context.store
  const item = await requiredItem(db, caller, kind, id)
  if (item.status !== 'Concluded') throw refuse('invalid-transition', { status: item.status, allowed: 'Concluded' })
  const file = await redrawn(context, representedOf(item), names[kind], now)
  if (!file) throw refuse('file-not-found', { name: names[kind] })
  const { version, digest } = file
  await record(db, caller, { type: 'RepresentationDrawn', entity: { type: kind, id: item.id }, data: { version } }, now)
  return { name: names[kind], version, sha256: digest }
}
