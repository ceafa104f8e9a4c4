// What follows when a person was seen to be alive: by the type of the session.
import { isUniqueViolation } from '@chancela/service-kernel/store'
import type { Context } from '../../context.ts'
import type { BioSessionType } from '../../contract/bio.ts'
import { likeness, toBytes } from '../../rules/bio/likeness.ts'
import { bioSeal } from '../../store/bio/sealed.ts'
import { endSession, findSession, type SessionChange } from '../../store/bio/sessions.ts'
import { findSubjectById, findSubjectByIdentifier, insertSubject, replaceFace } from '../../store/bio/subjects.ts'
import type { BioSessionRow } from '../../store/bio/tables.ts'
import type { BioDependencies } from './dependencies.ts'
import { nearest } from './nearest-subjects.ts'
import { openTemplate } from './open-template.ts'

/** What a session that ran out of attempts has failed by, in the words of its type. */
export const livenessFailures: Readonly<Record<BioSessionType, string | null>> = {
  Liveness: null,
  Enrollment: 'AttemptsLimitReached',
  Authentication: 'LivenessFailed',
  Identification: 'LivenessFailed',
}

type Ended = Promise<BioSessionRow | undefined>
type Concluding = (dependencies: BioDependencies, session: BioSessionRow, descriptor: Float32Array, now: Date) => Ended

const conclusions: Readonly<Record<BioSessionType, Concluding>> = {
  Liveness: ({ context }, session, _descriptor, now) => succeed(context, session, now),
  Enrollment: enroll,
  Authentication: authenticate,
  Identification: identify,
}

export const conclude: Concluding = (dependencies, session, descriptor, now) =>
  conclusions[session.type](dependencies, session, descriptor, now)

/** The picture stays for a while, for who asked; nothing else does. */
function succeed(
  { store, settings }: Context,
  session: BioSessionRow,
  now: Date,
  set: SessionChange = {},
  db = store.db,
): Ended {
  const picture = settings.Biometrics.ResultMinutes > 0 ? {} : { face_image: null }
  return endSession(db, session, 'succeed', { ...set, ...picture, capture: null, ended_at: now.toISOString() })
}

const fail = ({ store }: Context, session: BioSessionRow, failure: string, now: Date): Ended =>
  endSession(store.db, session, 'fail', { failure, capture: null, face_image: null, ended_at: now.toISOString() })

async function authenticate(
  { context, engine }: BioDependencies,
  session: BioSessionRow,
  descriptor: Float32Array,
  now: Date,
): Ended {
  const subject = await findSubjectById(context.store.db, session.subscription_id, session.subject_id!)
  const template = subject?.engine === engine.name ? openTemplate(context, subject) : undefined
  const isSame = template && likeness(template, descriptor) * 100 >= context.settings.Biometrics.MatchPercent
  return isSame ? succeed(context, session, now) : fail(context, session, 'NoMatch', now)
}

async function identify(
  dependencies: BioDependencies,
  session: BioSessionRow,
  descriptor: Float32Array,
  now: Date,
): Ended {
  const { context } = dependencies
  const { IdentifyPercent, IdentifyMarginPercent } = context.settings.Biometrics
  const [best, next] = await nearest(dependencies, session.subscription_id, descriptor)
  const isSure =
    best && best.like * 100 >= IdentifyPercent && (best.like - (next?.like ?? 0)) * 100 >= IdentifyMarginPercent
  if (!isSure) return fail(context, session, 'NoMatch', now)
  const found = await findSubjectById(context.store.db, session.subscription_id, best.id)
  if (!found?.identifier) return fail(context, session, 'NoMatch', now)
  return succeed(context, session, now, { subject_id: found.id, subject_identifier: found.identifier })
}

async function enroll(
  dependencies: BioDependencies,
  session: BioSessionRow,
  descriptor: Float32Array,
  now: Date,
): Ended {
  const { context } = dependencies
  if (await isTaken(dependencies, session, descriptor)) return fail(context, session, 'DuplicatesFound', now)
  try {
    return await context.store.transaction(async (tx) => {
      const subjectId = await keepFace(dependencies, session, descriptor, now, tx)
      if (subjectId === undefined) throw new AlreadyEnrolled()
      const ended = await succeed(context, session, now, { subject_id: subjectId }, tx)
      if (!ended) throw new OutOfTurn()
      return ended
    })
  } catch (error) {
    if (error instanceof OutOfTurn) return undefined
    // Another session enrolled the same subject first.
    if (error instanceof AlreadyEnrolled || isUniqueViolation(error))
      return fail(context, session, 'DuplicatesFound', now)
    throw error
  }
}

class AlreadyEnrolled extends Error {}
class OutOfTurn extends Error {}

/** Whether the face belongs to another subject of the subscription, where the operator asks for that. */
async function isTaken(
  dependencies: BioDependencies,
  session: BioSessionRow,
  descriptor: Float32Array,
): Promise<boolean> {
  const { RefuseDuplicates, IdentifyPercent } = dependencies.context.settings.Biometrics
  if (!RefuseDuplicates) return false
  const found = await nearest(dependencies, session.subscription_id, descriptor)
  return found.some(({ id, like }) => id !== session.subject_id && like * 100 >= IdentifyPercent)
}

/** The id of the subject that has the face now; undefined when it has another already. */
async function keepFace(
  { context, engine }: BioDependencies,
  session: BioSessionRow,
  descriptor: Float32Array,
  now: Date,
  db: Context['store']['db'],
): Promise<string | undefined> {
  const { subscription_id } = session
  const known = await findSubjectByIdentifier(db, subscription_id, session.subject_identifier!)
  if (known?.template && !session.overrides) return undefined
  const id = known?.id ?? crypto.randomUUID()
  const picture = (await findSession(db, { subscriptionId: subscription_id, id: session.id }))?.face_image
  const sealedFor = (column: string) => bioSeal('bio_subject', { id, subscription_id }, column)
  const face = {
    face_id: crypto.randomUUID(),
    engine: engine.name,
    template: context.secrets.seal(toBytes(descriptor), sealedFor('template')),
    face_image: picture ? context.secrets.seal(openPicture(context, session, picture), sealedFor('face_image')) : null,
    consent: session.consent,
    updated_at: now.toISOString(),
  }
  if (known) return (await replaceFace(db, known, face)) ? id : undefined
  const identifier = session.subject_identifier
  await insertSubject(db, { id, subscription_id, identifier, ...face, created_at: now.toISOString(), deleted_at: null })
  return id
}

const openPicture = ({ secrets }: Context, session: BioSessionRow, sealed: string): string =>
  secrets.openText(sealed, bioSeal('bio_session', session, 'face_image'))
