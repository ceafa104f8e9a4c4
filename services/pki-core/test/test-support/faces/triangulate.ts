// Delaunay's triangles over points, by insertion (Bowyer and Watson).
type Point = readonly [x: number, y: number]
export type Triangle = readonly [number, number, number]

export function triangulate(points: readonly Point[]): readonly Triangle[] {
  const far = 1e5
  const all: Point[] = [...points, [-far, -far], [far, -far], [0, far]]
  const [a, b, c] = [points.length, points.length + 1, points.length + 2]
  let triangles: Triangle[] = [[a, b, c]]
  for (let index = 0; index < points.length; index++) {
    const around = triangles.filter((triangle) => encircles(all, triangle, points[index]!))
    triangles = triangles.filter((triangle) => !around.includes(triangle))
    triangles.push(...rim(around).map(([from, to]): Triangle => [from, to, index]))
  }
  return triangles.filter((triangle) => triangle.every((corner) => corner < points.length))
}

/** Edges that belong to one of the triangles only. */
function rim(around: readonly Triangle[]): readonly (readonly [number, number])[] {
  const edges = around.flatMap(
    ([a, b, c]) =>
      [
        [a, b],
        [b, c],
        [c, a],
      ] as const,
  )
  const same = (one: readonly number[], other: readonly number[]) =>
    (one[0] === other[0] && one[1] === other[1]) || (one[0] === other[1] && one[1] === other[0])
  return edges.filter((edge) => edges.filter((other) => same(edge, other)).length === 1)
}

function encircles(all: readonly Point[], [i, j, k]: Triangle, [x, y]: Point): boolean {
  const [[ax, ay], [bx, by], [cx, cy]] = [all[i]!, all[j]!, all[k]!].map(([px, py]) => [px - x, py - y]) as unknown as [
    Point,
    Point,
    Point,
  ]
  const det =
    (ax ** 2 + ay ** 2) * (bx * cy - cx * by) -
    (bx ** 2 + by ** 2) * (ax * cy - cx * ay) +
    (cx ** 2 + cy ** 2) * (ax * by - bx * ay)
  const turn = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
  return turn > 0 ? det > 0 : det < 0
}
