// Forms: what a caller has to send for each kind, from the tables that documents are written and judged by; and checks,
// which answer what a creation would without making anything.
import Type from 'typebox'
import { always, orNull, subscriptionHeader, Text } from './common.ts'
import { createCurriculum, createTranscript } from './curriculums.ts'
import { createDegree, createEmission } from './degrees.ts'

/** What forms are asked for, by the name of the collection. */
export const formKinds = [
  'degrees',
  'emissions',
  'academic-transcripts',
  'curriculums',
  'registrations',
  'courses',
  'institutes',
] as const
export type FormKind = (typeof formKinds)[number]

/** Layouts that documents are written in. */
const formVersions = ['1.05'] as const

const FormField = Type.Object(
  {
    kind: Type.Enum(['value', 'flag', 'group', 'list', 'oneOf']),
    name: Type.Optional(Text),
    label: Type.Optional(Text),
    required: Type.Boolean(),
    filledBy: Type.Optional(Type.String({ description: 'The field of the request that fills this in.' })),
  },
  {
    additionalProperties: true,
    description:
      'A value (input, patterns, options and bounds), a flag (true), a group (fields), a list whose items are of several sorts (items), or one of several options, each a list of fields.',
  },
)

const FormVariant = Type.Object({
  name: Type.String({ description: 'Of the variant: the root of its data, or the type to be sent.' }),
  label: Text,
  help: Type.Optional(Text),
  at: Type.String({ description: 'The path of its fields in the request.' }),
  fields: Type.Array(FormField),
})

const LayoutForm = Type.Object(
  { version: Text, kind: Type.Enum([...formKinds]), language: Text, variants: Type.Array(FormVariant) },
  { $id: 'LayoutForm' },
)

export const readForm = {
  tags: ['Forms'],
  method: 'GET',
  path: '/api/layouts/{version}/forms/{kind}',
  operationId: 'readForm',
  summary: 'The form of a kind: what to send, without what the platform fills in; labels follow Accept-Language.',
  params: Type.Object({ version: Type.Enum([...formVersions]), kind: Type.Enum([...formKinds]) }),
  headers: Type.Object({
    ...subscriptionHeader.properties,
    'If-None-Match': Type.Optional(Type.String({ maxLength: 2000 })),
  }),
  answer: LayoutForm,
  access: 'documents.read',
  refusals: always,
} as const

const Checked = Type.Object(
  {
    academicTranscriptCreationError: orNull(
      Type.String({ description: 'Why a degree would have no transcript, where one is asked for.' }),
    ),
    documents: Type.Array(Type.String({ description: 'XML as it would be signed; ids and codes are provisional.' })),
  },
  { $id: 'CheckedDraft' },
)

const checking = {
  method: 'POST',
  description: 'Answers the refusal of a creation, every problem at once, and makes nothing.',
  headers: subscriptionHeader,
  query: Type.Object({
    xml: Type.Optional(Type.Boolean({ default: false, description: 'Whether the documents are answered.' })),
  }),
  answer: Checked,
  status: 200,
} as const

export const checkDegree = {
  ...createDegree,
  ...checking,
  path: '/api/degrees/check',
  operationId: 'checkDegree',
  summary: 'Checks the data of a degree.',
} as const

export const checkEmission = {
  ...createEmission,
  ...checking,
  path: '/api/emissions/check',
  operationId: 'checkEmission',
  summary: 'Checks the data of an emission.',
} as const

export const checkTranscript = {
  ...createTranscript,
  ...checking,
  path: '/api/academic-transcripts/check',
  operationId: 'checkAcademicTranscript',
  summary: 'Checks the data of a transcript.',
} as const

export const checkCurriculum = {
  ...createCurriculum,
  ...checking,
  path: '/api/curriculums/check',
  operationId: 'checkCurriculum',
  summary: 'Checks the data of a curriculum.',
} as const
