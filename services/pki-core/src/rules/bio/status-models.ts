// A session as its owner sees it, by its type (pki-core facts 2.10).
import type { Static } from 'typebox'
import type {
  BioAuthenticationSessionStatusModel,
  BioEnrollmentSessionStatusModel,
  BioIdentificationSessionStatusModel,
  BioSessionType,
  LivenessSessionStatusModel,
} from '../../contract/bio.ts'
import { type BioSessionState, isRunning } from './session-states.ts'

/** What of a session its models are made from. */
export interface SessionView {
  readonly id: string
  readonly state: BioSessionState
  readonly failure: string | null
  readonly attempts: number
  readonly subjectId: string | null
  readonly subjectIdentifier: string | null
  readonly hasPicture: boolean
  readonly engine: string
}

type Models = {
  Liveness: Static<typeof LivenessSessionStatusModel>
  Enrollment: Static<typeof BioEnrollmentSessionStatusModel>
  Authentication: Static<typeof BioAuthenticationSessionStatusModel>
  Identification: Static<typeof BioIdentificationSessionStatusModel>
}

const successOf = ({ state }: SessionView): boolean | null => (isRunning(state) ? null : state === 'Succeeded')

const ended = (view: SessionView) => ({
  sessionId: view.id,
  success: successOf(view),
  resultDataAvailable: view.hasPicture,
})

/** Failures after which the person was seen to be alive. */
const afterLiveness: readonly (string | null)[] = ['DuplicatesFound', 'NoMatch']

const liveness = (view: SessionView) => ({
  provider: null,
  engine: view.engine,
  success: afterLiveness.includes(view.failure) ? true : successOf(view),
  attemptCount: view.attempts,
})

/** What a session that was left has failed by, in the words of its type. */
const left = (view: SessionView, word: string): string | null =>
  view.state === 'Aborted' || view.state === 'Expired' ? word : view.failure

const models: { readonly [Type in BioSessionType]: (view: SessionView) => Models[Type] } = {
  Liveness: (view) => ({ faceLivenessStatus: liveness(view), idCaptureStatus: null, ...ended(view) }),
  Enrollment: (view) => ({
    subjectIdentifier: view.subjectIdentifier,
    subjectId: view.subjectId,
    livenessStatus: liveness(view),
    idCaptureStatus: null,
    failure: left(view, 'SessionAborted') as Models['Enrollment']['failure'],
    ...ended(view),
  }),
  Authentication: (view) => ({
    subjectIdentifier: view.subjectIdentifier,
    subjectId: view.subjectId,
    failure: left(view, 'CaptureFailed') as Models['Authentication']['failure'],
    ...ended(view),
  }),
  Identification: (view) => ({
    identifiedSubjectId: view.subjectId,
    identifiedSubjectIdentifier: view.subjectIdentifier,
    failure: left(view, 'CaptureFailed') as Models['Identification']['failure'],
    ...ended(view),
  }),
}

export const statusModel = <Type extends BioSessionType>(type: Type, view: SessionView): Models[Type] =>
  models[type](view)
