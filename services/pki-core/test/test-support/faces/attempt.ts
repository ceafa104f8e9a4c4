// One attempt at liveness with the engine and the rules of the service, without the service around them.
import type { MeshEngine } from '../../../src/parts/bio/engine/mesh-engine.ts'
import type { Picture } from '../../../src/parts/bio/engine/picture.ts'
import { type AttemptFailure, instructionOf, newCapture, stepOf } from '../../../src/rules/bio/capture.ts'
import type { Challenge } from '../../../src/rules/bio/challenges.ts'
import { likeness } from '../../../src/rules/bio/likeness.ts'

/** What stands before the camera: its picture at a frame, when something is asked for. */
export type Scene = (instruction: string, frame: number) => Picture

export type Outcome = 'passed' | 'not begun' | AttemptFailure

/** Frames come slower than in life, and the seconds of a movement go by the faster. */
const FRAME_MS = 500
const SECONDS_EACH = 10
const LONGEST = 250

type Eyes = Pick<MeshEngine, 'seen' | 'described'>

/** Looks at the same picture once: what it says of it never changes. */
export function remembering(engine: MeshEngine): Eyes {
  const once = <Told>(look: (picture: Picture) => Promise<Told>) => {
    const known = new WeakMap<Picture, Promise<Told>>()
    return (picture: Picture): Promise<Told> => {
      const told = known.get(picture) ?? look(picture)
      known.set(picture, told)
      return told
    }
  }
  return { seen: once((picture) => engine.seen(picture)), described: once((picture) => engine.described(picture)) }
}

export async function attempt(engine: Eyes, challenges: readonly Challenge[], scene: Scene): Promise<Outcome> {
  let capture = newCapture(challenges, new Date(0))
  let first: Float32Array | undefined
  for (let frame = 0; frame < LONGEST; frame++) {
    if (frame > 30 && !first) return 'not begun'
    const picture = scene(instructionOf(capture), frame)
    const step = stepOf(capture, await engine.seen(picture), new Date(frame * FRAME_MS), SECONDS_EACH)
    if (step.kind === 'failed') return step.why
    capture = step.capture
    if (step.kind === 'begins') first = await engine.described(picture)
    if (step.kind !== 'confirm') continue
    const now = await engine.described(picture)
    if (!now || !first || likeness(first, now) < step.like) return 'FaceChanged'
    if (step.isLast) return 'passed'
  }
  return 'TookTooLong'
}
