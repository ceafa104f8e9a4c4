// The engine itself: detector, mesh of 468 points, descriptor. Runs in a thread of its own.
import type { Face, Seen } from '../../../rules/bio/face.ts'
import { type MeshPoint, meshOf, rollOf, squareOfFound, squareOfMesh } from './face-mesh.ts'
import { type Found, findFaces } from './find-faces.ts'
import { type ModelName, openModels, type Run } from './models.ts'
import { brightnessOf, cut, type Picture, readJpeg } from './picture.ts'
import { typicalFace } from './typical-face.ts'

/** Below it, the detector guesses. */
const LEAST_SCORE = 0.6
/** Of the largest face: what is smaller is in the background, or on the wall. */
const LEAST_SIZE = 0.4
/** What the descriptor sees around the face (docs/biometrics.md). */
const DESCRIBED = 1.25
const SIDE = 224

/** Opened once for a thread. */
export class MeshEngine {
  readonly #run: Readonly<Record<ModelName, Run>>

  private constructor(run: Readonly<Record<ModelName, Run>>) {
    this.#run = run
  }

  static async open(): Promise<MeshEngine> {
    return new MeshEngine(await openModels())
  }

  async look(jpeg: Uint8Array): Promise<Seen> {
    const picture = readJpeg(jpeg)
    return picture ? this.seen(picture) : null
  }

  async seen(picture: Picture): Promise<Seen> {
    const { found, points } = await this.meshIn(picture)
    if (!points) return { faces: 0 }
    return { faces: found.length, face: measured(picture, points) }
  }

  async describe(jpeg: Uint8Array): Promise<Float32Array | undefined> {
    const picture = readJpeg(jpeg)
    return picture && this.described(picture)
  }

  async described(picture: Picture): Promise<Float32Array | undefined> {
    const features = await this.features(picture)
    return features && unit(features.map((value, index) => value - typicalFace[index]!))
  }

  /** What the model says of the face, still with what all faces have in common. */
  async features(picture: Picture): Promise<Float32Array | undefined> {
    const { points } = await this.meshIn(picture)
    if (!points) return undefined
    const values = cut(picture, squareOfMesh(points, DESCRIBED), SIDE, 1, 0)
    // A face and its mirror image are the same person's: what differs between them is light.
    const [one, other] = [await this.#raw(values), await this.#raw(mirrored(values))]
    return unit(one.map((value, index) => value + other[index]!))
  }

  /** The square root tames the few numbers that would outweigh all others. */
  async #raw(values: Float32Array): Promise<Float32Array> {
    const outputs = await this.#run.descriptor(values, SIDE)
    return unit(
      outputs.find(({ length }) => length === typicalFace.length)!.map((value) => Math.sqrt(Math.max(0, value))),
    )
  }

  /** What the models say that judge one picture alone. No session goes by them: docs/biometrics.md says why. */
  async passive(picture: Picture): Promise<{ readonly antispoof: number; readonly liveness: number } | undefined> {
    const { points } = await this.meshIn(picture)
    if (!points) return undefined
    const square = squareOfMesh(points, DESCRIBED)
    const [antispoof] = await this.#run.antispoof(cut(picture, square, 128, 1 / 255, 0), 128)
    const [liveness] = await this.#run.liveness(cut(picture, square, 32, 1 / 255, 0), 32)
    return { antispoof: antispoof![0]!, liveness: liveness![0]! }
  }

  /** The faces that count, and the points of the best of them. */
  async meshIn(
    picture: Picture,
  ): Promise<{ readonly found: readonly Found[]; readonly points?: readonly MeshPoint[] }> {
    const all = await findFaces(picture, this.#run.detector, LEAST_SCORE)
    const largest = Math.max(0, ...all.map(({ width }) => width))
    const found = all.filter(({ width }) => width >= largest * LEAST_SIZE)
    if (!found[0]) return { found }
    const rough = await meshOf(picture, squareOfFound(found[0]), this.#run.mesh)
    // Once more around what was found: the first square is the detector's, and shakes.
    const fine = await meshOf(picture, squareOfMesh(rough.points, 1.5), this.#run.mesh)
    return fine.score < LEAST_SCORE ? { found: [] } : { found, points: fine.points }
  }
}

const mark = { left: 234, right: 454, forehead: 10, chin: 152, upperLip: 13, lowerLip: 14, corners: [33, 263] } as const

/** Forehead, sides, bridge and tip of the nose, corners of the eyes, cheeks: nothing that a mouth or a jaw moves. */
const rigid = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 93, 132, 234, 127, 162, 21, 54, 103, 67, 109, 168, 6, 197, 195, 5, 4,
  1, 19, 94, 2, 98, 327, 33, 133, 362, 263, 9, 8, 151, 108, 337, 50, 280, 101, 330, 205, 425, 36, 266,
] as const

function measured(picture: Picture, points: readonly MeshPoint[]): Face {
  const at = (index: number) => points[index]!
  const upright = turnedBack(points, rollOf(points))
  const [left, right, forehead, chin] = [mark.left, mark.right, mark.forehead, mark.chin].map(
    (index) => upright[index]!,
  )
  const height = between(at(mark.forehead), at(mark.chin))
  const square = squareOfMesh(points, 1)
  return {
    yaw: degrees(Math.atan2(right![2] - left![2], right![0] - left![0])),
    pitch: degrees(Math.atan2(chin![2] - forehead![2], chin![1] - forehead![1])),
    mouth: between(at(mark.upperLip), at(mark.lowerLip)) / height,
    x: square.x / picture.width,
    y: square.y / picture.height,
    size: square.side / picture.height,
    brightness: brightnessOf(picture, square),
    rigid: rigid.map((index) => [at(index)[0], at(index)[1]] as const),
    unit: between(at(mark.corners[0]), at(mark.corners[1])),
  }
}

function turnedBack(points: readonly MeshPoint[], roll: number): readonly MeshPoint[] {
  const [cos, sin] = [Math.cos(-roll), Math.sin(-roll)]
  return points.map(([x, y, z]) => [x * cos - y * sin, x * sin + y * cos, z])
}

const degrees = (radians: number): number => (radians * 180) / Math.PI

const between = (one: MeshPoint, other: MeshPoint): number => Math.hypot(one[0] - other[0], one[1] - other[1])

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

function mirrored(values: Float32Array): Float32Array {
  return values.map((_, index) => {
    const [pixel, channel] = [Math.floor(index / 3), index % 3]
    const [row, column] = [Math.floor(pixel / SIDE), pixel % SIDE]
    return values[(row * SIDE + SIDE - 1 - column) * 3 + channel]!
  })
}
