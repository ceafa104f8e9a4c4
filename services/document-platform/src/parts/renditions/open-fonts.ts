import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { PDFDocument } from '@cantoo/pdf-lib'
import fontkit from '@pdf-lib/fontkit'
import type { Fonts } from './pdf-library.ts'

const { resolve } = createRequire(import.meta.url)

/** DejaVu Sans has the letters of every language written in Latin, Greek or Cyrillic; visible signatures use it too. */
export const fontFiles: Readonly<Record<keyof Fonts, Buffer>> = {
  regular: readFileSync(resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
  bold: readFileSync(resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
}

type Fontkit = Parameters<PDFDocument['registerFontkit']>[0]
type OpenedFont = ReturnType<typeof fontkit.create>
type Glyph = OpenedFont['layout'] extends (...given: never[]) => { glyphs: (infer One)[] } ? One : never

const opened = new Map<Uint8Array, OpenedFont>()

/** Font reader for the PDF library: parses each file once, since parsing takes longer than drawing a page. */
export const fontReader = {
  create(file: Uint8Array) {
    const font = opened.get(file) ?? adapted(fontkit.create(file))
    opened.set(file, font)
    return font
  },
} as Fontkit

/**
 * Replaces two methods of the font. `layout` maps each character to one glyph, a hundred times faster than shaping for
 * scripts we do not write; each glyph keeps its character, which a font shared by several documents loses. And the
 * library mistakes the inner `encode` of a subset for one that returns bytes.
 */
function adapted(font: OpenedFont): OpenedFont {
  const glyphOf = kept((codePoint: number) => {
    const { id, advanceWidth } = font.glyphForCodePoint(codePoint)
    return { id, advanceWidth, codePoints: [codePoint] } as Glyph
  })
  const createSubset = font.createSubset.bind(font)
  return Object.assign(font, {
    layout: (text: string) => ({ glyphs: [...text.normalize('NFC')].map((char) => glyphOf(char.codePointAt(0)!)) }),
    createSubset: () => {
      const subset = createSubset()
      return { includeGlyph: subset.includeGlyph.bind(subset), encodeStream: subset.encodeStream.bind(subset) }
    },
  })
}

function kept<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>()
  return (key) => {
    const value = values.get(key) ?? make(key)
    values.set(key, value)
    return value
  }
}
