import { describe, expect, test } from 'vitest'
import { type Capture, instructionOf, newCapture, progressOf, type Step, stepOf } from './capture.ts'
import { type Challenge, drawChallenges } from './challenges.ts'
import type { Face, Seen } from './face.ts'
import type { Point } from './plane.ts'

const flat: readonly Point[] = Array.from({ length: 25 }, (_, index) => [(index % 5) * 20, Math.floor(index / 5) * 20])
/** The middle moves further than the rest: what a sheet cannot do. */
const solid = flat.map(([x, y], index): Point => [x + (index === 12 ? 25 : 0), y])

const ahead: Face = { yaw: 2, pitch: 5, mouth: 0.01, x: 0.5, y: 0.5, size: 0.6, brightness: 0.5, rigid: flat, unit: 60 }
const face = (change: Partial<Face> = {}): Seen => ({ faces: 1, face: { ...ahead, ...change } })

const left = face({ yaw: 25, rigid: solid })
const right = face({ yaw: -25, rigid: solid })
const open = face({ mouth: 0.12 })

/** Goes through frames, half a second each; what the last one led to. */
function through(challenges: readonly Challenge[], frames: readonly Seen[], from?: Capture): Step {
  let capture = from ?? newCapture(challenges, new Date(0))
  let step: Step | undefined
  for (const [index, frame] of frames.entries()) {
    step = stepOf(capture, frame, new Date((index + 1) * 500), 10)
    if (step.kind !== 'failed') capture = step.capture
  }
  return step!
}

const started = [face(), face(), face()]

describe('an attempt', () => {
  test('begins when one face has looked ahead for three frames', () => {
    expect(through(['TurnLeft'], [face(), face()]).kind).toBe('going')
    const step = through(['TurnLeft'], started)
    expect(step.kind).toBe('begins')
    expect(step.kind === 'begins' && instructionOf(step.capture)).toBe('TurnLeft')
  })

  test.each([
    ['NoFace', null],
    ['NoFace', { faces: 0 }],
    ['SeveralFaces', { faces: 2, face: ahead }],
    ['TooDark', face({ brightness: 0.05 })],
    ['TooFar', face({ size: 0.1 })],
    ['TooClose', face({ size: 0.95 })],
    ['OffCentre', face({ x: 0.1 })],
    ['LookAtCamera', face({ yaw: 30 })],
  ] as const)('tells %s, and begins to count anew', (hint, frame) => {
    expect(through(['TurnLeft'], [face(), face(), frame])).toMatchObject({ kind: 'going', hint, capture: { held: 0 } })
  })

  test('goes movement by movement, each held for two frames, and back in between', () => {
    const asked = ['TurnLeft', 'OpenMouth'] as const
    const back = through(asked, [...started, left, left])
    expect(back).toMatchObject({ kind: 'confirm', isLast: false, capture: { phase: 'Return' } })
    const next = through(asked, [...started, left, left, face(), face()])
    expect(next).toMatchObject({ kind: 'confirm', isLast: false, capture: { phase: 'Challenge', at: 1 } })
    const last = through(asked, [...started, left, left, face(), face(), open, open, face(), face()])
    expect(last).toMatchObject({ kind: 'confirm', isLast: true })
  })

  test('does not count a turn whose points stay on a plane', () => {
    const sheet = face({ yaw: 25 })
    expect(through(['TurnLeft'], [...started, sheet, sheet, sheet])).toMatchObject({
      kind: 'going',
      capture: { held: 0 },
    })
  })

  test('fails by another movement than the one asked for, held for two frames', () => {
    expect(through(['TurnLeft'], [...started, right])).toMatchObject({ kind: 'going' })
    expect(through(['TurnLeft'], [...started, right, right])).toEqual({ kind: 'failed', why: 'OtherMovement' })
    expect(through(['TurnLeft'], [...started, open, open])).toEqual({ kind: 'failed', why: 'OtherMovement' })
  })

  test('takes what comes along with the movement asked for', () => {
    const both = face({ yaw: 25, mouth: 0.2, rigid: solid })
    expect(through(['TurnLeft'], [...started, both, both])).toMatchObject({ kind: 'confirm' })
  })

  test('fails when the movement takes too long, and when the face is gone', () => {
    const waiting = Array.from({ length: 22 }, () => face())
    expect(through(['TurnLeft'], [...started, ...waiting])).toEqual({ kind: 'failed', why: 'TookTooLong' })
    const gone = Array.from({ length: 9 }, () => ({ faces: 0 }))
    expect(through(['TurnLeft'], [...started, ...gone])).toEqual({ kind: 'failed', why: 'FaceLost' })
  })

  test('waits without end for the person to come before the camera', () => {
    const nobody = Array.from({ length: 100 }, () => ({ faces: 0 }))
    expect(through(['TurnLeft'], nobody)).toMatchObject({ kind: 'going', hint: 'NoFace' })
  })

  test('shows how far it is', () => {
    const all = [...started, left, left, face(), face(), open, open]
    const shown = all.map((_, index) => {
      const step = through(['TurnLeft', 'OpenMouth'], all.slice(0, index + 1))
      return step.kind === 'failed' ? -1 : progressOf(step.capture)
    })
    expect(shown).toEqual([...shown].sort((one, other) => one - other))
    expect([shown[0], shown.at(-1)]).toEqual([0, 0.8])
  })
})

describe('challenges', () => {
  test('are drawn with a turn and the mouth among them, no two of a kind in a row, in many orders', () => {
    let state = 1
    const pick = (below: number) => {
      state = (state * 48271) % 2147483647
      return state % below
    }
    const all = Array.from({ length: 500 }, () => drawChallenges(4, pick))
    for (const drawn of all) {
      expect(drawn.includes('OpenMouth') && drawn.some((one) => one.startsWith('Turn'))).toBe(true)
      expect(drawn.some((one, index) => one === drawn[index - 1])).toBe(false)
    }
    expect(new Set(all.map(String)).size).toBeGreaterThan(100)
  })
})
