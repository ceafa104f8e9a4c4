// The 468 points of a face, in pixels of the picture.
import type { Found } from './find-faces.ts'
import type { Run } from './models.ts'
import { cut, type Picture, placeIn, type Square } from './picture.ts'

export type MeshPoint = readonly [x: number, y: number, z: number]

export interface Mesh {
  /** How sure the model is that there is a face, from 0 to 1. */
  readonly score: number
  readonly points: readonly MeshPoint[]
}

const SIZE = 192
const POINTS = 468

/** Corners of each eye, by its side of the picture. */
const eyes = { left: [33, 133], right: [362, 263] } as const

export async function meshOf(picture: Picture, square: Square, run: Run): Promise<Mesh> {
  const outputs = await run(cut(picture, square, SIZE, 1 / 255, 0), SIZE)
  const numbers = outputs.find(({ length }) => length === POINTS * 3)!
  const flag = outputs.find(({ length }) => length === 1)![0]!
  return { score: flag < 0 || flag > 1 ? 1 / (1 + Math.exp(-flag)) : flag, points: pointsOf(numbers, square) }
}

const pointsOf = (numbers: Float32Array, square: Square): readonly MeshPoint[] =>
  Array.from({ length: POINTS }, (_, index) => {
    const [x, y, z] = numbers.subarray(index * 3, index * 3 + 3) as unknown as [number, number, number]
    return [...placeIn(square, [x / SIZE, y / SIZE]), (z / SIZE) * square.side] as const
  })

/** The square around what the detector found, upright by the line of the eyes. */
export const squareOfFound = ({ x, y, width, height, eyes }: Found): Square => ({
  x,
  y,
  side: Math.max(width, height) * 1.5,
  turned: Math.atan2(eyes[1][1] - eyes[0][1], eyes[1][0] - eyes[0][0]),
})

/** The square around a mesh, upright by the line of the eyes; `scale` 1 touches the face. */
export function squareOfMesh(points: readonly MeshPoint[], scale: number): Square {
  const turned = rollOf(points)
  const [cos, sin] = [Math.cos(-turned), Math.sin(-turned)]
  const upright = points.map(([x, y]) => [x * cos - y * sin, x * sin + y * cos] as const)
  const [left, right] = extent(upright.map(([x]) => x))
  const [top, bottom] = extent(upright.map(([, y]) => y))
  const [mx, my] = [(left + right) / 2, (top + bottom) / 2]
  return {
    x: mx * cos + my * sin,
    y: -mx * sin + my * cos,
    side: Math.max(right - left, bottom - top) * scale,
    turned,
  }
}

/** How far the head is tilted to a shoulder. */
export function rollOf(points: readonly MeshPoint[]): number {
  const [left, right] = [middle(points, eyes.left), middle(points, eyes.right)]
  return Math.atan2(right[1] - left[1], right[0] - left[0])
}

const extent = (values: readonly number[]): readonly [number, number] => [Math.min(...values), Math.max(...values)]

/** The middle of some points. */
function middle(points: readonly MeshPoint[], indexes: readonly number[]): MeshPoint {
  const sum = [0, 1, 2].map((axis) => indexes.reduce((total, index) => total + points[index]![axis]!, 0))
  return sum.map((total) => total / indexes.length) as unknown as MeshPoint
}
