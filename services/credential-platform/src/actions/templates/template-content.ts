import { checkTemplate, RepresentationProblem, templateGuide } from '@chancela/academic-documents/representations'
import type { Static } from 'typebox'
import type { TemplateView } from '../../contract/setup.ts'
import type { readTemplateGuide } from '../../contract/template-previews.ts'
import { wrongData } from '../../rules/refuse.ts'
import { templatePlace } from '../../rules/template-place.ts'

/** What a template of each kind says that it is. */
const kinds = { RVDD: 'degree', RVHE: 'transcript', RVCE: 'curriculum' } as const satisfies Readonly<
  Record<TemplateView['kind'], string>
>

export function guideOf(kind: TemplateView['kind']): Static<(typeof readTemplateGuide)['answer']> {
  const { template, tags, tables } = templateGuide(kinds[kind])
  const own = tables.map(({ table, columns, groups }) => ({ table, columns: [...columns], groups: [...groups] }))
  return { template: { ...template }, tags: [...tags], tables: own }
}

/** Refuses a template by which nothing could be drawn, at the place that is wrong. */
export function requireTemplate(kind: TemplateView['kind'], content: Readonly<Record<string, unknown>>): void {
  if (content.kind !== kinds[kind]) throw wrongData({ 'content.kind': [`must be ${kinds[kind]} for ${kind}`] })
  try {
    checkTemplate(content)
  } catch (error) {
    if (!(error instanceof RepresentationProblem)) throw error
    const { field, text } = templatePlace(error.details.reason ?? '', error.message)
    throw wrongData({ [field]: [text] })
  }
}
