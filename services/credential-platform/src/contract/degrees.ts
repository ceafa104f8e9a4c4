// Degrees of an organization that issues and registers, and emissions of one that only issues (credentials-platform
// facts 2.1, 2.2, 3).
import Type, { type Static } from 'typebox'
import { always, body, creationHeaders, subscriptionHeader } from './common.ts'
import {
  CREATION_BYTES,
  creationRefusals,
  FlowId,
  itemOperations,
  LayoutData,
  making,
  ofBatch,
  Reason,
  ReasonBody,
} from './items.ts'
import { eventModels } from './models.ts'
import { cancellationReasons, degreeStatuses, emissionStatuses } from './vocabulary.ts'

export const degrees = itemOperations(
  'degrees',
  'Degrees',
  'degree-not-found',
  eventModels.Degree,
  degreeStatuses,
  ['academic-documentation', 'public-xml', 'rvdd'],
  ofBatch,
)

const Documentation = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'One of registroReq, registroReqNSF, registroSegundaViaReq and registroPorDecisaoJudicialReq, as the layout has it, without ids and institution.',
})

const Flag = (description: string) => Type.Optional(Type.Boolean({ default: true, description }))

const NewDegree = body(
  {
    ...making,
    registrarInstituteId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Default: the institution that issues.' }),
    ),
    flows: Type.Optional(body({ academicDocumentation: FlowId, degree: FlowId, academicTranscript: FlowId })),
    createAcademicTranscript: Flag('Whether a first copy gets its final transcript as well.'),
    data: Documentation,
    registration: LayoutData,
  },
  'NewDegree',
)
export type NewDegree = Static<typeof NewDegree>

const ofDegrees = { tags: ['Degrees'], answer: eventModels.Degree } as const

export const createDegree = {
  ...ofDegrees,
  method: 'POST',
  path: '/api/degrees',
  operationId: 'createDegree',
  summary: 'Makes a degree: its academic documentation is signed, then its public XML.',
  description: 'registration is dadosRegistro of the layout, without ids, institution and code.',
  headers: creationHeaders,
  body: NewDegree,
  bodyLimitBytes: CREATION_BYTES,
  status: 201,
  access: 'documents.issue',
  refusals: creationRefusals,
} as const

const DegreeCancellation = body(
  {
    temporary: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether it is only suspended, and may be restored.' }),
    ),
    cancellationReason: Type.Optional(
      Type.Enum([...cancellationReasons], { description: 'Of the annulment of a concluded degree, which needs one.' }),
    ),
    until: Type.Optional(
      Type.String({
        format: 'date',
        description: 'The day from which on a suspended degree is valid again by itself, in Brasília.',
      }),
    ),
    reason: Reason,
    cancelAcademicTranscript: Flag('Whether its final transcript is canceled with it; not when it is suspended.'),
  },
  'DegreeCancellation',
)
export type DegreeCancellation = Static<typeof DegreeCancellation>

const changing = [...always, 'degree-not-found', 'invalid-data', 'invalid-transition'] as const

/** What takes two people where the registrar asks for them. */
const decided = [...changing, 'second-person-required'] as const

const TWO_PEOPLE =
  'Where the registrar asks for two people, one who annuls or restores proposes it (202), and the same of another person does it.'

export const cancelDegree = {
  ...ofDegrees,
  method: 'POST',
  path: '/api/degrees/{id}/cancellation',
  operationId: 'cancelDegree',
  summary: 'Suspends a degree, annuls it, or cancels one that was never concluded.',
  headers: subscriptionHeader,
  description: TWO_PEOPLE,
  body: DegreeCancellation,
  otherAnswers: { 202: eventModels.Degree },
  access: 'documents.suspend',
  refusals: decided,
} as const

export const restoreDegree = {
  ...ofDegrees,
  method: 'POST',
  path: '/api/degrees/{id}/restoration',
  operationId: 'restoreDegree',
  summary: 'Makes a suspended degree valid again.',
  description: TWO_PEOPLE,
  headers: subscriptionHeader,
  body: ReasonBody,
  otherAnswers: { 202: eventModels.Degree },
  access: 'documents.suspend',
  refusals: decided,
} as const

export const createDegreeTranscript = {
  tags: ['Degrees'],
  method: 'POST',
  path: '/api/degrees/{id}/academic-transcript',
  operationId: 'createDegreeTranscript',
  summary: 'Makes the final transcript of a degree that has none.',
  headers: subscriptionHeader,
  body: body({ flowId: FlowId }, 'DegreeTranscript'),
  answer: eventModels.AcademicTranscript,
  status: 201,
  access: 'documents.issue',
  refusals: [...changing, 'flow-not-found', 'already-exists'],
} as const

export const emissions = itemOperations(
  'emissions',
  'Emissions',
  'emission-not-found',
  eventModels.EmissionRegistration,
  emissionStatuses,
  ['academic-documentation'],
  ofBatch,
)

const NewEmission = body({ ...making, flowId: FlowId, data: Documentation }, 'NewEmission')
export type NewEmission = Static<typeof NewEmission>

const ofEmissions = { tags: ['Emissions'], answer: eventModels.EmissionRegistration } as const

export const createEmission = {
  ...ofEmissions,
  method: 'POST',
  path: '/api/emissions',
  operationId: 'createEmission',
  summary: 'Makes the academic documentation of a degree that another institution registers, and has it signed.',
  headers: creationHeaders,
  body: NewEmission,
  bodyLimitBytes: CREATION_BYTES,
  status: 201,
  access: 'documents.issue',
  refusals: creationRefusals,
} as const

const changingEmission = [...always, 'emission-not-found', 'invalid-transition'] as const

export const cancelEmission = {
  ...ofEmissions,
  method: 'POST',
  path: '/api/emissions/{id}/cancellation',
  operationId: 'cancelEmission',
  summary: 'Cancels an emission that is not registered.',
  headers: subscriptionHeader,
  body: ReasonBody,
  access: 'documents.suspend',
  refusals: changingEmission,
} as const

export const restoreEmission = {
  ...ofEmissions,
  method: 'POST',
  path: '/api/emissions/{id}/restoration',
  operationId: 'restoreEmission',
  summary: 'Returns a canceled emission to the state it had; webhooks are not told of it.',
  headers: subscriptionHeader,
  body: ReasonBody,
  access: 'documents.suspend',
  refusals: changingEmission,
} as const
