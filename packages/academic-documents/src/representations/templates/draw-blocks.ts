import type { PdfADocument } from '../document.ts'
import { type Canvas, MM } from '../drawing/canvas.ts'
import { type Color, tint } from '../drawing/colors.ts'
import { rosette, waveCell } from '../drawing/guilloche.ts'
import type { Placeable } from '../drawing/paragraph.ts'
import { RepresentationProblem } from '../errors.ts'
import type { Block, BlockOf } from './blocks.ts'
import { flowOf } from './flow.ts'
import type { Setting } from './setting.ts'

/** Draws blocks in their order: the last lies on top. */
export function drawBlocks(canvas: Canvas, blocks: readonly Block[], setting: Setting): void {
  for (const block of blocks) painters[block.kind](canvas, block as never, setting)
}

type Painters = { readonly [Kind in Block['kind']]: (canvas: Canvas, block: BlockOf<Kind>, setting: Setting) => void }

const painters: Painters = {
  flow: drawFlow,
  picture: drawPicture,
  border: drawBorder,
  rosette: (canvas, { x, y, radius, color, share = 1 }, setting) =>
    canvas.at(x, y, canvas.show(largeRosette(setting.document, radius, tint(setting.colorOf(color), share)))),
  panel: (canvas, { x, y, width, height, color, share = 1, line = false }, setting) => {
    const paint = tint(setting.colorOf(color), share)
    if (line) canvas.frame({ x, y, width, height }, paint, 0.6)
    else canvas.rectangle({ x, y, width, height }, paint)
  },
  qr: (canvas, { x, y, side }, setting) => drawQrCode(canvas, setting, x, y, side),
}

/** The share of its size to which letters and room may shrink, and by how much at a time. */
const SMALLEST = 0.5
const STEP = 0.96

function drawFlow(canvas: Canvas, block: BlockOf<'flow'>, setting: Setting): void {
  if (block.when !== undefined && setting.valueOf(block.when) === undefined) return
  const { x, y, height, anchor = 'top' } = block
  const flow = fitting(block, setting)
  const spare = height - flow.height
  flow.draw(canvas, x, y + { top: 0, middle: spare / 2, bottom: spare }[anchor])
}

function fitting({ items, width, height }: BlockOf<'flow'>, setting: Setting): Placeable {
  for (let scale = 1; scale >= SMALLEST; scale *= STEP) {
    const flow = flowOf(items, width, scale, setting)
    if (flow.height <= height) return flow
  }
  const part = items.flatMap((item) => (item.kind === 'text' ? [item.text] : []))[0] ?? 'fields'
  throw new RepresentationProblem('content.too-long', { part: part.slice(0, 60) })
}

function drawPicture(canvas: Canvas, block: BlockOf<'picture'>, setting: Setting): void {
  const picture = setting.pictureOf(block.picture)
  if (!picture) return
  const { x, y, width, height, fit = 'contain' } = block
  const shown = fit === 'stretch' ? width : Math.min(width, height * picture.ratio)
  const tall = fit === 'stretch' ? height : shown / picture.ratio
  canvas.picture(picture.object, { x: x + (width - shown) / 2, y: y + (height - tall) / 2, width: shown, height: tall })
}

/** On white, with the quiet zone that readers need (ISO/IEC 18004 §6.3.8 asks for four modules). */
export function drawQrCode(canvas: Canvas, setting: Setting, x: number, y: number, side: number): void {
  const quiet = side * 0.1
  canvas.rectangle({ x, y, width: side, height: side }, '#ffffff')
  const inner = { x: x + quiet, y: y + quiet, width: side - 2 * quiet, height: side - 2 * quiet }
  canvas.picture(setting.document.qrCode(setting.url), inner)
}

const largeRosette = (document: PdfADocument, radius: number, color: Color) =>
  document.drawing(`rosette ${radius} ${color}`, (radius + 1) * MM, () =>
    [
      rosette({ radius, petals: 18, rings: 6, swing: 0.52 }, color, 0.35),
      rosette({ radius: radius * 0.62, petals: 12, rings: 5, swing: 0.7 }, color, 0.35),
      rosette({ radius: radius * 0.3, petals: 9, rings: 4, swing: 0.8 }, color, 0.35),
    ].join('\n'),
  )

function drawBorder(canvas: Canvas, block: BlockOf<'border'>, setting: Setting): void {
  const { inset, band, style } = block
  const color = setting.colorOf(block.color)
  const accent = setting.colorOf(block.accent ?? block.color)
  const { width, height } = canvas.size
  const frame = (from: number, paint: Color, line: number) =>
    canvas.frame({ x: from, y: from, width: width - 2 * from, height: height - 2 * from }, paint, line)
  frame(inset, color, 1.4)
  frame(inset + 1.1, accent, 0.4)
  frame(inset + band - 1.1, accent, 0.4)
  frame(inset + band, color, 0.9)
  if (style === 'guilloche') drawWaves(canvas, setting.document, inset, band, color, accent)
}

/** Waves along the four sides, and a rosette over each corner. */
function drawWaves(
  canvas: Canvas,
  document: PdfADocument,
  inset: number,
  band: number,
  color: Color,
  accent: Color,
): void {
  const { width, height } = canvas.size
  const inner = band - 2.6
  const middle = inset + band / 2
  const corner = band * 0.5
  const sides = [
    { x: middle, y: middle, length: width - 2 * middle, degrees: 0 },
    { x: middle, y: height - middle, length: width - 2 * middle, degrees: 0 },
    { x: middle, y: height - middle, length: height - 2 * middle, degrees: 90 },
    { x: width - middle, y: height - middle, length: height - 2 * middle, degrees: 90 },
  ]
  for (const { x, y, length, degrees } of sides) {
    const count = Math.round(length / (band * 1.3))
    const cell = length / count
    const drawing = document.drawing(`waves ${cell} ${band} ${color} ${accent}`, (cell + band) * MM, () =>
      [waveCell(cell, inner, tint(color, 0.75), 0.3), waveCell(cell, inner * 0.55, tint(accent, 0.85), 0.3)].join('\n'),
    )
    for (let at = 0; at < count; at++) {
      const [dx, dy] = degrees === 0 ? [at * cell, 0] : [0, -at * cell]
      canvas.at(x + dx, y + dy, canvas.show(drawing), degrees)
    }
  }
  const knot = document.drawing(`knot ${band} ${color} ${accent}`, (corner + 3) * MM, () =>
    [
      rosette({ radius: corner + 1.6, petals: 16, rings: 4, swing: 0.55 }, color, 0.4),
      rosette({ radius: corner * 0.7, petals: 10, rings: 4, swing: 0.8 }, accent, 0.4),
    ].join('\n'),
  )
  for (const x of [middle, width - middle])
    for (const y of [middle, height - middle]) {
      const half = corner + 2
      canvas.rectangle({ x: x - half, y: y - half, width: 2 * half, height: 2 * half }, '#ffffff')
      canvas.frame({ x: x - half, y: y - half, width: 2 * half, height: 2 * half }, color, 0.9)
      canvas.at(x, y, canvas.show(knot))
    }
}
