// What the capture page sends. Its token is that of the session and opens nothing else; the API key is never here.
import Type, { type Static } from 'typebox'
import { bytesOf, orNull, Text } from './common.ts'

const tags = ['Biometrics: the capture page']
const access = 'bio.page'
const policy = 'BioPages'
const always = ['InvalidRequest', 'BioSessionTokenRequired', 'BadBioSessionToken', 'ExpiredBioSessionToken'] as const

/** The text of the consent that the page shows. Another text is another version. */
export const CONSENT_VERSION = '2026-11-17'

const instructions = ['LookStraight', 'TurnLeft', 'TurnRight', 'LookUp', 'LookDown', 'OpenMouth'] as const
export const frameHints = [
  'NoFace',
  'SeveralFaces',
  'TooDark',
  'TooFar',
  'TooClose',
  'OffCentre',
  'LookAtCamera',
] as const
export const attemptFailures = ['TookTooLong', 'OtherMovement', 'FaceLost', 'FaceChanged'] as const

const BioPageModel = Type.Object(
  {
    sessionType: Type.Enum(['Liveness', 'Enrollment', 'Authentication', 'Identification']),
    application: Type.String({ description: 'Who asks.' }),
    state: Type.Enum(['Pending', 'InProgress', 'Succeeded', 'Failed', 'Aborted', 'Expired']),
    consentVersion: Text,
    frame: Type.Integer({ description: 'Number of the frame that is expected next.' }),
    instruction: orNull(Type.Enum(instructions)),
    progress: Type.Number({ description: 'From 0 to 1.' }),
    attempt: Type.Integer({ description: 'From 1.' }),
    attempts: Type.Integer({ description: 'How many there are.' }),
    secondsEach: Type.Integer({ description: 'Seconds for each movement.' }),
    hint: orNull(Type.Enum(frameHints)),
    attemptFailure: orNull(Type.Enum(attemptFailures)),
    trustedOrigin: orNull(Text),
    returnUrl: orNull(Type.String({ description: 'With the ticket, once the session has ended.' })),
    completeTicket: orNull(Type.String({ description: 'Once the session has ended.' })),
  },
  { $id: 'BioPageModel' },
)

export type BioPage = Static<typeof BioPageModel>

export const readBioPage = {
  method: 'GET',
  path: '/api/bio/page',
  operationId: 'readBioPage',
  summary: 'How the session stands.',
  tags,
  answer: BioPageModel,
  access,
  policy,
  refusals: always,
} as const

export const consentOnBioPage = {
  method: 'POST',
  path: '/api/bio/page/consent',
  operationId: 'consentOnBioPage',
  summary: 'The person agrees to be captured.',
  tags,
  body: Type.Object({ consentVersion: Type.Literal(CONSENT_VERSION), agreed: Type.Literal(true) }),
  answer: BioPageModel,
  access,
  policy,
  refusals: [...always, 'BadBioSessionOperation'],
} as const

export const sendBioFrame = {
  method: 'POST',
  path: '/api/bio/page/frames',
  operationId: 'sendBioFrame',
  summary: 'The next frame of the camera.',
  tags,
  body: Type.Object({
    frame: Type.Integer({ minimum: 0, description: 'Its number, as the answer before told.' }),
    jpeg: bytesOf(300_000, 'JPEG, not mirrored.'),
  }),
  answer: BioPageModel,
  access,
  policy,
  refusals: [...always, 'BadBioSessionOperation', 'BioFrameOutOfTurn', 'ServerBusy'],
} as const

export const abortBioPage = {
  method: 'POST',
  path: '/api/bio/page/abort',
  operationId: 'abortBioPage',
  summary: 'The person gives up, or there is no camera.',
  tags,
  answer: BioPageModel,
  access,
  policy,
  refusals: [...always, 'BadBioSessionOperation'],
} as const
