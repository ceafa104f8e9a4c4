// Where the words of a text stand in a box.
import type { Color, TextFit } from './drawing.ts'
import type { EmbeddedFont, ShapedText } from './embedded-font.ts'
import { refusePades } from './errors.ts'

/** A run of text in glyphs: line by line, each as its words. */
export interface ShapedRun {
  readonly font: EmbeddedFont
  readonly lines: readonly (readonly ShapedText[])[]
  /** In points; undefined where the box decides. */
  readonly size: number | undefined
  readonly color: Color | undefined
}

/** Glyphs of one run that stand together. */
interface Piece {
  readonly run: ShapedRun
  readonly size: number
  readonly hex: string
  /** In points. */
  readonly width: number
}

export interface TextLine {
  readonly pieces: readonly Piece[]
  readonly width: number
  readonly ascent: number
  readonly descent: number
}

interface TextLayout {
  readonly lines: readonly TextLine[]
  readonly height: number
}

const USUAL: TextFit = { least: 1, most: 12 }
const STEP = 0.25

/** Lines that fit the width where words allow it; what has no size of its own is as large as the box allows. */
export function layOutText(runs: readonly ShapedRun[], width: number, height: number, fit?: TextFit): TextLayout {
  const { least, most } = fit ?? USUAL
  const steps = Math.max(0, Math.ceil((most - least) / STEP))
  const atStep = (step: number) => wrapped(wordsIn(runs, Math.min(most, least + step * STEP)), width)
  const fits = (layout: TextLayout) => layout.height <= height && layout.lines.every((line) => line.width <= width)
  let best = atStep(steps)
  if (fits(best) || (!fit && runs.every(({ size }) => size !== undefined))) return best
  best = atStep(0)
  if (fit && !fits(best)) throw refusePades('pades.text-does-not-fit', { least, width, height })
  // Halving what is left: each look lays out all of the text.
  for (let [fitting, tooLarge] = [0, steps]; tooLarge - fitting > 1; ) {
    const middle = (fitting + tooLarge) >> 1
    const layout = atStep(middle)
    if (fits(layout)) [fitting, best] = [middle, layout]
    else tooLarge = middle
  }
  return best
}

/** What stands between two spaces, or `end` where a line ends by itself; it may begin in one run and end in another. */
type Word = { readonly pieces: Piece[]; space: Piece | undefined } | 'end'

function wordsIn(runs: readonly ShapedRun[], usual: number): Word[] {
  const words: Word[] = []
  let open: Exclude<Word, 'end'> | undefined
  const close = (space: Piece | undefined) => {
    if (open) open.space = space
    open = undefined
  }
  for (const run of runs) {
    const size = run.size ?? usual
    const piece = ({ hex, width }: ShapedText): Piece => ({ run, size, hex, width: (width * size) / 1000 })
    run.lines.forEach((line, row) => {
      if (row > 0) {
        close(undefined)
        words.push('end')
      }
      line.forEach((word, at) => {
        if (at > 0) close(piece(run.font.space))
        if (!open) {
          open = { pieces: [], space: undefined }
          words.push(open)
        }
        open.pieces.push(piece(word))
      })
    })
  }
  return words
}

function wrapped(words: readonly Word[], most: number): TextLayout {
  const lines: TextLine[] = []
  let pieces: Piece[] = []
  let width = 0
  let space: Piece | undefined
  const add = (added: readonly Piece[]) => {
    pieces.push(...added)
    width += widthOf(added)
  }
  const end = () => {
    lines.push(lineOf(pieces, width))
    pieces = []
    width = 0
    space = undefined
  }
  for (const word of words) {
    if (word === 'end') {
      end()
      continue
    }
    if (space && width + space.width + widthOf(word.pieces) > most) end()
    if (space) add([space])
    add(word.pieces)
    space = word.space
  }
  end()
  return { lines, height: lines.reduce((sum, { ascent, descent }) => sum + ascent + descent, 0) }
}

const widthOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { width }) => sum + width, 0)

function lineOf(pieces: readonly Piece[], width: number): TextLine {
  const tallest = (part: 'ascent' | 'descent') =>
    Math.max(0, ...pieces.map(({ run, size }) => (run.font[part] * size) / 1000))
  return { pieces: joined(pieces), width, ascent: tallest('ascent'), descent: tallest('descent') }
}

/** Neighbours of one run become one piece: text that is copied keeps its spaces. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const found: Piece[] = []
  for (const piece of pieces) {
    const last = found.at(-1)
    if (last?.run === piece.run)
      found[found.length - 1] = { ...last, hex: last.hex + piece.hex, width: last.width + piece.width }
    else found.push(piece)
  }
  return found
}
