import { cleanText } from '../contents/clean-text.ts'
import type { Signatory } from '../contents/degree-tags.ts'
import type { TagTable } from '../contents/tags.ts'
import type { PdfADocument } from '../document.ts'
import type { Color } from '../drawing/colors.ts'
import type { EmbeddedPicture } from '../drawing/pictures.ts'

/** What blocks are drawn with: one document, one template, one set of data. */
export interface Setting {
  readonly document: PdfADocument
  readonly signatories: readonly Signatory[]
  readonly url: string
  valueOf(tag: string): string | undefined
  colorOf(name: string | undefined): Color
  pictureOf(name: string): EmbeddedPicture | undefined
}

interface TemplateParts {
  readonly palette: Readonly<Record<string, string>>
  readonly pictures?: Readonly<Record<string, string>>
}

export function settingOf<Data>(
  document: PdfADocument,
  { palette, pictures = {} }: TemplateParts,
  tags: TagTable<Data>,
  data: Data,
  { url, signatories }: { readonly url: string; readonly signatories: readonly Signatory[] },
): Setting {
  const embedded = new Map<string, EmbeddedPicture>()
  return {
    document,
    signatories: signatories.map(({ name, role }) => ({ name: cleanText(name), role: cleanText(role) })),
    url,
    valueOf: (tag) => tags[tag]?.value(data),
    colorOf: (name = 'text') => (name.startsWith('#') ? name : (palette[name] ?? INK)),
    pictureOf: (name) => {
      if (pictures[name] === undefined) return undefined
      const picture = embedded.get(name) ?? document.picture(name, pictures[name])
      embedded.set(name, picture)
      return picture
    },
  }
}

/** Text whose colour the palette does not have. */
const INK = '#1d1d1f'
