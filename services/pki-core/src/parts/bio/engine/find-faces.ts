// Where the faces of a picture are: the detector's anchors, decoded.

import type { Run } from './models.ts'
import { cut, type Picture, type Point, placeIn, type Square } from './picture.ts'

/** A face as the detector sees it, in pixels of the picture. */
export interface Found {
  readonly score: number
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** The eye at the left of the picture, and the one at the right. */
  readonly eyes: readonly [Point, Point]
}

const SIZE = 256
/** Two grids over the picture: cells of a side, and anchors in each. */
const grids = [
  { cells: 16, each: 2 },
  { cells: 8, each: 6 },
] as const

/** The middle of each anchor, from 0 to 1, in the order of the outputs. */
const anchorsOf = ({ cells, each }: (typeof grids)[number]): readonly Point[] =>
  Array.from({ length: cells * cells * each }, (_, index) => {
    const cell = Math.floor(index / each)
    return [((cell % cells) + 0.5) / cells, (Math.floor(cell / cells) + 0.5) / cells] as const
  })

const anchors = grids.map(anchorsOf)
/** Numbers of one anchor: box, and six points. */
const NUMBERS = 16

/** Faces above the score, best first, each once. */
export async function findFaces(picture: Picture, run: Run, least: number): Promise<readonly Found[]> {
  const whole = wholeOf(picture)
  const outputs = await run(cut(picture, whole, SIZE, 2 / 255, -1), SIZE)
  const found = anchors.flatMap((points) => decoded(outputs, points, whole, least))
  return distinct(found.sort((one, other) => other.score - one.score))
}

/** The smallest square around the picture. */
const wholeOf = ({ width, height }: Picture): Square => ({
  x: width / 2,
  y: height / 2,
  side: Math.max(width, height),
  turned: 0,
})

function decoded(outputs: readonly Float32Array[], points: readonly Point[], whole: Square, least: number): Found[] {
  const scores = outputs.find(({ length }) => length === points.length)!
  const boxes = outputs.find(({ length }) => length === points.length * NUMBERS)!
  return points.flatMap((anchor, index) => {
    const score = 1 / (1 + Math.exp(-scores[index]!))
    return score < least ? [] : [faceAt(boxes.subarray(index * NUMBERS, (index + 1) * NUMBERS), anchor, whole, score)]
  })
}

function faceAt(numbers: Float32Array, [ax, ay]: Point, whole: Square, score: number): Found {
  const place = (at: number): Point => placeIn(whole, [ax + numbers[at]! / SIZE, ay + numbers[at + 1]! / SIZE])
  const [x, y] = place(0)
  const scale = whole.side / SIZE
  return { score, x, y, width: numbers[2]! * scale, height: numbers[3]! * scale, eyes: [place(4), place(6)] }
}

/** Anchors beside each other see the same face. */
function distinct(sorted: readonly Found[]): readonly Found[] {
  const kept: Found[] = []
  for (const one of sorted) if (!kept.some((other) => overlap(one, other) > 0.3)) kept.push(one)
  return kept
}

function overlap(one: Found, other: Found): number {
  const common = (a: number, sizeA: number, b: number, sizeB: number) =>
    Math.max(0, Math.min(a + sizeA / 2, b + sizeB / 2) - Math.max(a - sizeA / 2, b - sizeB / 2))
  const both = common(one.x, one.width, other.x, other.width) * common(one.y, one.height, other.y, other.height)
  return both / (one.width * one.height + other.width * other.height - both)
}
