// A picture of the package with 108 portraits in six rows, labelled by eye.
import { cut, type Picture } from '../../../src/parts/bio/engine/picture.ts'
import { pictureOf } from './people.ts'

const [COLUMNS, ROWS, TOP] = [18, 6, 283]

export interface Portrait {
  readonly row: number
  readonly column: number
  readonly picture: Picture
}

const SIDE = 320

/** Every portrait; the figures of a caption stand over its corners. */
export function album(): readonly Portrait[] {
  const whole = pictureOf('screenshot-facematch.jpg')
  const [width, height] = [whole.width / COLUMNS, (whole.height - TOP) / ROWS]
  return Array.from({ length: ROWS * COLUMNS }, (_, index) => {
    const [row, column] = [Math.floor(index / COLUMNS), index % COLUMNS]
    const square = { x: (column + 0.5) * width, y: TOP + row * height + width / 2, side: width - 5, turned: 0 }
    return { row, column, picture: opaque(cut(whole, square, SIDE, 1, 0)) }
  })
}

function opaque(values: Float32Array): Picture {
  const data = new Uint8Array(SIDE * SIDE * 4).fill(255)
  for (let pixel = 0; pixel < SIDE * SIDE; pixel++) data.set(values.subarray(pixel * 3, pixel * 3 + 3), pixel * 4)
  return { width: SIDE, height: SIDE, data }
}

type Place = readonly [row: number, column: number]

/** Behind sunglasses, out of focus, or of whom nobody could say who they are. */
const unclear: readonly Place[] = [
  [1, 1],
  [1, 2],
  [1, 3],
  [1, 8],
  [1, 15],
  [2, 0],
  [2, 4],
  [2, 7],
  [4, 11],
]

/** Portraits of one person, besides the man who fills the first row; the others are of one person each, or taken so. */
const persons: readonly (readonly Place[])[] = [
  [
    [3, 17],
    [4, 5],
  ],
  [
    [2, 1],
    [4, 2],
    [4, 16],
  ],
  [
    [2, 5],
    [2, 6],
  ],
  [
    [5, 8],
    [5, 13],
  ],
  [
    [4, 0],
    [5, 3],
  ],
  [
    [1, 12],
    [2, 14],
  ],
  [
    [3, 2],
    [5, 7],
  ],
]

/** Maybe one person, maybe not: such pairs count for neither side. */
const perhaps: readonly (readonly Place[])[] = [
  [
    [2, 17],
    [4, 1],
  ],
  [
    [4, 7],
    [4, 13],
    [5, 1],
  ],
  [
    [3, 5],
    [4, 3],
  ],
]

const isIn = (places: readonly Place[], { row, column }: Portrait): boolean =>
  places.some(([r, c]) => r === row && c === column)

export const isClear = (portrait: Portrait): boolean => !isIn(unclear, portrait)

/** The typical face was made from these; none of them is measured. */
export const isTypical = (portrait: Portrait): boolean =>
  isClear(portrait) && !isFirstMan(portrait) && portrait.column % 2 === 0

const isFirstMan = ({ row, column }: Portrait): boolean => row === 0 || (row === 1 && column === 0)

/** Who is on a portrait: the same text for the same person. */
export function personOn(portrait: Portrait): string {
  if (isFirstMan(portrait)) return 'the man of the first row'
  const group = persons.findIndex((places) => isIn(places, portrait))
  return group < 0 ? `${portrait.row},${portrait.column}` : `person ${group}`
}

export const isUnsure = (one: Portrait, other: Portrait): boolean =>
  perhaps.some((places) => isIn(places, one) && isIn(places, other))
