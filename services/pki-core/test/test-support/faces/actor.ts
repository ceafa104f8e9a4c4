// A face that does as it is told: a picture, its mesh turned in space, and the picture drawn anew over it.
import type { Picture } from '../../../src/parts/bio/engine/picture.ts'
import { triangulate } from './triangulate.ts'

type Spot = readonly [x: number, y: number, z: number]

/** What the face does; all zero: it looks into the camera. */
export interface Pose {
  /** Degrees; positive: to the right of the picture. */
  readonly yaw?: number
  /** Degrees; positive: down. */
  readonly pitch?: number
  /** How far the mouth is open, in parts of the height of the face. */
  readonly mouth?: number
  /** How much nearer: 1.3 is larger by a third. */
  readonly near?: number
  readonly shift?: readonly [x: number, y: number]
}

const innerLips = new Set([78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308, 324, 318, 402, 317, 14, 87, 178, 88, 95])
const lowerInner = new Set([324, 318, 402, 317, 14, 87, 178, 88, 95])
const CHIN = 152
const FOREHEAD = 10
const SIDES = [234, 454] as const

export class Actor {
  readonly #picture: Picture
  readonly #mesh: readonly Spot[]
  readonly #all: readonly Spot[]
  readonly #triangles: readonly (readonly [number, number, number])[]
  readonly #height: number
  readonly #pivot: Spot

  constructor(picture: Picture, mesh: readonly Spot[]) {
    this.#picture = picture
    this.#mesh = mesh
    const [left, right] = [mesh[SIDES[0]]!, mesh[SIDES[1]]!]
    this.#height = Math.hypot(mesh[CHIN]![0] - mesh[FOREHEAD]![0], mesh[CHIN]![1] - mesh[FOREHEAD]![1])
    const width = Math.hypot(right[0] - left[0], right[1] - left[1])
    // A head turns about its neck, behind the face.
    this.#pivot = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2, (left[2] + right[2]) / 2 + width * 0.1]
    this.#all = [...mesh, ...ring(mesh, this.#pivot, width), ...border(picture)]
    this.#triangles = triangulate(this.#all.map(([x, y]) => [x, y]))
  }

  /** The picture in which the face does so. */
  frame(pose: Pose): Picture {
    const moved = this.#all.map((spot, index) => this.#moved(spot, index, pose))
    return draw(this.#picture, this.#all, moved, this.#triangles, (pose.mouth ?? 0) > 0)
  }

  #moved(spot: Spot, index: number, { yaw = 0, pitch = 0, mouth = 0, near = 1, shift = [0, 0] }: Pose): Spot {
    const inMesh = index < this.#mesh.length
    if (index >= this.#all.length - borderSize) return spot
    const opened: Spot = inMesh ? [spot[0], spot[1] + mouth * this.#height * this.#jaw(index), spot[2]] : spot
    const weight = inMesh ? 1 : 0.6
    return turned(opened, this.#pivot, radians(yaw * weight), radians(pitch * weight), near, shift)
  }

  /** How much a point goes along with the lower jaw. */
  #jaw(index: number): number {
    if (lowerInner.has(index)) return 1
    if (innerLips.has(index)) return 0
    const [, y] = this.#mesh[index]!
    const lips = this.#mesh[13]![1]
    const corner = Math.abs(this.#mesh[index]![0] - this.#mesh[13]![0]) / this.#height
    if (y <= lips) return 0
    return Math.min(1, (y - lips) / (this.#mesh[CHIN]![1] - lips) + 0.5) * Math.max(0, 1 - corner * 2)
  }
}

const radians = (degrees: number) => (degrees * Math.PI) / 180

function turned(
  [x, y, z]: Spot,
  pivot: Spot,
  yaw: number,
  pitch: number,
  near: number,
  shift: readonly [number, number],
): Spot {
  const [dx, dy, dz] = [x - pivot[0], y - pivot[1], z - pivot[2]]
  // z grows away from the camera: what is near has a small one.
  const [x1, z1] = [dx * Math.cos(yaw) - dz * Math.sin(yaw), dx * Math.sin(yaw) + dz * Math.cos(yaw)]
  const [y2, z2] = [dy * Math.cos(pitch) - z1 * Math.sin(pitch), dy * Math.sin(pitch) + z1 * Math.cos(pitch)]
  return [pivot[0] + x1 * near + shift[0], pivot[1] + y2 * near + shift[1], pivot[2] + z2]
}

/** Points around the face: hair and ears, which turn with it, less and less. */
function ring(mesh: readonly Spot[], pivot: Spot, width: number): readonly Spot[] {
  const far = Math.max(...mesh.map(([x, y]) => Math.hypot(x - pivot[0], y - pivot[1])))
  return [1.15, 1.45].flatMap((times) =>
    Array.from({ length: 24 }, (_, index): Spot => {
      const angle = (index / 24) * 2 * Math.PI
      const place = [pivot[0] + Math.cos(angle) * far * times, pivot[1] + Math.sin(angle) * far * times] as const
      return [...place, pivot[2] + width * 0.2]
    }),
  )
}

const borderSize = 16
function border({ width, height }: Picture): readonly Spot[] {
  return [-1, 0, 1, 2, 3].flatMap((across) =>
    [-1, 0, 1, 2, 3]
      .filter((down) => across === -1 || across === 3 || down === -1 || down === 3)
      .map((down): Spot => [((across + 0.5) / 3) * width, ((down + 0.5) / 3) * height, 1e4]),
  )
}

function draw(
  from: Picture,
  before: readonly Spot[],
  after: readonly Spot[],
  triangles: readonly (readonly [number, number, number])[],
  opened: boolean,
): Picture {
  const { width, height } = from
  const data = new Uint8Array(width * height * 4)
  const depth = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY)
  for (const corners of triangles) {
    const dark = opened && corners.every((corner) => innerLips.has(corner))
    const target = corners.map((corner) => after[corner]!)
    const source = corners.map((corner) => before[corner]!)
    fill(target, width, height, (x, y, weights) => {
      const z = weights[0] * target[0]![2] + weights[1] * target[1]![2] + weights[2] * target[2]![2]
      const at = y * width + x
      if (z >= depth[at]!) return
      depth[at] = z
      const mix = (axis: 0 | 1) => weights.reduce((sum, weight, index) => sum + weight * source[index]![axis], 0)
      const sx = Math.min(width - 1, Math.max(0, Math.round(mix(0))))
      const sy = Math.min(height - 1, Math.max(0, Math.round(mix(1))))
      for (let channel = 0; channel < 3; channel++)
        data[at * 4 + channel] = dark ? [45, 18, 20][channel]! : from.data[(sy * width + sx) * 4 + channel]!
      data[at * 4 + 3] = 255
    })
  }
  return { width, height, data }
}

type Weights = readonly [number, number, number]

function fill(
  corners: readonly Spot[],
  width: number,
  height: number,
  put: (x: number, y: number, weights: Weights) => void,
) {
  const [a, b, c] = corners as [Spot, Spot, Spot]
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
  if (Math.abs(area) < 1e-9) return
  const limit = (values: readonly number[], most: number) =>
    [Math.max(0, Math.floor(Math.min(...values))), Math.min(most - 1, Math.ceil(Math.max(...values)))] as const
  const [left, right] = limit([a[0], b[0], c[0]], width)
  const [top, bottom] = limit([a[1], b[1], c[1]], height)
  for (let y = top; y <= bottom; y++)
    for (let x = left; x <= right; x++) {
      const u = ((b[0] - x) * (c[1] - y) - (c[0] - x) * (b[1] - y)) / area
      const v = ((c[0] - x) * (a[1] - y) - (a[0] - x) * (c[1] - y)) / area
      const w = 1 - u - v
      if (u >= -1e-6 && v >= -1e-6 && w >= -1e-6) put(x, y, [u, v, w])
    }
}

/** What a person can do with a picture: hold it nearer, elsewhere, tilted in space. */
export interface Held {
  readonly yaw?: number
  readonly pitch?: number
  readonly roll?: number
  readonly near?: number
  readonly shift?: readonly [x: number, y: number]
}

/** The picture on a sheet before the camera. */
export function held(picture: Picture, { yaw = 0, pitch = 0, roll = 0, near = 1, shift = [0, 0] }: Held): Picture {
  const { width, height } = picture
  const data = new Uint8Array(width * height * 4).fill(90)
  const distance = 1.6 * width
  const [cy, sy, cp, sp, cr, sr] = [yaw, pitch, roll].flatMap((one) => [
    Math.cos(radians(one)),
    Math.sin(radians(one)),
  ]) as number[]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      // The ray through the pixel meets the sheet; its axes there give the place in the picture.
      const ray = [
        (x - width / 2 - shift[0]) / distance / near,
        (y - height / 2 - shift[1]) / distance / near,
        1,
      ] as const
      const across = [cy! * cr! + sy! * sp! * sr!, cp! * sr!, -sy! * cr! + cy! * sp! * sr!] as const
      const down = [-cy! * sr! + sy! * sp! * cr!, cp! * cr!, sy! * sr! + cy! * sp! * cr!] as const
      const normal = [sy! * cp!, -sp!, cy! * cp!] as const
      const t = (normal[2] * distance) / (normal[0] * ray[0] + normal[1] * ray[1] + normal[2] * ray[2])
      const hit = [ray[0] * t, ray[1] * t, ray[2] * t - distance] as const
      const dot = (axis: readonly [number, number, number]) => axis[0] * hit[0] + axis[1] * hit[1] + axis[2] * hit[2]
      const [px, py] = [Math.round(dot(across) + width / 2), Math.round(dot(down) + height / 2)]
      if (px < 0 || py < 0 || px >= width || py >= height) continue
      const [to, at] = [(y * width + x) * 4, (py * width + px) * 4]
      for (let channel = 0; channel < 4; channel++) data[to + channel] = picture.data[at + channel]!
    }
  return { width, height, data }
}

/** The picture on a sheet that is bent about an upright axis as well, as around a can: it is no longer flat. */
export function bent(picture: Picture, { yaw = 0, pitch = 0 }: Held): Picture {
  const { width, height } = picture
  const [columns, rows, radius] = [24, 8, width * 0.45]
  const spots = Array.from({ length: (columns + 1) * (rows + 1) }, (_, index): Spot => {
    const [column, row] = [index % (columns + 1), Math.floor(index / (columns + 1))]
    return [(column / columns) * width, (row / rows) * height, 0]
  })
  const onCan = spots.map(([x, y]): Spot => {
    const angle = (x - width / 2) / radius
    return [width / 2 + Math.sin(angle) * radius, y, radius - Math.cos(angle) * radius]
  })
  const pivot: Spot = [width / 2, height / 2, radius * 0.3]
  const moved = onCan.map((spot) => turned(spot, pivot, radians(yaw), radians(pitch), 1.1, [0, 0]))
  const corner = (column: number, row: number) => row * (columns + 1) + column
  const triangles = Array.from({ length: columns * rows }, (_, index) => {
    const [column, row] = [index % columns, Math.floor(index / columns)]
    const [a, b, c, d] = [
      corner(column, row),
      corner(column + 1, row),
      corner(column, row + 1),
      corner(column + 1, row + 1),
    ]
    return [
      [a, b, c],
      [b, d, c],
    ] as const
  }).flat()
  return draw(picture, spots, moved, triangles, false)
}
