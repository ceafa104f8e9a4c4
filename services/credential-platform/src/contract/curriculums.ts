// Curriculums and transcripts (credentials-platform facts 2.4, 2.5, 3).
import Type, { type Static } from 'typebox'
import { always, body, creationHeaders, orNull, subscriptionHeader } from './common.ts'
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
import { curriculumStatuses, transcriptStatuses, transcriptTypes } from './vocabulary.ts'

export const curriculums = itemOperations(
  'curriculums',
  'Curriculums',
  'curriculum-not-found',
  eventModels.Curriculum,
  curriculumStatuses,
  ['xml', 'rvce'],
)

const NewCurriculum = body({ ...making, flowId: FlowId, data: LayoutData }, 'NewCurriculum')
export type NewCurriculum = Static<typeof NewCurriculum>

export const createCurriculum = {
  method: 'POST',
  path: '/api/curriculums',
  operationId: 'createCurriculum',
  summary: 'Makes a curriculum and has it signed. data is infCurriculoEscolar without institution and code.',
  tags: ['Curriculums'],
  headers: creationHeaders,
  body: NewCurriculum,
  bodyLimitBytes: CREATION_BYTES,
  answer: eventModels.Curriculum,
  status: 201,
  access: 'documents.issue',
  refusals: creationRefusals,
} as const

export const readCurriculumData = {
  method: 'GET',
  path: '/api/curriculums/{id}/data',
  operationId: 'readCurriculumData',
  summary: 'What a curriculum was made from, as it can be sent again: for a new version, or for transcripts.',
  tags: ['Curriculums'],
  headers: subscriptionHeader,
  answer: Type.Object(
    { instituteId: Type.String(), courseId: orNull(Type.String()), data: LayoutData },
    { $id: 'CurriculumData' },
  ),
  access: 'documents.read',
  refusals: [...always, 'curriculum-not-found'],
} as const

export const cancelCurriculum = {
  method: 'POST',
  path: '/api/curriculums/{id}/cancellation',
  operationId: 'cancelCurriculum',
  summary: 'Cancels a curriculum for good; its code may be used again.',
  tags: ['Curriculums'],
  headers: subscriptionHeader,
  body: ReasonBody,
  answer: eventModels.Curriculum,
  access: 'documents.suspend',
  refusals: [...always, 'curriculum-not-found', 'invalid-transition'],
} as const

export const transcripts = itemOperations(
  'academic-transcripts',
  'Academic transcripts',
  'academic-transcript-not-found',
  eventModels.AcademicTranscript,
  transcriptStatuses,
  ['xml', 'rvhe'],
  ofBatch,
)

const NewTranscript = body(
  { ...making, flowId: FlowId, type: Type.Enum([...transcriptTypes]), data: LayoutData },
  'NewAcademicTranscript',
)
export type NewTranscript = Static<typeof NewTranscript>

const ofTranscripts = { tags: ['Academic transcripts'], answer: eventModels.AcademicTranscript } as const

export const createTranscript = {
  ...ofTranscripts,
  method: 'POST',
  path: '/api/academic-transcripts',
  operationId: 'createAcademicTranscript',
  summary: 'Makes a transcript and has it signed. data is infHistoricoEscolar without institution and code.',
  headers: creationHeaders,
  body: NewTranscript,
  bodyLimitBytes: CREATION_BYTES,
  status: 201,
  access: 'documents.issue',
  refusals: creationRefusals,
} as const

const TranscriptCancellation = body(
  {
    temporary: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether it is only suspended, and may be restored.' }),
    ),
    reason: Reason,
  },
  'AcademicTranscriptCancellation',
)
export type TranscriptCancellation = Static<typeof TranscriptCancellation>

const changing = [...always, 'academic-transcript-not-found', 'invalid-transition'] as const

export const cancelTranscript = {
  ...ofTranscripts,
  method: 'POST',
  path: '/api/academic-transcripts/{id}/cancellation',
  operationId: 'cancelAcademicTranscript',
  summary: 'Suspends a transcript, or cancels it for good.',
  headers: subscriptionHeader,
  body: TranscriptCancellation,
  access: 'documents.suspend',
  refusals: changing,
} as const

export const restoreTranscript = {
  ...ofTranscripts,
  method: 'POST',
  path: '/api/academic-transcripts/{id}/restoration',
  operationId: 'restoreAcademicTranscript',
  summary: 'Makes a suspended transcript valid again; webhooks are told of it as concluded.',
  headers: subscriptionHeader,
  body: ReasonBody,
  access: 'documents.suspend',
  refusals: changing,
} as const
