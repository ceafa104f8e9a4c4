import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { RepresentationProblem } from '../errors.ts'
import type { Block, FlowItem } from './blocks.ts'
import { explainProblem } from './explain-problem.ts'
import { readRichText, tagsIn } from './rich-text.ts'

const validators = new Map<TSchema, Validator>()

/** The template, or a problem that names the first place that is not as it should be. */
export function checkShape<Schema extends TSchema>(schema: Schema, template: unknown): Static<Schema> {
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  if (validator.Check(template)) return template as Static<Schema>
  throw invalid(explainProblem(schema, template) ?? 'it does not fit its schema')
}

export const invalid = (reason: string) => new RepresentationProblem('template.invalid', { reason })

/** Every text in blocks, with those that say where a tag is needed. */
export const textsOf = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) =>
    block.kind === 'flow' ? [...condition(block.when), ...block.items.flatMap(textsOfItem)] : [],
  )

export const textsOfItem = (item: FlowItem): string[] => [...condition(item.when), ...ownTexts(item)]

function ownTexts(item: FlowItem): string[] {
  if (item.kind === 'text') return [item.text]
  if (item.kind === 'fields') return item.rows.flatMap(({ label, value }) => [label, value])
  return item.kind === 'signatures' && item.note ? [item.note] : []
}

const condition = (when: string | undefined): string[] => (when === undefined ? [] : [`{{${when}}}`])

/** Refuses a tag that the table does not have, by its name, whether a document would need it or not. */
export function requireKnownTags(texts: readonly string[], known: readonly string[]): void {
  const names = new Set(known)
  const unknown = texts.flatMap((text) => tagsIn(readRichText(text))).find((name) => !names.has(name))
  if (unknown !== undefined)
    throw new RepresentationProblem('template.unknown-tag', { tag: unknown, known: known.join(', ') })
}

/** Colours are of the palette or written out; pictures are in the template. */
export function requireKnownNames(
  blocks: readonly Block[],
  items: readonly FlowItem[],
  palette: Readonly<Record<string, string>>,
  pictures: Readonly<Record<string, string>>,
): void {
  const all = [...items, ...blocks.flatMap((block) => (block.kind === 'flow' ? block.items : []))]
  const colors = [...all, ...blocks].flatMap((part) =>
    ['color', 'accent', 'labelColor'].map((key) => (part as Record<string, unknown>)[key]),
  )
  const unknown = colors.find((color) => typeof color === 'string' && !color.startsWith('#') && !palette[color])
  if (unknown !== undefined) throw invalid(`the palette has no colour ${String(unknown)}`)
  for (const block of blocks)
    if (block.kind === 'picture' && !block.optional && pictures[block.picture] === undefined)
      throw new RepresentationProblem('template.unknown-picture', { picture: block.picture })
}
