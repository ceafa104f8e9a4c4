import Type, { type Static } from 'typebox'
import { degreeTags } from '../contents/degree-tags.ts'
import { Blocks, common } from './blocks.ts'
import { checkShape, invalid, requireKnownNames, requireKnownTags, textsOf } from './check-template.ts'
import { readRichText, tagsIn } from './rich-text.ts'

/** How a degree looks: one page with its text, one with its registration. */
export const DegreeTemplate = Type.Object(
  { kind: Type.Literal('degree'), ...common, front: Blocks, back: Blocks },
  { additionalProperties: false },
)
export type DegreeTemplate = Static<typeof DegreeTemplate>

/** The template, or the problem it has. */
export function checkDegreeTemplate(template: unknown): DegreeTemplate {
  const checked = checkShape(DegreeTemplate, template)
  const { front, back, palette, pictures = {} } = checked
  requireKnownTags([...textsOf(front), ...textsOf(back)], Object.keys(degreeTags))
  requireKnownNames([...front, ...back], [], palette, pictures)
  // What makes a page a representation of a digital degree (credentials-platform facts 1.7).
  if (!textsOf(front).some((text) => tagsIn(readRichText(text)).includes('codigo')))
    throw invalid('the front does not show {{codigo}}')
  if (!back.some(({ kind }) => kind === 'qr')) throw invalid('the back has no QR code')
  return checked
}
