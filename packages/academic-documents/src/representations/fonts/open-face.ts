import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type fontkit from '@pdf-lib/fontkit'
import type { Face } from './faces.ts'
import { readTrueType, type TrueTypeFile } from './true-type.ts'

/** One letter in a face. Widths are in thousandths of the font size. */
export interface Letter {
  readonly glyph: number
  readonly width: number
}

/** A font file, read once for all documents. */
export interface OpenFace {
  readonly face: Face
  readonly file: TrueTypeFile
  readonly ascent: number
  readonly descent: number
  readonly capHeight: number
  /** Left, bottom, right, top of the largest glyphs. */
  readonly box: readonly number[]
  /** Undefined where the face lacks the letter. */
  letter(char: string): Letter | undefined
  /** The letter as a small capital; the letter itself where the face has none. */
  smallCapital(char: string): Letter | undefined
  /** By how much two letters stand closer (negative) or further apart. */
  kerning(left: string, right: string): number
}

const opened = new Map<Face, OpenFace>()

export function openFace(face: Face): OpenFace {
  const known = opened.get(face) ?? readFace(face)
  opened.set(face, known)
  return known
}

type FontFile = ReturnType<typeof fontkit.create>

const require = createRequire(import.meta.url)

/** Loaded with the first face: a quarter of the time a service takes to start, and most processes draw nothing. */
const fontLibrary = () => require('@pdf-lib/fontkit') as typeof fontkit

function readFace(face: Face): OpenFace {
  const bytes = readFileSync(require.resolve(face.file))
  const font = fontLibrary().create(bytes)
  const scale = 1000 / font.unitsPerEm
  const { minX, minY, maxX, maxY } = font.bbox
  const letter = kept((char: string) => plainLetter(font, scale, char))
  return {
    face,
    file: readTrueType(bytes),
    ascent: font.ascent * scale,
    descent: font.descent * scale,
    // Older files do not tell it.
    capHeight: (font.capHeight || 0.7 * font.unitsPerEm) * scale,
    box: [minX, minY, maxX, maxY].map((value) => Math.round(value * scale)),
    letter,
    smallCapital: kept((char: string) => capital(font, scale, char) ?? letter(char)),
    kerning: keptPairs((left, right) => pairKerning(font, scale, left, right)),
  }
}

function plainLetter(font: FontFile, scale: number, char: string): Letter | undefined {
  const codePoint = char.codePointAt(0)!
  if (!font.hasGlyphForCodePoint(codePoint)) return undefined
  const { id, advanceWidth } = font.glyphForCodePoint(codePoint)
  return { glyph: id, width: advanceWidth * scale }
}

function capital(font: FontFile, scale: number, char: string): Letter | undefined {
  if (!font.hasGlyphForCodePoint(char.codePointAt(0)!)) return undefined
  const { glyphs } = font.layout(char, ['smcp'])
  return glyphs.length === 1 ? { glyph: glyphs[0]!.id, width: glyphs[0]!.advanceWidth * scale } : undefined
}

/** Shaping is slow, and texts have few different pairs: each pair is shaped once. */
function pairKerning(font: FontFile, scale: number, left: string, right: string): number {
  const { glyphs, positions } = font.layout(left + right)
  // Drawn together as one: no pair to move. Letters stay apart here, so that every text can be found and copied.
  if (glyphs.length !== 2) return 0
  return (positions[0]!.xAdvance - glyphs[0]!.advanceWidth) * scale
}

function kept<Value>(make: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>()
  return (key) => {
    if (!values.has(key)) values.set(key, make(key))
    return values.get(key)!
  }
}

function keptPairs(make: (left: string, right: string) => number): (left: string, right: string) => number {
  const values = new Map<string, number>()
  return (left, right) => {
    const key = left + right
    const known = values.get(key)
    if (known !== undefined) return known
    const value = make(left, right)
    values.set(key, value)
    return value
  }
}
