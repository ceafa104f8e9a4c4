import { drawManifest } from './draw-manifest.ts'
import { embedFonts, newDocument, saved } from './pdf-library.ts'
import type { RenditionLanguage, SignaturesInfo } from './rendition-info.ts'

/** A document about the signatures of a document: who, when and how, with the address where they are verified. */
export async function signaturesManifest(info: SignaturesInfo, language: RenditionLanguage = 'pt'): Promise<Buffer> {
  const bench = await newDocument()
  await drawManifest(bench, await embedFonts(bench), info, language)
  return saved(bench)
}
