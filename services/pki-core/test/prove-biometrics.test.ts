// What the engine and the challenges are worth, in figures. The short form runs with every test; `npm run prove:biometrics`
// runs all of it and writes docs/biometrics.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { replaceSection } from '@chancela/testkit/figures'
import { beforeAll, describe, expect, test } from 'vitest'
import type { MeshEngine } from '../src/parts/bio/engine/mesh-engine.ts'
import type { Picture } from '../src/parts/bio/engine/picture.ts'
import { typicalFace } from '../src/parts/bio/engine/typical-face.ts'
import { drawChallenges } from '../src/rules/bio/challenges.ts'
import { likeness } from '../src/rules/bio/likeness.ts'
import { type Actor, bent, held } from './test-support/faces/actor.ts'
import { album, isClear, isTypical, isUnsure, type Portrait, personOn } from './test-support/faces/album.ts'
import { attempt, type Outcome, remembering, type Scene } from './test-support/faces/attempt.ts'
import { actorIn, engine, framed, jpegOf, poses, sceneOf, tilts } from './test-support/faces/people.ts'

const isWhole = process.env.CHANCELA_BIOMETRICS === 'whole'
const HOURS = 3_600_000

let eyes: MeshEngine
beforeAll(async () => {
  eyes = await engine()
})

/** The tables of the document. */
const heads = {
  found: ['Portraits', 'Face found', 'Not found'],
  faces: ['Likeness', 'Right accepted', 'Right refused', 'Wrong accepted', 'Wrong refused'],
  liveness: ['Before the camera', 'Attempts', 'Should be', 'Accepted', 'Refused', 'Outcomes'],
  'held back': ['Before the camera', 'Attempts', 'Should be', 'Accepted', 'Refused', 'Outcomes'],
  passive: ['Model', 'Still pictures', 'Taken for alive (0.5 and more)', 'Refused'],
  time: ['To', 'Takes'],
} as const
type Section = keyof typeof heads
const figures: Record<Section, string[]> = {
  found: [],
  faces: [],
  liveness: [],
  'held back': [],
  passive: [],
  time: [],
}
const row = (section: Section, ...cells: readonly (string | number)[]) =>
  figures[section].push(`| ${cells.join(' | ')} |`)
const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)} %`

/** Numbers that are the same in every run. */
function picking(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1103515245 + 12345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

describe('faces are told apart', () => {
  test('the same person is accepted, others are refused', { timeout: HOURS }, async () => {
    const all = album().filter(isClear)
    const some = isWhole
      ? all
      : all.filter(({ row, column }) => (row === 0 && column < 5) || (row === 3 && column % 4 === 1))
    const faces = await Promise.all(
      some
        .filter((one) => !isTypical(one))
        .map(async (one) => ({ ...one, descriptor: await eyes.described(one.picture) })),
    )
    const found = faces.filter((face): face is Described => face.descriptor !== undefined)
    row('found', faces.length, found.length, faces.length - found.length)
    expect(found.length / faces.length).toBeGreaterThan(0.95)
    const pairs = found.flatMap((one, index) => found.slice(index + 1).map((other) => pairOf(one, other)))
    const [same, different] = [true, false].map((is) => pairs.filter((pair) => pair.isSame === is && !pair.isUnsure))
    const counted = (least: number) => ({
      refused: same!.filter(({ like }) => like < least).length,
      accepted: different!.filter(({ like }) => like >= least).length,
    })
    for (const least of [0.35, 0.4, 0.45, 0.5, 0.55, 0.6]) {
      const { refused, accepted } = counted(least)
      row(
        'faces',
        Math.round(least * 100),
        `${same!.length - refused} (${percent(same!.length - refused, same!.length)})`,
        `${refused} (${percent(refused, same!.length)})`,
        `${accepted} (${percent(accepted, different!.length)})`,
        `${different!.length - accepted} (${percent(different!.length - accepted, different!.length)})`,
      )
    }
    // The setting MatchPercent. The pictures lie years apart and are a hundred pixels wide.
    const { refused, accepted } = counted(0.45)
    expect(accepted / different!.length).toBeLessThan(0.005)
    expect(refused / same!.length).toBeLessThan(0.3)
  })
})

type Described = Portrait & { readonly descriptor: Float32Array }

const pairOf = (one: Described, other: Described) => ({
  like: likeness(one.descriptor, other.descriptor),
  isSame: personOn(one) === personOn(other),
  isUnsure: isUnsure(one, other),
})

/** Who is filmed: portraits large enough, looking ahead, of different people. */
const cast: readonly (readonly [row: number, column: number])[] = [
  [0, 0],
  [0, 11],
  [2, 2],
  [2, 11],
  [3, 2],
  [3, 7],
  [4, 8],
  [5, 5],
]

function scenes(): readonly Picture[] {
  const people = (['ana', 'bia', 'clara', 'davi'] as const).map(sceneOf)
  if (!isWhole) return people.slice(0, 2)
  const portraits = album().filter(({ row, column }) => cast.some(([r, c]) => r === row && c === column))
  return [...people, ...portraits.map(({ picture }) => framed(picture, 0, 0, picture.width))]
}

const order = [
  'LookStraight',
  'TurnLeft',
  'LookStraight',
  'TurnRight',
  'LookStraight',
  'LookUp',
  'LookStraight',
  'LookDown',
  'LookStraight',
  'OpenMouth',
]

interface Before {
  readonly scene: Picture
  readonly actor: Actor
  readonly other: Actor
  readonly pick: (below: number) => number
}

const cached = (make: (name: string) => Picture): ((name: string) => Picture) => {
  const made = new Map<string, Picture>()
  return (name) => {
    const picture = made.get(name) ?? make(name)
    made.set(name, picture)
    return picture
  }
}

/** Who is asked to turn, turns; who is still asked to, turns further. */
function goingFurther(actor: Actor): Scene {
  const of = cached((key) => {
    const [name, more] = key.split(' ') as [string, string]
    const { yaw = 0, pitch = 0, mouth = 0 } = poses[name]!
    return actor.frame({ yaw: yaw * Number(more), pitch: pitch * Number(more), mouth: mouth * Number(more) })
  })
  let [asked, since] = ['', 0]
  return (name, frame) => {
    if (name !== asked) [asked, since] = [name, frame]
    return of(`${name} ${1 + 0.15 * Math.min(4, Math.floor((frame - since) / 3))}`)
  }
}

/** What stands before the camera, and whether it is a person who does as asked. */
const kinds: Readonly<Record<string, { readonly isRight: boolean; readonly make: (before: Before) => Scene }>> = {
  'a person who does as asked': { isRight: true, make: ({ actor }) => goingFurther(actor) },
  'a picture, still': {
    isRight: false,
    make:
      ({ scene }) =>
      () =>
        scene,
  },
  'a picture, tilted as asked': { isRight: false, make: ({ scene }) => cached((name) => held(scene, tilts[name]!)) },
  'a picture, waved about': {
    isRight: false,
    make:
      ({ scene, pick }) =>
      (_, frame) => {
        const around = (most: number) => pick(2 * most + 1) - most
        if (frame < 5) return scene
        return held(scene, { yaw: around(60), pitch: around(45), roll: around(20), near: 0.8 + pick(50) / 100 })
      },
  },
  'a picture, bent and turned as asked': {
    isRight: false,
    make: ({ scene }) =>
      cached((name) => bent(scene, { yaw: (tilts[name]!.yaw ?? 0) * -0.8, pitch: tilts[name]!.pitch ?? 0 })),
  },
  'a film of all movements, again and again': {
    isRight: false,
    make: ({ actor }) => {
      const of = cached((name) => actor.frame(poses[name]!))
      return (_, frame) => (frame < 5 ? of('LookStraight') : of(order[Math.floor(frame / 4) % order.length]!))
    },
  },
  'a person for whom another does the movements': {
    isRight: false,
    make: ({ actor, other }) => {
      const [own, others] = [cached((name) => actor.frame(poses[name]!)), cached((name) => other.frame(poses[name]!))]
      return (name) => (name === 'LookStraight' ? own : others)(name)
    },
  },
}

/** Portraits by whose looks no limit was chosen: of the clear ones that look ahead, every third, without the cast. */
async function heldBack(): Promise<readonly Picture[]> {
  const others = album().filter((one) => isClear(one) && !cast.some(([r, c]) => r === one.row && c === one.column))
  const found = await Promise.all(others.map(async (one) => ({ ...one, seen: await eyes.seen(one.picture) })))
  const ahead = found.filter(({ seen }) => seen?.faces === 1 && Math.abs(seen.face!.yaw) < 15)
  return ahead.filter((_, index) => index % 3 === 0).map(({ picture }) => framed(picture, 0, 0, picture.width))
}

/** How often each kind passed, in a table. */
async function shown(section: Section, all: readonly Picture[], people: number, rounds: number) {
  const actors = await Promise.all(all.map(actorIn))
  const looking = remembering(eyes)
  const passed: Record<string, number> = {}
  for (const [kind, { isRight, make }] of Object.entries(kinds)) {
    const pick = picking(16)
    const outcomes: Outcome[] = []
    for (const [index, scene] of all.slice(0, people).entries()) {
      const before = make({ scene, actor: actors[index]!, other: actors[(index + 1) % all.length]!, pick })
      for (let round = 0; round < rounds; round++)
        outcomes.push(await attempt(looking, drawChallenges(isWhole ? 4 : 2, pick), before))
    }
    // Who does not even look like a face that looks ahead was not let in: that is a refusal, too.
    const good = outcomes.filter((outcome) => outcome === 'passed').length
    const why = [...new Set(outcomes)].map((one) => `${one} ${outcomes.filter((other) => other === one).length}`)
    row(section, kind, outcomes.length, isRight ? 'accepted' : 'refused', good, outcomes.length - good, why.join(', '))
    passed[isRight ? 'right' : kind] = good / outcomes.length
  }
  return passed
}

const wrongKinds = Object.entries(kinds).flatMap(([kind, { isRight }]) => (isRight ? [] : [[kind, 0] as const]))

describe('liveness', () => {
  test('who does as asked passes, and nothing else does', { timeout: HOURS }, async () => {
    const all = scenes()
    const { right, ...wrong } = await shown('liveness', all, isWhole ? all.length : 1, isWhole ? 3 : 1)
    expect(wrong).toEqual(Object.fromEntries(wrongKinds))
    expect(right).toBeGreaterThanOrEqual(isWhole ? 0.8 : 1)
  })

  if (isWhole)
    test('so it is with faces that were held back when the limits were chosen', { timeout: HOURS }, async () => {
      const all = await heldBack()
      const { right } = await shown('held back', all, all.length, 1)
      expect(right).toBeGreaterThan(0.5)
    })
})

describe('the models that judge one picture alone', () => {
  test('cannot tell a picture from a person, and decide nothing', { timeout: HOURS }, async () => {
    const stills = scenes()
    const scores = await Promise.all(stills.map((scene) => eyes.passive(scene)))
    const known = scores.filter((one) => one !== undefined)
    for (const name of ['antispoof', 'liveness'] as const) {
      const taken = known.filter((one) => one[name] >= 0.5).length
      row('passive', name, known.length, `${taken} (${percent(taken, known.length)})`, known.length - taken)
    }
    expect(known.length).toBe(stills.length)
  })
})

if (isWhole)
  test('the typical face is the mean of the portraits it is said to be', { timeout: HOURS }, async () => {
    const mean = new Float32Array(typicalFace.length)
    for (const portrait of album().filter(isTypical)) {
      const one = await eyes.features(portrait.picture)
      for (const [index, value] of (one ?? []).entries()) mean[index]! += value
    }
    const length = (vector: Float32Array) => Math.hypot(...vector)
    expect(likeness(mean, typicalFace) / length(mean) / length(typicalFace)).toBeGreaterThan(0.999)
  })

if (isWhole)
  test('the figures are written', async () => {
    const jpeg = jpegOf(sceneOf('ana'))
    const spent = async (work: () => Promise<unknown>) => {
      const times: number[] = []
      for (let round = 0; round < 15; round++) {
        const begun = performance.now()
        await work()
        times.push(performance.now() - begun)
      }
      return Math.round(times.sort((one, other) => one - other)[7]!)
    }
    row('time', 'look at a frame of 480 × 360', `${await spent(() => eyes.look(jpeg))} ms`)
    row('time', 'describe the face on it', `${await spent(() => eyes.describe(jpeg))} ms`)
    const file = new URL('../../../docs/biometrics.md', import.meta.url)
    const text = readFileSync(file, 'utf8')
    const next = Object.entries(heads).reduce((document, [name, head]) => {
      const table = [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...figures[name as Section]]
      return replaceSection(document, name, table.join('\n'))
    }, text)
    writeFileSync(file, next)
  })
