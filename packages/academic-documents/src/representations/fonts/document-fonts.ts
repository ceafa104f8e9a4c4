import { RepresentationProblem } from '../errors.ts'
import type { PdfFileWriter } from '../pdf/pdf-file-writer.ts'
import { array, dict, number, type ObjectNumber, type PdfText, plainString, ref } from '../pdf/syntax.ts'
import { type FaceStyle, facesOf } from './faces.ts'
import { type Letter, type OpenFace, openFace } from './open-face.ts'
import { subsetTrueType } from './true-type.ts'

/** How text looks, apart from its size and colour. */
export interface LetterStyle extends FaceStyle {
  readonly smallCaps: boolean
  /** Added after each letter, in thousandths of the font size. */
  readonly spacing: number
}

/** Letters of one font in sequence. */
interface Run {
  /** Name of the font among the resources of a page. */
  readonly font: string
  /** Operand of `TJ`. */
  readonly shown: PdfText
}

/** A text ready to be shown, without line breaks. */
export interface Shaped {
  readonly runs: readonly Run[]
  /** In thousandths of the font size. */
  readonly width: number
}

/** The fonts of one document: each face holds exactly the letters that were shaped. */
export class DocumentFonts {
  private readonly faces: UsedFace[] = []
  private readonly byFace = new Map<OpenFace, UsedFace>()
  private readonly shaped = new Map<string, Shaped>()

  shape(text: string, style: LetterStyle): Shaped {
    const key = `${style.family}${+style.bold}${+style.italic}${+style.smallCaps}${style.spacing}|${text}`
    const known = this.shaped.get(key) ?? this.shapeNew(text, style)
    this.shaped.set(key, known)
    return known
  }

  /** Heights above and below the base line in thousandths of the font size. */
  heights(style: FaceStyle): { readonly ascent: number; readonly descent: number } {
    return openFace(facesOf(style)[0]!)
  }

  /** Writes the fonts; returns the dictionary of resources. */
  write(file: PdfFileWriter): PdfText {
    return dict(Object.fromEntries(this.faces.map((face) => [face.name, ref(face.write(file))])))
  }

  private shapeNew(text: string, style: LetterStyle): Shaped {
    const faces = facesOf(style).map(openFace)
    const runs: OpenRun[] = []
    let width = 0
    let before: Placed | undefined
    for (const char of text.normalize('NFC')) {
      const placed = this.place(char, style, faces)
      const gap = before ? style.spacing + kerningBetween(before, placed, style) : 0
      runs.at(-1)?.shift(gap)
      width += gap
      if (before?.face !== placed.face) runs.push(new OpenRun(placed.face.name))
      runs.at(-1)!.letter(placed.code)
      width += placed.letter.width
      before = placed
    }
    return { runs: runs.map((run) => run.closed()), width }
  }

  private place(char: string, style: LetterStyle, faces: readonly OpenFace[]): Placed {
    const having = faces.find((face) => face.letter(char))
    const letter = style.smallCaps ? having?.smallCapital(char) : having?.letter(char)
    if (!having || !letter) throw new RepresentationProblem('content.letter', { letter: char })
    const face = this.used(having)
    return { char, face, letter, code: face.code(letter, char) }
  }

  private used(open: OpenFace): UsedFace {
    const known = this.byFace.get(open)
    if (known) return known
    const face = new UsedFace(open, `F${this.faces.length + 1}`)
    this.faces.push(face)
    this.byFace.set(open, face)
    return face
  }
}

interface Placed {
  readonly char: string
  readonly face: UsedFace
  readonly letter: Letter
  readonly code: number
}

const kerningBetween = (left: Placed, right: Placed, { smallCaps }: LetterStyle): number =>
  smallCaps || left.face !== right.face ? 0 : left.face.open.kerning(left.char, right.char)

/** `TJ` moves to the left by what it is given. */
class OpenRun {
  private readonly font: string
  private shown = '[<'

  constructor(font: string) {
    this.font = font
  }

  letter(code: number): void {
    this.shown += hex4(code)
  }

  shift(by: number): void {
    if (by !== 0) this.shown += `>${number(-by)}<`
  }

  closed(): Run {
    return { font: this.font, shown: `${this.shown}>]` }
  }
}

/** A face with the letters that a document has of it. Codes are the numbers of glyphs in the part that is embedded. */
class UsedFace {
  readonly open: OpenFace
  readonly name: string
  private readonly codes = new Map<number, number>([[0, 0]])
  private readonly letters: (readonly [Letter, string])[] = []

  constructor(open: OpenFace, name: string) {
    this.open = open
    this.name = name
  }

  code(letter: Letter, char: string): number {
    const known = this.codes.get(letter.glyph)
    if (known !== undefined) return known
    this.letters.push([letter, char])
    this.codes.set(letter.glyph, this.codes.size)
    return this.codes.size - 1
  }

  /** A Type0 font over a TrueType part (ISO 32000-1 §9.7). */
  write(file: PdfFileWriter): ObjectNumber {
    const { face } = this.open
    const subset = subsetTrueType(this.open.file, [...this.codes.keys()])
    // §9.6.4: the name of a part begins with six letters and a plus sign.
    const baseFont = `/CHANCE+${face.name}`
    const descendant = dict({
      Type: '/Font',
      Subtype: '/CIDFontType2',
      BaseFont: baseFont,
      CIDSystemInfo: dict({ Registry: plainString('Adobe'), Ordering: plainString('Identity'), Supplement: 0 }),
      FontDescriptor: ref(this.writeDescriptor(file, baseFont, subset)),
      W: array([1, array(this.letters.map(([{ width }]) => width))]),
      CIDToGIDMap: '/Identity',
    })
    return file.add(
      dict({
        Type: '/Font',
        Subtype: '/Type0',
        BaseFont: baseFont,
        Encoding: '/Identity-H',
        DescendantFonts: array([ref(file.add(descendant))]),
        ToUnicode: ref(file.addStream({}, toUnicode(this.letters.map(([, char]) => char)))),
      }),
    )
  }

  private writeDescriptor(
    file: PdfFileWriter,
    baseFont: PdfText,
    { bytes, glyphs }: ReturnType<typeof subsetTrueType>,
  ) {
    const { face, box, ascent, descent, capHeight } = this.open
    return file.add(
      dict({
        Type: '/FontDescriptor',
        FontName: baseFont,
        Flags: face.italicAngle === 0 ? 4 : 68,
        FontBBox: array([...box]),
        ItalicAngle: face.italicAngle,
        Ascent: Math.round(ascent),
        Descent: Math.round(descent),
        CapHeight: Math.round(capHeight),
        StemV: face.stem,
        FontFile2: ref(file.addStream({ Length1: bytes.length }, bytes)),
        // ISO 19005-1 §6.3.5: which glyphs the part has, one bit each.
        CIDSet: ref(file.addStream({}, presentBits(glyphs))),
      }),
    )
  }
}

function presentBits(glyphs: number): Buffer {
  const bits = Buffer.alloc(Math.ceil(glyphs / 8))
  for (let at = 0; at < glyphs; at++) bits[at >> 3]! |= 0x80 >> (at & 7)
  return bits
}

/** ISO 32000-1 §9.10.3: lets text be searched, copied and read aloud. Code 1 is the first letter. */
function toUnicode(chars: readonly string[]): PdfText {
  const blocks: string[] = []
  for (let start = 0; start < chars.length; start += 100) {
    const rows = chars.slice(start, start + 100).map((char, at) => `<${hex4(start + at + 1)}> <${utf16(char)}>`)
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
const utf16 = (char: string): string => Buffer.from(char, 'utf16le').swap16().toString('hex')
