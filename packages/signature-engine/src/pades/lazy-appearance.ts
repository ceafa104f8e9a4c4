import { requireArguments } from '../errors/arguments.ts'
import type { Appearance } from './appearance.ts'
import type { Drawing } from './drawing.ts'
import type { AppearancePlace, DrawnAppearance } from './drawn-appearance.ts'
import type { MarkTemplate } from './mark-template.ts'
import type { MarkValues } from './mark-values.ts'

/**
 * Draws a visible signature once; it can then be put into any number of documents. Fonts, images and their libraries
 * are loaded only by the first drawing: invisible signatures, which are most, do not pay for them.
 */
export async function drawAppearance(appearance: Appearance): Promise<DrawnAppearance> {
  requireArguments('drawAppearance', { appearance: [appearance, 'object'] })
  const [drawn] = await drawAppearances([appearance])
  return drawn!
}

/** The same for several pictures that go into one document together, and share one font there. */
export async function drawAppearances(appearances: readonly Appearance[]): Promise<DrawnAppearance[]> {
  requireArguments('drawAppearances', { appearances: [appearances, 'list'] })
  const { draw } = await import('./draw-appearance.ts')
  return draw(appearances)
}

/** Draws the mark of a template for a signature that is to be made; `place` overrides what the template says of it. */
export async function drawMark(
  template: MarkTemplate,
  values: MarkValues,
  place: Partial<AppearancePlace> = {},
): Promise<DrawnAppearance> {
  requireArguments('drawMark', { template: [template, 'object'], values: [values, 'object'] }, values, [
    'certificate',
    'now',
  ])
  const { drawTemplate } = await import('./mark-template.ts')
  return drawTemplate(template, values, place)
}

/** Draws pictures of elements in boxes, such as marks on pages, for one document. */
export async function drawElements(drawings: readonly Drawing[]): Promise<DrawnAppearance[]> {
  requireArguments('drawElements', { drawings: [drawings, 'list'] })
  const { drawAll } = await import('./draw-elements.ts')
  return drawAll(drawings)
}
