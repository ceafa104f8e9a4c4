// One attempt at liveness, frame by frame: straight ahead, a challenge, straight again, the next.
import type { attemptFailures, frameHints } from '../../contract/bio-page.ts'
import { type Challenge, isDone, isOther, isStraight, type Straight } from './challenges.ts'
import type { Face, Seen } from './face.ts'

/** What is kept of an attempt between two frames. */
export interface Capture {
  readonly challenges: readonly Challenge[]
  /** Which of them is under way. */
  readonly at: number
  readonly phase: 'Position' | 'Challenge' | 'Return'
  /** When the phase began, in milliseconds. */
  readonly since: number
  /** Frames in a row that show what is asked for. */
  readonly held: number
  /** Frames in a row that show something else that could have been asked for. */
  readonly other: number
  /** Frames in a row without exactly one face. */
  readonly lost: number
  readonly straight?: Straight
}

/** Why a frame does not help, told to the person. */
export type Hint = (typeof frameHints)[number]

/** Why an attempt failed, told to the person. */
export type AttemptFailure = (typeof attemptFailures)[number]

/**
 * What follows from a frame. Where the frame must be of the same person before it counts, `confirm` says how like the two
 * must be; `begins` is the frame the others are compared with.
 */
export type Step =
  | { readonly kind: 'going'; readonly capture: Capture; readonly hint?: Hint }
  | { readonly kind: 'begins'; readonly capture: Capture }
  | { readonly kind: 'confirm'; readonly capture: Capture; readonly like: number; readonly isLast: boolean }
  | { readonly kind: 'failed'; readonly why: AttemptFailure }

export const newCapture = (challenges: readonly Challenge[], now: Date): Capture => ({
  challenges,
  at: 0,
  phase: 'Position',
  since: now.getTime(),
  held: 0,
  other: 0,
  lost: 0,
})

/** Frames in a row: chance shows one, a person holds it. */
const HELD = 2
const STEADY = 3
const MOST_LOST = 8
/** How like the face must stay to itself: turned away, and straight again (docs/biometrics.md). */
const LIKE_TURNED = 0.45
const LIKE_STRAIGHT = 0.6

export function stepOf(capture: Capture, seen: Seen, now: Date, secondsEach: number): Step {
  const isLate = capture.phase !== 'Position' && now.getTime() - capture.since > secondsEach * 1000
  if (isLate) return { kind: 'failed', why: 'TookTooLong' }
  const face = seen?.faces === 1 ? seen.face : undefined
  if (!face) return without(capture, (seen?.faces ?? 0) > 1 ? 'SeveralFaces' : 'NoFace')
  const found = { ...capture, lost: 0 }
  const { straight } = found
  if (!straight) return position(found, face, now)
  return found.phase === 'Challenge' ? challenge(found, straight, face, now) : comeBack(found, straight, face, now)
}

function without(capture: Capture, hint: Hint): Step {
  if (capture.phase === 'Position') return { kind: 'going', capture: { ...capture, held: 0 }, hint }
  if (capture.lost >= MOST_LOST) return { kind: 'failed', why: 'FaceLost' }
  return { kind: 'going', capture: { ...capture, held: 0, other: 0, lost: capture.lost + 1 }, hint }
}

/** What is wrong with where the face is, if anything. */
const wrongs: readonly (readonly [Hint, (face: Face) => boolean])[] = [
  ['TooDark', ({ brightness }) => brightness < 0.15],
  ['TooFar', ({ size }) => size < 0.25],
  ['TooClose', ({ size }) => size > 0.9],
  ['OffCentre', ({ x, y }) => Math.abs(x - 0.5) > 0.22 || Math.abs(y - 0.5) > 0.25],
  ['LookAtCamera', ({ yaw }) => Math.abs(yaw) > 20],
]

const wrongWith = (face: Face): Hint | undefined => wrongs.find(([, isWrong]) => isWrong(face))?.[0]

function position(capture: Capture, face: Face, now: Date): Step {
  const hint = wrongWith(face)
  if (hint) return { kind: 'going', capture: { ...capture, held: 0 }, hint }
  const held = capture.held + 1
  if (held < STEADY) return { kind: 'going', capture: { ...capture, held } }
  const { yaw, pitch, mouth, rigid, unit } = face
  return {
    kind: 'begins',
    capture: inPhase(capture, 'Challenge', now, { straight: { yaw, pitch, mouth, rigid, unit } }),
  }
}

function challenge(capture: Capture, straight: Straight, face: Face, now: Date): Step {
  const asked = capture.challenges[capture.at]!
  const held = isDone(asked, straight, face) ? capture.held + 1 : 0
  const other = isOther(asked, straight, face) ? capture.other + 1 : 0
  if (other >= HELD) return { kind: 'failed', why: 'OtherMovement' }
  if (held < HELD) return { kind: 'going', capture: { ...capture, held, other } }
  return { kind: 'confirm', like: LIKE_TURNED, isLast: false, capture: inPhase(capture, 'Return', now) }
}

function comeBack(capture: Capture, straight: Straight, face: Face, now: Date): Step {
  const held = isStraight(straight, face) ? capture.held + 1 : 0
  if (held < HELD) return { kind: 'going', capture: { ...capture, held } }
  const at = capture.at + 1
  const isLast = at === capture.challenges.length
  return { kind: 'confirm', like: LIKE_STRAIGHT, isLast, capture: inPhase(capture, 'Challenge', now, { at }) }
}

const inPhase = (capture: Capture, phase: Capture['phase'], now: Date, more: Partial<Capture> = {}): Capture => ({
  ...capture,
  ...more,
  phase,
  since: now.getTime(),
  held: 0,
  other: 0,
})

/** What the person is asked to do now. */
export const instructionOf = ({ phase, challenges, at }: Capture): Challenge | 'LookStraight' =>
  phase === 'Challenge' ? challenges[at]! : 'LookStraight'

/** From 0 to 1. */
export const progressOf = ({ phase, challenges, at }: Capture): number =>
  phase === 'Position' ? 0 : (at + (phase === 'Return' ? 0.6 : 0.1)) / challenges.length
