// One frame of the camera: looked at, judged, and the attempt goes on, fails or is done.
import type { PageCaller } from '../../parts/bio/bio-access.ts'
import { EngineBusy } from '../../parts/bio/engine/face-engine.ts'
import { type AttemptFailure, type Step, stepOf } from '../../rules/bio/capture.ts'
import { likeness, meanOf } from '../../rules/bio/likeness.ts'
import { refuse } from '../../rules/refuse.ts'
import { bioSeal } from '../../store/bio/sealed.ts'
import { endSession, nextFrame, type SessionChange } from '../../store/bio/sessions.ts'
import type { BioSessionRow } from '../../store/bio/tables.ts'
import { type Attempt, newAttempt, openAttempt, sealAttempt } from './capture-state.ts'
import { conclude, livenessFailures } from './conclude.ts'
import type { BioDependencies } from './dependencies.ts'
import { pageOf, requireTime, type Told } from './page.ts'

interface Frame {
  readonly number: number
  readonly jpeg: Uint8Array
  readonly signal: AbortSignal
}

/** What a frame leads to. */
type Outcome =
  | { readonly kind: 'going'; readonly set: SessionChange; readonly told: Told }
  | { readonly kind: 'failed'; readonly why: AttemptFailure }
  | { readonly kind: 'passed'; readonly descriptor: Float32Array }

export async function takeFrame(dependencies: BioDependencies, caller: PageCaller, frame: Frame, now: Date) {
  const { session } = caller
  requireTime(session, now)
  const attempt = session.state === 'InProgress' ? openAttempt(dependencies.context, session) : undefined
  if (!attempt) throw refuse('BadBioSessionOperation', { sessionId: session.id, state: session.state })
  if (frame.number !== session.frame) throw refuse('BioFrameOutOfTurn', { expected: session.frame })
  const outcome = await judged(dependencies, session, attempt, frame, now).catch((error) => asBusy(error, frame.signal))
  const { row, told } = await settled(dependencies, session, outcome, now)
  // Another frame came before, or the session ended meanwhile: this one counts for nothing.
  if (!row) throw refuse('BioFrameOutOfTurn')
  return pageOf(dependencies, { ...caller, session: row }, now, told)
}

/** Also for who left while waiting: nobody reads that answer, and nothing went wrong. */
function asBusy(error: unknown, { aborted }: AbortSignal): never {
  if (error instanceof EngineBusy || aborted) throw refuse('ServerBusy')
  throw error
}

async function judged(
  { context, engine }: BioDependencies,
  session: BioSessionRow,
  attempt: Attempt,
  { jpeg, signal }: Frame,
  now: Date,
): Promise<Outcome> {
  const seen = await engine.look(jpeg, signal)
  const step = stepOf(attempt.capture, seen, now, context.settings.Biometrics.ChallengeSeconds)
  if (step.kind === 'failed') return step
  if (step.kind === 'going') return goingOn(context, session, { ...attempt, capture: step.capture }, step)
  const descriptor = await engine.describe(jpeg, signal)
  if (!descriptor) return goingOn(context, session, attempt, { hint: 'NoFace' })
  if (step.kind === 'confirm') return confirmed(context, session, attempt, step, descriptor)
  const set = { face_image: sealedPicture(context, session, jpeg) }
  return goingOn(context, session, { capture: step.capture, straight: [descriptor] }, {}, set)
}

/** The face must have stayed the same: what another does counts for nobody. */
function confirmed(
  context: BioDependencies['context'],
  session: BioSessionRow,
  { straight }: Attempt,
  step: Extract<Step, { kind: 'confirm' }>,
  descriptor: Float32Array,
): Outcome {
  if (likeness(straight[0]!, descriptor) < step.like) return { kind: 'failed', why: 'FaceChanged' }
  const isStraight = step.capture.phase === 'Challenge'
  const all = isStraight ? [straight[0]!, meanOf([...straight, descriptor])] : straight
  if (step.isLast) return { kind: 'passed', descriptor: all.at(-1)! }
  return goingOn(context, session, { capture: step.capture, straight: all }, {})
}

const goingOn = (
  context: BioDependencies['context'],
  session: BioSessionRow,
  attempt: Attempt,
  { hint }: Told,
  set: SessionChange = {},
): Outcome => ({
  kind: 'going',
  set: { ...set, capture: sealAttempt(context, session, attempt) },
  told: hint ? { hint } : {},
})

const sealedPicture = ({ secrets }: BioDependencies['context'], session: BioSessionRow, jpeg: Uint8Array): string =>
  secrets.seal(Buffer.from(jpeg).toString('base64'), bioSeal('bio_session', session, 'face_image'))

interface Settled {
  readonly row: BioSessionRow | undefined
  readonly told: Told
}

async function settled(
  dependencies: BioDependencies,
  session: BioSessionRow,
  outcome: Outcome,
  now: Date,
): Promise<Settled> {
  const { db } = dependencies.context.store
  switch (outcome.kind) {
    case 'going':
      return { row: await nextFrame(db, session, outcome.set), told: outcome.told }
    case 'passed':
      return { row: await conclude(dependencies, session, outcome.descriptor, now), told: {} }
    case 'failed':
      return { row: await failed(dependencies, session, now), told: { attemptFailure: outcome.why } }
  }
}

/** Another attempt with other challenges, or the end of the session. What was captured is dropped. */
function failed({ context }: BioDependencies, session: BioSessionRow, now: Date): Promise<BioSessionRow | undefined> {
  const { db } = context.store
  if (session.attempts >= context.settings.Biometrics.Attempts) {
    const end = { failure: livenessFailures[session.type], ended_at: now.toISOString() }
    return endSession(db, session, 'fail', { ...end, capture: null, face_image: null })
  }
  const capture = sealAttempt(context, session, newAttempt(context, now))
  return nextFrame(db, session, { attempts: session.attempts + 1, capture, face_image: null })
}
