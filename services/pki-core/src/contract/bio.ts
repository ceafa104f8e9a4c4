// Biometric sessions (spec 1 C, Endpoints; pki-core facts 2.10, 3.5).
import Type, { type Static, type TSchema } from 'typebox'
import { Bytes, Flag, maybe, orNull, subscriptionHeader, Text, Time } from './common.ts'

const tags = ['Biometrics']
const always = ['InvalidRequest', 'Forbidden', 'BioSessionNotFound'] as const

/** Names, or the numbers that an early draft of the contract had for them (pki-core facts 1, rule 1). */
const named = <const Names extends readonly [string, ...string[]]>(names: Names, description: string) =>
  maybe(
    Type.Union([Type.Enum(names), Type.Integer({ minimum: 0, maximum: names.length - 1 })], {
      description: `${description} One of: ${names.join(', ')}.`,
    }),
  )

export const platformPreferences = ['NoPreference', 'PreferMobile', 'RequireMobile'] as const
export const geolocationTypes = ['Disabled', 'Optional', 'Required', 'BestEffort'] as const
const geolocationPolicies = ['CollectOnCaptureDevice', 'CollectOnAllDevices'] as const
const captureProviders = ['FaceTecLiveness3d', 'FortFaceSdkLiveness'] as const
const livenessProviders = ['FaceTecLiveness3d', 'FortFaceSdkLiveness', 'FaceTecLiveness2d'] as const

const address = (description: string) => maybe(Type.String({ minLength: 1, maxLength: 2048, description }))
const identifier = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: '^[^\\u0000-\\u001f]+$',
  description: 'What the application calls the person: CPF, e-mail address, any text.',
})
const OURS = 'Whichever is named, the engine of this instance does the work.'

const common = {
  trustedOrigin: address('Origin of the site that shows the page in a frame. Either this or returnUrl.'),
  returnUrl: address('Absolute address to come back to. Either this or trustedOrigin.'),
  platformPreference: named(platformPreferences, 'Only NoPreference is available.'),
  captureIdentificationDocument: maybe(Type.Boolean({ description: 'Not available: true is refused.' })),
  faceCaptureProvider: named(captureProviders, OURS),
  geolocationCaptureType: named(geolocationTypes, 'Only Disabled is available.'),
  geolocationCapturePolicy: named(geolocationPolicies, 'Without effect while nothing is collected.'),
}

const sessionTypes = ['Liveness', 'Enrollment', 'Authentication', 'Identification'] as const
export type BioSessionType = (typeof sessionTypes)[number]

const StartBioSessionResponse = Type.Object(
  {
    sessionType: Type.Enum(sessionTypes),
    sessionId: Text,
    sessionUrl: Type.String({
      description: 'The page where the person is captured. It holds the token of the session.',
    }),
  },
  { $id: 'StartBioSessionResponse' },
)

const startRefusals = [...always, 'BioOptionNotAvailable', 'BioReturnUrlNotAccepted'] as const

const FaceLivenessStatus = Type.Object(
  {
    provider: orNull(Type.Enum(livenessProviders, { description: 'Null: the engine is none of these.' })),
    engine: Type.String({ description: 'The engine that judged.' }),
    success: orNull(Flag),
    attemptCount: Type.Integer(),
  },
  { $id: 'FaceLivenessStatusModel' },
)

const ended = {
  sessionId: Text,
  success: orNull(Type.Boolean({ description: 'Null while it runs.' })),
  resultDataAvailable: Flag,
}

// Of identity documents nothing is captured.
const idCaptureStatus = Type.Null({ description: 'No identity document is captured.' })

export const LivenessSessionStatusModel = Type.Object(
  { faceLivenessStatus: FaceLivenessStatus, idCaptureStatus, ...ended },
  { $id: 'LivenessSessionStatusModel' },
)

const enrollmentFailures = [
  'FaceNotFoundWithSufficientQuality',
  'FaceLiveness2dFailed',
  'FaceCaptureFailed',
  'DocumentCaptureFailed',
  'FaceIdentityVerificationFailed',
  'DuplicatesFound',
  'AttemptsLimitReached',
  'SessionAborted',
] as const

export const BioEnrollmentSessionStatusModel = Type.Object(
  {
    subjectIdentifier: orNull(Text),
    subjectId: orNull(Text),
    livenessStatus: FaceLivenessStatus,
    idCaptureStatus,
    failure: orNull(Type.Enum(enrollmentFailures)),
    ...ended,
  },
  { $id: 'BioEnrollmentSessionStatusModel' },
)

const matchFailures = [
  'CaptureFailed',
  'LivenessFailed',
  'NoMatch',
  'BadImage',
  'FaceIdentityVerificationFailed',
] as const

export const BioAuthenticationSessionStatusModel = Type.Object(
  {
    subjectIdentifier: orNull(Text),
    subjectId: orNull(Text),
    failure: orNull(Type.Enum(matchFailures)),
    ...ended,
  },
  { $id: 'BioAuthenticationSessionStatusModel' },
)

export const BioIdentificationSessionStatusModel = Type.Object(
  {
    identifiedSubjectId: orNull(Text),
    identifiedSubjectIdentifier: orNull(Text),
    failure: orNull(Type.Enum(matchFailures)),
    ...ended,
  },
  { $id: 'BioIdentificationSessionStatusModel' },
)

const CompleteBioSessionRequest = Type.Object(
  { ticket: Type.String({ minLength: 1, maxLength: 256, description: 'What the page brought back; good once.' }) },
  { $id: 'CompleteBioSessionRequest' },
)

/** Written out, so that whoever has a path from the specification finds it. */
const paths = {
  liveness: { start: '/api/bio/sessions/liveness', completion: '/api/bio/sessions/liveness/completion' },
  enrollment: { start: '/api/bio/sessions/enrollment', completion: '/api/bio/sessions/enrollment/completion' },
  authentication: {
    start: '/api/bio/sessions/authentication',
    completion: '/api/bio/sessions/authentication/completion',
  },
  identification: {
    start: '/api/bio/sessions/identification',
    completion: '/api/bio/sessions/identification/completion',
  },
} as const

type Kind = keyof typeof paths

const start = <const Id extends string, Body extends TSchema>(kind: Kind, operationId: Id, body: Body) =>
  ({
    method: 'POST',
    path: paths[kind].start,
    operationId,
    summary: `Creates a session of ${kind}.`,
    tags,
    headers: subscriptionHeader,
    body,
    answer: StartBioSessionResponse,
    access: 'bio.run',
  }) as const

const StartLivenessSessionRequest = Type.Object(
  { ...common, subjectIdentifier: maybe(identifier), faceLivenessProvider: named(livenessProviders, OURS) },
  { $id: 'StartLivenessSessionRequest' },
)

export const startLivenessSession = {
  ...start('liveness', 'startLivenessSession', StartLivenessSessionRequest),
  refusals: startRefusals,
} as const

const StartBioEnrollmentSessionRequest = Type.Object(
  {
    ...common,
    subjectIdentifier: identifier,
    dangerousOverrideIfAlreadyEnrolled: maybe(
      Type.Boolean({ description: 'Whether the face of a subject that has one is replaced.' }),
    ),
    verifyFaceIdentityExternally: maybe(Type.Boolean({ description: 'Not available: true is refused.' })),
  },
  { $id: 'StartBioEnrollmentSessionRequest' },
)

export const startEnrollmentSession = {
  ...start('enrollment', 'startEnrollmentSession', StartBioEnrollmentSessionRequest),
  refusals: [...startRefusals, 'SubjectAlreadyEnrolled'],
} as const

const StartBioAuthenticationSessionRequest = Type.Object(
  {
    ...common,
    subject: Type.Object(
      { id: maybe(Type.String({ maxLength: 64 })), identifier: maybe(identifier) },
      { $id: 'BioSubjectReferenceModel' },
    ),
  },
  { $id: 'StartBioAuthenticationSessionRequest' },
)

export const startBioAuthenticationSession = {
  ...start('authentication', 'startBioAuthenticationSession', StartBioAuthenticationSessionRequest),
  refusals: [...startRefusals, 'BioSubjectNotFound'],
} as const

export const startIdentificationSession = {
  ...start(
    'identification',
    'startIdentificationSession',
    Type.Object(common, { $id: 'StartBioIdentificationSessionRequest' }),
  ),
  refusals: startRefusals,
} as const

/** A request of any type: what a type does not have is absent. */
export type StartRequest = Static<typeof StartLivenessSessionRequest> &
  Partial<Omit<Static<typeof StartBioEnrollmentSessionRequest>, 'subjectIdentifier'>> &
  Partial<Static<typeof StartBioAuthenticationSessionRequest>>

// Without X-Subscription: a ticket names its session (pki-core facts 1, rule 13).
const completion = <Answer extends TSchema>(kind: Kind, operationId: string, answer: Answer) =>
  ({
    method: 'POST',
    path: paths[kind].completion,
    operationId,
    summary: `Completes a session of ${kind}, once.`,
    tags,
    body: CompleteBioSessionRequest,
    answer,
    access: 'bio.complete',
    refusals: [...always, 'BadBioTicket', 'BadBioSessionOperation'],
  }) as const

const status = <Answer extends TSchema>(kind: Kind, operationId: string, answer: Answer) =>
  ({
    method: 'GET',
    path: `${paths[kind].start}/{sessionId}/status` as const,
    operationId,
    summary: `How a session of ${kind} stands, at any time.`,
    tags,
    headers: subscriptionHeader,
    answer,
    access: 'bio.read',
    refusals: always,
  }) as const

export const completeLivenessSession = completion('liveness', 'completeLivenessSession', LivenessSessionStatusModel)
export const completeEnrollmentSession = completion(
  'enrollment',
  'completeEnrollmentSession',
  BioEnrollmentSessionStatusModel,
)
export const completeBioAuthenticationSession = completion(
  'authentication',
  'completeBioAuthenticationSession',
  BioAuthenticationSessionStatusModel,
)
export const completeIdentificationSession = completion(
  'identification',
  'completeIdentificationSession',
  BioIdentificationSessionStatusModel,
)

export const readLivenessStatus = status('liveness', 'readLivenessStatus', LivenessSessionStatusModel)
export const readEnrollmentStatus = status('enrollment', 'readEnrollmentStatus', BioEnrollmentSessionStatusModel)
export const readBioAuthenticationStatus = status(
  'authentication',
  'readBioAuthenticationStatus',
  BioAuthenticationSessionStatusModel,
)
export const readIdentificationStatus = status(
  'identification',
  'readIdentificationStatus',
  BioIdentificationSessionStatusModel,
)

const BlobModel = Type.Object({ content: Bytes, contentType: Text }, { $id: 'BlobModel' })

export const readResultData = {
  method: 'GET',
  path: '/api/bio/sessions/{sessionId}/result-data',
  operationId: 'readBioResultData',
  summary: 'The picture of a session that succeeded, for a short time.',
  tags,
  headers: subscriptionHeader,
  answer: Type.Object(
    {
      faceData: Type.Object({ faceImage: BlobModel }, { $id: 'BioFaceDataModel' }),
      documentData: Type.Null({ description: 'No identity document is captured.' }),
    },
    { $id: 'BioSessionResultDataModel' },
  ),
  access: 'bio.run',
  refusals: [...always, 'BioResultDataNotAvailable'],
} as const

export const BioSubjectModel = Type.Object(
  {
    id: Text,
    subscriptionId: Text,
    identifier: orNull(Type.String({ description: 'Null once it is deleted.' })),
    dateCreated: Time,
    dateDeleted: orNull(Time),
    deleted: Flag,
    currentFaceId: orNull(Text),
    currentFaceTecSubjectId: Type.Null(),
    hasIdentificationDocument: Flag,
    currentIdentificationDocumentId: Type.Null(),
    identificationDocumentMatchedFace: Type.Null(),
    consent: orNull(
      Type.Object(
        {
          date: Time,
          textVersion: Type.String({ description: 'Which text the person agreed to.' }),
          address: Type.String({ description: 'Network address it came from.' }),
        },
        { $id: 'BioConsentModel' },
      ),
    ),
  },
  { $id: 'BioSubjectModel' },
)

const subjectRefusals = ['InvalidRequest', 'Forbidden', 'BioSubjectNotFound'] as const

export const readSubject = {
  method: 'GET',
  path: '/api/bio/subjects/{id}',
  operationId: 'readBioSubject',
  summary: 'A subject, by its id.',
  tags,
  headers: subscriptionHeader,
  answer: BioSubjectModel,
  access: 'bio.read',
  refusals: subjectRefusals,
} as const

export const findSubject = {
  method: 'GET',
  path: '/api/bio/subjects',
  operationId: 'findBioSubject',
  summary: 'A subject, by what the application calls it.',
  tags,
  headers: subscriptionHeader,
  query: Type.Object({ identifier }),
  answer: BioSubjectModel,
  access: 'bio.read',
  refusals: subjectRefusals,
} as const

export const readSubjectFace = {
  method: 'GET',
  path: '/api/bio/subjects/{id}/face',
  operationId: 'readBioSubjectFace',
  summary: 'The picture a subject was enrolled with.',
  tags,
  headers: subscriptionHeader,
  answer: BlobModel,
  access: 'bio.run',
  refusals: subjectRefusals,
} as const

export const deleteSubject = {
  method: 'DELETE',
  path: '/api/bio/subjects/{id}',
  operationId: 'deleteBioSubject',
  summary: 'Deletes template, picture and identifier of a subject; that it was there remains.',
  tags,
  headers: subscriptionHeader,
  answer: BioSubjectModel,
  status: 200,
  access: 'bio.delete',
  refusals: subjectRefusals,
} as const
