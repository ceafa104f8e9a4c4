// The people of the tests: faces on the pictures that ship with the package of the models.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { encode } from 'jpeg-js'
import { MeshEngine } from '../../../src/parts/bio/engine/mesh-engine.ts'
import { cut, type Picture, readJpeg } from '../../../src/parts/bio/engine/picture.ts'
import { Actor, type Held, type Pose } from './actor.ts'

const assets = join(dirname(createRequire(import.meta.url).resolve('@vladmandic/human')), '..', 'assets')

/** Squares of those pictures: file, left, top, side. */
const squares = {
  davi: ['screenshot-facedetect.jpg', 7, 346, 150],
  ana: ['screenshot-facedetect.jpg', 164, 346, 150],
  bia: ['screenshot-facedetect.jpg', 321, 346, 150],
  clara: ['screenshot-facedetect.jpg', 478, 346, 150],
} as const

export type Person = keyof typeof squares

export const pictureOf = (file: string): Picture => readJpeg(readFileSync(join(assets, file)))!

/** The picture of a person before a camera: the frame is wider than the picture, whose rim goes on to the sides. */
export function sceneOf(person: Person): Picture {
  const [file, left, top, side] = squares[person]
  return framed(pictureOf(file), left, top, side)
}

const [WIDTH, HEIGHT, SHOWN] = [480, 360, 280]

export function framed(picture: Picture, left: number, top: number, side: number): Picture {
  const whole = cut(picture, { x: left + side / 2, y: top + side / 2, side: side - 2, turned: 0 }, SHOWN, 1, 0)
  const data = new Uint8Array(WIDTH * HEIGHT * 4).fill(255)
  const within = (value: number) => Math.min(SHOWN - 1, Math.max(0, value))
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const from = (within(y - (HEIGHT - SHOWN) / 2) * SHOWN + within(x - (WIDTH - SHOWN) / 2)) * 3
      for (let channel = 0; channel < 3; channel++) data[(y * WIDTH + x) * 4 + channel] = whole[from + channel]!
    }
  return { width: WIDTH, height: HEIGHT, data }
}

let opened: Promise<MeshEngine> | undefined

/** The engine without its threads; one for a file of tests. */
export const engine = (): Promise<MeshEngine> => (opened ??= MeshEngine.open())

export const actorOf = (person: Person): Promise<Actor> => actorIn(sceneOf(person))

/** An actor made of any picture with a face. */
export async function actorIn(scene: Picture): Promise<Actor> {
  const { points } = await (await engine()).meshIn(scene)
  return new Actor(scene, points!)
}

export const jpegOf = ({ width, height, data }: Picture): Buffer => encode({ width, height, data }, 90).data

/** What a person does who is asked to. */
export const poses: Readonly<Record<string, Pose>> = {
  LookStraight: {},
  TurnLeft: { yaw: 25 },
  TurnRight: { yaw: -25 },
  LookUp: { pitch: -20 },
  LookDown: { pitch: 20 },
  OpenMouth: { mouth: 0.1 },
}

/** What somebody does with a sheet of paper who is asked to. */
export const tilts: Readonly<Record<string, Held>> = {
  LookStraight: {},
  TurnLeft: { yaw: -45 },
  TurnRight: { yaw: 45 },
  LookUp: { pitch: -35 },
  LookDown: { pitch: 35 },
  OpenMouth: { near: 1.2 },
}
