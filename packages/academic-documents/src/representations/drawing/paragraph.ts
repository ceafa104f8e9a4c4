import type { DocumentFonts, Shaped } from '../fonts/document-fonts.ts'
import { type Canvas, MM, type TextStyle } from './canvas.ts'

/** A piece of text in one style. */
export interface Span {
  readonly text: string
  readonly style: TextStyle
}

export const alignments = ['left', 'center', 'right', 'justify'] as const
export type Alignment = (typeof alignments)[number]

export interface ParagraphStyle {
  readonly align: Alignment
  /** Distance of base lines relative to the font size. */
  readonly leading: number
}

interface Piece {
  readonly text: string
  /** Room after it. */
  readonly stretch?: number
  readonly shaped: Shaped
  readonly style: TextStyle
  /** In millimetres. */
  readonly width: number
}

/** What stands between two blanks; its pieces may differ in style. */
interface Word {
  readonly pieces: readonly Piece[]
  readonly width: number
  /** What stands before the next word; nothing after a part of a broken one. */
  readonly blank: Piece | undefined
}

interface Line {
  readonly words: readonly Word[]
  readonly width: number
}

/** Something with a height, drawn from its top. Sizes are in millimetres. */
export interface Placeable {
  readonly height: number
  draw(canvas: Canvas, x: number, y: number): void
}

/** Text broken into lines. */
export interface Paragraph extends Placeable {
  readonly lines: readonly Placeable[]
}

/** Breaks text between words, and inside of a word that alone is too wide. */
export function layOut(
  fonts: DocumentFonts,
  spans: readonly Span[],
  width: number,
  { align, leading }: ParagraphStyle,
): Paragraph {
  const words = wordsOf(fonts, spans).flatMap((word) => (word.width > width ? broken(fonts, word, width) : [word]))
  const lines = align === 'center' ? balanced(words, width) : filled(words, width)
  const size = Math.max(0, ...spans.map(({ style }) => style.size)) / MM
  const ascent = spans[0] ? (fonts.heights(spans[0].style).ascent * size) / 1000 : 0
  const height = size * leading
  // The space of a line is shared above and below its letters.
  const base = (height - size) / 2 + Math.min(ascent, size * 0.82)
  const parts = lines.map((line, at): Placeable => {
    const isLast = at === lines.length - 1
    const aligned = isLast && align === 'justify' ? 'left' : align
    return { height, draw: (canvas, x, y) => drawLine(canvas, line, x, y + base, width, aligned) }
  })
  return { ...stacked(parts), lines: parts }
}

/** Parts below each other. */
export const stacked = (parts: readonly Placeable[]): Placeable => ({
  height: parts.reduce((sum, { height }) => sum + height, 0),
  draw: (canvas, x, y) => {
    let top = y
    for (const part of parts) {
      part.draw(canvas, x, top)
      top += part.height
    }
  },
})

function drawLine(canvas: Canvas, { words, width }: Line, x: number, y: number, room: number, align: Alignment): void {
  const spare = room - width
  const stretch = align === 'justify' && words.length > 1 ? spare / (words.length - 1) : 0
  const start = x + (align === 'center' ? spare / 2 : align === 'right' ? spare : 0)
  const parts = words.flatMap(({ pieces, blank }, at) =>
    blank && at < words.length - 1 ? [...pieces, { ...blank, stretch: stretch + (blank.stretch ?? 0) }] : pieces,
  )
  canvas.text(parts, start, y)
}

function wordsOf(fonts: DocumentFonts, spans: readonly Span[]): Word[] {
  const words: Word[] = []
  let open: Piece[] = []
  let blank: Piece | undefined
  const close = () => {
    if (open.length > 0) words.push({ pieces: open, width: sum(open), blank })
    open = []
  }
  for (const { text, style } of spans) {
    const between = blankOf(fonts, style)
    text.split(BLANKS).forEach((part, at) => {
      if (at > 0) close()
      blank = between
      if (part) open.push(pieceOf(fonts, part, style))
    })
  }
  close()
  return words
}

// A blank that may not be broken stays in its word.
const BLANKS = /[ \t\r\n]+/

const sum = (pieces: readonly Piece[]): number => pieces.reduce((total, { width }) => total + width, 0)

function pieceOf(fonts: DocumentFonts, text: string, style: TextStyle): Piece {
  const shaped = fonts.shape(text, style)
  return { text, shaped, style, width: (shaped.width * style.size) / 1000 / MM }
}

/** A blank between letters that stand apart is as much wider. */
function blankOf(fonts: DocumentFonts, style: TextStyle): Piece {
  const piece = pieceOf(fonts, ' ', style)
  const stretch = (2 * style.spacing * style.size) / 1000 / MM
  return { ...piece, stretch, width: piece.width + stretch }
}

/** Lines as full as they go. */
function filled(words: readonly Word[], width: number): Line[] {
  const lines: Line[] = []
  let line: Word[] = []
  let used = 0
  for (const word of words) {
    const gap = line.at(-1)?.blank?.width ?? 0
    if (line.length > 0 && used + gap + word.width > width + TOLERANCE) {
      lines.push({ words: line, width: used })
      line = [word]
      used = word.width
    } else {
      line.push(word)
      used += gap + word.width
    }
  }
  return line.length > 0 ? [...lines, { words: line, width: used }] : lines
}

/** Sums of widths are not exact. */
const TOLERANCE = 1e-6

/** No more lines than needed, of about the same width: a centred text must not end in a single word. */
function balanced(words: readonly Word[], width: number): Line[] {
  const wanted = filled(words, width)
  let [low, high] = [Math.max(0, ...words.map((word) => word.width)), width]
  for (let step = 0; step < 12 && wanted.length > 1; step++) {
    const middle = (low + high) / 2
    if (filled(words, middle).length > wanted.length) low = middle
    else high = middle
  }
  return filled(words, high)
}

/** A word that is too wide, in parts that are not: behind a sign of an address where there is one, else anywhere. */
function broken(fonts: DocumentFonts, { pieces, blank }: Word, width: number): Word[] {
  const letters = pieces.flatMap(({ text, style }) => [...text].map((letter) => pieceOf(fonts, letter, style)))
  const parts: Piece[][] = []
  for (let rest = letters; rest.length > 0; rest = rest.slice(parts.at(-1)!.length))
    parts.push(rest.slice(0, fitting(rest, width)))
  return parts.map((part, at) => ({
    pieces: part,
    width: sum(part),
    blank: at === parts.length - 1 ? blank : undefined,
  }))
}

const SIGNS = '/?&=#'

/** How many letters the next line takes; at least one. */
function fitting(letters: readonly Piece[], width: number): number {
  let [count, used] = [0, 0]
  while (count < letters.length && used + letters[count]!.width <= width) used += letters[count++]!.width
  if (count === letters.length) return count
  const sign = letters.slice(0, count).findLastIndex(({ text }) => SIGNS.includes(text))
  return Math.max(1, sign > count / 3 ? sign + 1 : count)
}
