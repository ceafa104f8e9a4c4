import { type MarkTemplate, readMarkTemplate } from '@chancela/signature-engine/pades'
import { readInput } from './files.ts'
import { fromJsonFile } from './json-files.ts'
import { type PlaceOptions, placeOf } from './place-options.ts'

export interface VisibleOptions extends PlaceOptions {
  readonly visible?: boolean
  /** A file with the template of the mark. */
  readonly mark?: string
  readonly text?: readonly string[]
  readonly image?: string
  readonly qr?: string
}

/** What a visible signature shows: its template, or the usual one with the text, picture and QR code that are given. */
export async function markOf(options: VisibleOptions): Promise<MarkTemplate | undefined> {
  const { visible, mark, text = [], image, qr } = options
  const isVisible = visible || mark !== undefined || text.length > 0 || image !== undefined || qr !== undefined
  if (!isVisible) return undefined
  const template = mark === undefined ? await usualMark(options) : await fromJsonFile(mark, readMarkTemplate)
  return { ...template, place: { ...template.place, ...placeOf(options) } }
}

const usualMark = async ({ text = [], image, qr }: VisibleOptions): Promise<MarkTemplate> => ({
  ...(text.length > 0 && { text: { lines: text } }),
  ...(image !== undefined && { image: { data: await readInput(image) } }),
  ...(qr !== undefined && { qrCode: { text: qr } }),
})
