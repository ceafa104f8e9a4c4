// Whether points moved as those of a flat picture do, or as those of a head.
// Whatever is done to a picture before a camera, its points move by one homography. Those of a head that turns do not: the
// nose stands before the cheeks, so it moves further.

export type Point = readonly [x: number, y: number]

/** How far the points are from any movement of a plane: the root of the mean square, in parts of `unit`. */
export function distanceFromPlane(before: readonly Point[], after: readonly Point[], unit: number): number {
  const [from, to] = [centred(before, unit), centred(after, unit)]
  // Far from the camera a plane moves without perspective; that fit is steady where the other is not.
  return Math.min(...fits.map((rowsOf) => distance(from, to, solved(normalEquations(from.flatMap(rowsOf(to)))))))
}

/** Around their middle and about one in size, so that the equations are solved well. */
function centred(points: readonly Point[], unit: number): readonly Point[] {
  const [x, y] = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis as 0 | 1], 0) / points.length)
  return points.map((point) => [(point[0] - x!) / unit, (point[1] - y!) / unit])
}

function distance(from: readonly Point[], to: readonly Point[], movement: Movement): number {
  const squares = from.map((point, index) => {
    const [x, y] = apply(movement, point)
    return (x - to[index]![0]) ** 2 + (y - to[index]![1]) ** 2
  })
  return Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / squares.length)
}

/** Eight numbers of a homography, the ninth being 1; without perspective the last two are 0. */
type Movement = readonly number[]
type Rows = (to: readonly Point[]) => (from: Point, index: number) => readonly (readonly number[])[]

const withPerspective: Rows =
  (to) =>
  ([x, y], index) => {
    const [u, v] = to[index]!
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ]
  }

const withoutPerspective: Rows =
  (to) =>
  ([x, y], index) => {
    const [u, v] = to[index]!
    return [
      [x, y, 1, 0, 0, 0, 0, 0, u],
      [0, 0, 0, x, y, 1, 0, 0, v],
    ]
  }

const fits = [withPerspective, withoutPerspective]

function apply(m: Movement, [x, y]: Point): Point {
  const w = m[6]! * x + m[7]! * y + 1
  return [(m[0]! * x + m[1]! * y + m[2]!) / w, (m[3]! * x + m[4]! * y + m[5]!) / w]
}

const UNKNOWNS = 8

/** Least squares: the transpose times the rows. */
const normalEquations = (rows: readonly (readonly number[])[]): number[][] =>
  Array.from({ length: UNKNOWNS }, (_, i) =>
    Array.from({ length: UNKNOWNS + 1 }, (_, j) => rows.reduce((sum, row) => sum + row[i]! * row[j]!, 0)),
  )

/** Gaussian elimination with pivots; points on one line leave a zero, which is as good as any other number there. */
function solved(matrix: number[][]): Movement {
  for (let at = 0; at < UNKNOWNS; at++) {
    const pivot = matrix.slice(at).reduce((best, row, index) => {
      return Math.abs(row[at]!) > Math.abs(matrix[best]![at]!) ? index + at : best
    }, at)
    ;[matrix[at], matrix[pivot]] = [matrix[pivot]!, matrix[at]!]
    const own = matrix[at]!
    if (own[at] === 0) continue
    for (const row of matrix) if (row !== own) subtract(row, own, row[at]! / own[at]!)
  }
  return matrix.map((row, at) => (row[at] === 0 ? 0 : row[UNKNOWNS]! / row[at]!))
}

function subtract(row: number[], own: readonly number[], times: number): void {
  for (let at = 0; at < row.length; at++) row[at]! -= own[at]! * times
}
