// What a person is asked to do, and when it is done (decisions: biometrics).
import type { Face } from './face.ts'
import { distanceFromPlane } from './plane.ts'

/** Left and right are those of the person. */
const challenges = ['TurnLeft', 'TurnRight', 'LookUp', 'LookDown', 'OpenMouth'] as const

export type Challenge = (typeof challenges)[number]

/** The face looking straight ahead, with which every other frame is compared. */
export type Straight = Pick<Face, 'yaw' | 'pitch' | 'mouth' | 'rigid' | 'unit'>

/** Degrees a head turns, and how far its points must leave a plane meanwhile: docs/biometrics.md has both for pictures. */
const YAW = 16
const PITCH = 13
const FROM_PLANE = 0.05
/** More open than before, in parts of the height of the face. */
const MOUTH = 0.045

const isSolid = (straight: Straight, { rigid }: Face): boolean =>
  distanceFromPlane(straight.rigid, rigid, straight.unit) >= FROM_PLANE

const done: Readonly<Record<Challenge, (straight: Straight, face: Face) => boolean>> = {
  TurnLeft: (straight, face) => face.yaw - straight.yaw >= YAW && isSolid(straight, face),
  TurnRight: (straight, face) => straight.yaw - face.yaw >= YAW && isSolid(straight, face),
  LookUp: (straight, face) => straight.pitch - face.pitch >= PITCH && isSolid(straight, face),
  LookDown: (straight, face) => face.pitch - straight.pitch >= PITCH && isSolid(straight, face),
  OpenMouth: (straight, face) => face.mouth - straight.mouth >= MOUTH,
}

export const isDone = (challenge: Challenge, straight: Straight, face: Face): boolean => done[challenge](straight, face)

/** Whether the face does something that was not asked for; what comes along with what was asked for does not count. */
export const isOther = (challenge: Challenge, straight: Straight, face: Face): boolean =>
  !isDone(challenge, straight, face) && challenges.some((one) => one !== challenge && isDone(one, straight, face))

/** Back where it was, nearly. */
export const isStraight = (straight: Straight, { yaw, pitch, mouth }: Face): boolean =>
  Math.abs(yaw - straight.yaw) < YAW / 2 &&
  Math.abs(pitch - straight.pitch) < PITCH * 0.75 &&
  mouth - straight.mouth < MOUTH / 2

/** Draws so many, no two of a kind in a row; a turn and the mouth are always among them, which no sheet of paper does. */
export function drawChallenges(count: number, pick: (below: number) => number): readonly Challenge[] {
  for (;;) {
    const drawn: Challenge[] = []
    while (drawn.length < count) {
      const others = challenges.filter((one) => one !== drawn.at(-1))
      drawn.push(others[pick(others.length)]!)
    }
    if (drawn.includes('OpenMouth') && drawn.some((one) => one.startsWith('Turn'))) return drawn
  }
}
