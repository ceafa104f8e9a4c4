import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'
import type fontkit from '@pdf-lib/fontkit'
import { dict, name, type PdfObject, type PdfRef } from '../pdf/pdf-object.ts'
import type { TextStyle } from './drawing.ts'
import { writtenOnce } from './written-once.ts'

/** A word, or a whole line, in glyphs of an embedded font. */
export interface ShapedText {
  /** Operand of `Tj`: two bytes per glyph, in hexadecimal. */
  readonly hex: string
  /** In thousandths of the font size. */
  readonly width: number
}

/** An embedded font subset: PDF/A requires it, and viewers need no font of their own. */
export interface EmbeddedFont {
  /** Heights above and below the line, in thousandths of the font size. */
  readonly ascent: number
  readonly descent: number
  /** Each line as its words, which may be wrapped over more lines. */
  readonly lines: readonly (readonly ShapedText[])[]
  readonly space: ShapedText
  /** Writes the font's objects. */
  write(add: (object: PdfObject) => PdfRef): PdfRef
}

type FontFile = ReturnType<typeof fontkit.create>

interface Face {
  readonly name: string
  /** Degrees counterclockwise. */
  readonly italicAngle: number
  /** Thickness of upright strokes, in thousandths of the font size. */
  readonly stem: number
}

/** DejaVu Sans has the letters of every language written in Latin, Greek or Cyrillic. */
const faces: Readonly<Record<TextStyle, Face>> = {
  normal: { name: 'DejaVuSans', italicAngle: 0, stem: 80 },
  bold: { name: 'DejaVuSans-Bold', italicAngle: 0, stem: 140 },
  italic: { name: 'DejaVuSans-Oblique', italicAngle: -11, stem: 80 },
}

const require = createRequire(import.meta.url)

/** Loaded with the first font: a quarter of the time a service takes to start, and most processes draw nothing. */
const fontLibrary = () => require('@pdf-lib/fontkit') as typeof fontkit

const opened = new Map<Face, FontFile>()

function openFont(face: Face): FontFile {
  const known = opened.get(face)
  if (known) return known
  const path = require.resolve(`dejavu-fonts-ttf/ttf/${face.name}.ttf`)
  const font = fontLibrary().create(readFileSync(path))
  opened.set(face, font)
  return font
}

/** Stands for letters that the font lacks: ISO 19005-2 §6.2.11.8 forbids the glyph that fonts have for them. */
const REPLACEMENT = 0xfffd

/** Shapes lines and embeds the glyphs they need. */
export async function embedFont(texts: readonly string[], style: TextStyle): Promise<EmbeddedFont> {
  const face = faces[style]
  const font = openFont(face)
  const scale = 1000 / font.unitsPerEm
  const subset = font.createSubset()
  const used = new Map<number, { readonly width: number; readonly codePoint: number }>()
  // A font is slow to ask, and texts have few different letters.
  const known = new Map<string, ShapedText>()
  const shapeOne = (char: string): ShapedText => {
    const asked = char.codePointAt(0)!
    const codePoint = font.hasGlyphForCodePoint(asked) ? asked : REPLACEMENT
    const glyph = font.glyphForCodePoint(codePoint)
    const id = subset.includeGlyph(glyph)
    const width = glyph.advanceWidth * scale
    used.set(id, { width, codePoint })
    const shaped = { hex: hex4(id), width }
    known.set(char, shaped)
    return shaped
  }
  const shape = (text: string): ShapedText => {
    let hex = ''
    let width = 0
    for (const char of text) {
      const one = known.get(char) ?? shapeOne(char)
      hex += one.hex
      width += one.width
    }
    return { hex, width }
  }
  const space = shape(' ')
  const lines = texts.map((text) => text.split(/\s+/).map(shape))
  const file = await encoded(subset)
  return {
    ascent: font.ascent * scale,
    descent: -font.descent * scale,
    lines,
    space,
    write: writtenOnce((add) => writeFont(face, font, scale, file, used, add)),
  }
}

function encoded(subset: ReturnType<FontFile['createSubset']>): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = []
    subset
      .encodeStream()
      .on('data', (part: Uint8Array) => parts.push(part))
      .on('end', () => resolve(Buffer.concat(parts)))
  })
}

/** A Type0 font over a TrueType subset (ISO 32000-1 §9.7), its character codes being the subset's glyph numbers. */
function writeFont(
  face: Face,
  font: FontFile,
  scale: number,
  file: Buffer,
  used: ReadonlyMap<number, { readonly width: number; readonly codePoint: number }>,
  add: (object: PdfObject) => PdfRef,
): PdfRef {
  // §9.6.4: a subset's name begins with six letters and a plus sign.
  const fontName = name(`CHANCE+${face.name}`)
  const { minX, minY, maxX, maxY } = font.bbox
  const descriptor = add(
    dict({
      Type: name('FontDescriptor'),
      FontName: fontName,
      Flags: 4,
      FontBBox: [minX, minY, maxX, maxY].map((value) => Math.round(value * scale)),
      ItalicAngle: face.italicAngle,
      Ascent: Math.round(font.ascent * scale),
      Descent: Math.round(font.descent * scale),
      CapHeight: 729,
      StemV: face.stem,
      CIDSet: add(compressed(cidSet(glyphsIn(file)))),
      FontFile2: add(compressed(file, { Length1: file.length })),
    }),
  )
  const ids = [...used.keys()].sort((a, b) => a - b)
  const descendant = add(
    dict({
      Type: name('Font'),
      Subtype: name('CIDFontType2'),
      BaseFont: fontName,
      CIDSystemInfo: dict({ Registry: ascii('Adobe'), Ordering: ascii('Identity'), Supplement: 0 }),
      FontDescriptor: descriptor,
      W: ids.flatMap((id) => [id, [Math.round(used.get(id)!.width * 100) / 100]]),
      CIDToGIDMap: name('Identity'),
    }),
  )
  return add(
    dict({
      Type: name('Font'),
      Subtype: name('Type0'),
      BaseFont: fontName,
      Encoding: name('Identity-H'),
      DescendantFonts: [descendant],
      ToUnicode: add(
        compressed(Buffer.from(toUnicode(ids.map((id) => [id, used.get(id)!.codePoint] as const)), 'latin1')),
      ),
    }),
  )
}

/** ISO 19005-1 §6.3.5, and 19005-2 §6.2.11.4.2: a bit for each glyph that is in the file, its parts included. */
function cidSet(glyphs: number): Buffer {
  const bits = Buffer.alloc(Math.ceil(glyphs / 8))
  for (let id = 0; id < glyphs; id++) bits[id >> 3]! |= 0x80 >> (id & 7)
  return bits
}

/** Of the table maxp: composite glyphs have brought parts that no text has asked for. */
function glyphsIn(file: Buffer): number {
  for (let at = 12; at < 12 + 16 * file.readUInt16BE(4); at += 16)
    if (file.toString('latin1', at, at + 4) === 'maxp') return file.readUInt16BE(file.readUInt32BE(at + 8) + 4)
  return 0
}

const ascii = (text: string): PdfObject => ({ kind: 'string', bytes: Buffer.from(text, 'latin1'), hex: false })

const compressed = (data: Uint8Array, entries: Readonly<Record<string, PdfObject>> = {}): PdfObject => ({
  kind: 'stream',
  dict: dict({ ...entries, Filter: name('FlateDecode') }),
  raw: deflateSync(data),
})

/** §9.10.3: lets text be searched, copied and read aloud. */
function toUnicode(mappings: readonly (readonly [number, number])[]): string {
  const blocks: string[] = []
  for (let i = 0; i < mappings.length; i += 100) {
    const rows = mappings.slice(i, i + 100).map(([id, codePoint]) => `<${hex4(id)}> <${utf16(codePoint)}>`)
    blocks.push(`${rows.length} beginbfchar\n${rows.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}

const hex4 = (value: number): string => value.toString(16).padStart(4, '0')
const utf16 = (codePoint: number): string =>
  Buffer.from(String.fromCodePoint(codePoint), 'utf16le').swap16().toString('hex')
