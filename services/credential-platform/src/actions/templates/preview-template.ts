// A template while somebody designs it, with data that nobody has or those of a document.
import type { Static } from 'typebox'
import type { Context } from '../../context.ts'
import type { TemplateView } from '../../contract/setup.ts'
import type { previewTemplate } from '../../contract/template-previews.ts'
import type { Previews } from '../../parts/previews/previews.ts'
import { refuse } from '../../rules/refuse.ts'
import type { Caller } from '../../rules/rights.ts'
import { representedOf, requiredItem } from '../items/item-reads.ts'
import { shownOf, sourceOf } from '../items/representations.ts'
import { requireTemplate } from './template-content.ts'

/** Whose data each kind of template shows. */
const shownKinds = {
  RVDD: { kind: 'Degree', name: 'rvdd' },
  RVHE: { kind: 'AcademicTranscript', name: 'rvhe' },
  RVCE: { kind: 'Curriculum', name: 'rvce' },
} as const

export async function preview(
  { context, previews }: { readonly context: Context; readonly previews: Previews },
  caller: Caller,
  { kind, content, itemId }: Static<typeof previewTemplate.body>,
  signal: AbortSignal,
): Promise<Buffer> {
  requireTemplate(kind, content)
  const shown = itemId ? await shownItem(context, caller, kind, itemId) : undefined
  return previews.draw({ template: content, shown }, signal)
}

async function shownItem(context: Context, caller: Caller, template: TemplateView['kind'], id: string) {
  const { kind, name } = shownKinds[template]
  const item = await requiredItem(context.store.db, caller, kind, id)
  const source = await sourceOf(context, representedOf(item), name)
  if (!source) throw refuse('file-not-found', { name })
  return shownOf(context, source, source.xml)
}
